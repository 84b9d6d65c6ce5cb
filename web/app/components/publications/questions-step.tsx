import { useState } from 'react'
import { Field } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Input } from '../ui/inputs.tsx'

const questions = ['A', 'B', 'C', 'D', 'E'] as const

/** Step 4: the publication's questions to buyers, with a preview. */
export function QuestionsStep() {
  const { values } = useFormState()
  return (
    <>
      <p className="max-w-3xl text-body text-ink-2">
        Buyers answer these before they pay. Questions A and B are answered Yes or No, and only Yes lets the buyer
        continue; questions C to E take free text. A question left empty is not asked.
      </p>
      {questions.map((key) => (
        <Question
          key={key}
          name={`question${key}`}
          isYesNo={key === 'A' || key === 'B'}
          initial={values[`question${key}`] ?? ''}
        />
      ))}
    </>
  )
}

interface QuestionProps {
  name: string
  isYesNo: boolean
  initial: string
}

function Question({ name, isYesNo, initial }: QuestionProps) {
  const [text, setText] = useState(initial)
  return (
    <div className="grid gap-x-6 gap-y-2 border-t border-line pt-4 md:grid-cols-2">
      <Field
        name={name}
        hint={isYesNo ? 'Yes or No; the buyer must answer Yes' : 'Free text; the buyer must answer it'}
      >
        {(control) => (
          <Input
            {...control}
            name={name}
            maxLength={500}
            autoComplete="off"
            defaultValue={initial}
            onChange={({ target }) => setText(target.value)}
          />
        )}
      </Field>
      {text.trim() !== '' && (
        <div className="rounded-card border border-dashed border-control px-3 py-2">
          <p className="text-caption text-muted">As the buyer sees it</p>
          <p className="mt-1 text-body font-medium wrap-anywhere">{text}</p>
          {isYesNo ? (
            <YesNo />
          ) : (
            <span aria-hidden="true" className="mt-1.5 block h-9 rounded-input border border-control bg-surface" />
          )}
        </div>
      )}
    </div>
  )
}

function YesNo() {
  return (
    <p aria-hidden="true" className="mt-1.5 flex gap-5 text-body">
      {['Yes', 'No'].map((answer) => (
        <span key={answer} className="flex items-center gap-2">
          <span className="size-4 rounded-full border border-control bg-surface" />
          {answer}
        </span>
      ))}
    </p>
  )
}
