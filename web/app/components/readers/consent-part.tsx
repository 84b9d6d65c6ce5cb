import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { type QuestionLetter, yesNoLetters } from '#core/readers/reader-fields.rules.ts'
import { Field } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Checkbox, Input, Select } from '../ui/inputs.tsx'
import { ReaderPart } from './reader-line.tsx'

/** The eight opt-outs: four channels, for the publication's own offers and for partners'. */
export function ConsentPart() {
  const { values } = useFormState()
  return (
    <ReaderPart title="Offers" note="Tick to opt out: a tick means “do not contact”.">
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        {(['pub', 'partner'] as const).map((sender) => (
          <fieldset key={sender}>
            <legend className="mb-2 text-body font-medium text-ink-2">
              {sender === 'pub' ? 'Publication offers, tick to opt out' : 'Partner offers, tick to opt out'}
            </legend>
            <div className="space-y-2">
              {optOuts
                .filter(({ field }) => field.startsWith(sender))
                .map(({ field, label }) => (
                  <Checkbox
                    key={field}
                    name={field}
                    label={shortLabel(label)}
                    aria-label={`Opt out of ${label}`}
                    defaultChecked={values[field] === 'on'}
                  />
                ))}
            </div>
          </fieldset>
        ))}
      </div>
    </ReaderPart>
  )
}

/** "Publication offers by email" under its heading is "By email". */
function shortLabel(label: string): string {
  const text = label.slice(label.indexOf(' by ') + 1)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface QuestionsPartProps {
  questions: readonly { letter: QuestionLetter; question: string }[]
}

/** The publication's own questions; nothing if it has none. */
export function QuestionsPart({ questions }: QuestionsPartProps) {
  const { values } = useFormState()
  if (questions.length === 0) return null
  return (
    <ReaderPart title="Questions">
      <div className="grid gap-5">
        {questions.map(({ letter }) => {
          const name = `answer${letter}` as const
          const answer = values[name] ?? ''
          const isOther = answer !== '' && answer !== 'Yes' && answer !== 'No'
          return (
            <Field key={letter} name={name}>
              {(control) =>
                yesNoLetters.includes(letter) ? (
                  <Select {...control} name={name} defaultValue={answer} className="max-w-44">
                    <option value="">Not answered</option>
                    <option value="Yes">Yes</option>
                    <option value="No">No</option>
                    {isOther && <option value={answer}>{answer}</option>}
                  </Select>
                ) : (
                  <Input {...control} name={name} maxLength={500} defaultValue={answer} autoComplete="off" />
                )
              }
            </Field>
          )
        })}
      </div>
    </ReaderPart>
  )
}
