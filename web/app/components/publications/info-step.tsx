import { useState } from 'react'
import { handleFrom } from '#core/publications/handle.rules.ts'
import { Field } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { TextareaField, TextField } from '../ui/form-fields.tsx'
import { Input, Textarea } from '../ui/inputs.tsx'
import { ColourField } from './colour-field.tsx'
import { FixedHandle, HandleField } from './handle-field.tsx'
import type { StepProps } from './publication-wizard.tsx'

/** Step 1: what the publication is, its colour and its contact. */
export function InfoStep({ page }: StepProps) {
  const { values } = useFormState()
  const [name, setName] = useState(values.publicationName ?? '')
  const [handle, setHandle] = useState(values.urlKey ?? '')
  // The handle is derived from the name until the user edits it.
  const [isHandleEdited, setHandleEdited] = useState(handle !== '' && handle !== handleFrom(name))
  return (
    <>
      <div className="grid gap-5 lg:grid-cols-[2fr_1fr]">
        <Field name="publicationName" isRequired>
          {(control) => (
            <Input
              {...control}
              name="publicationName"
              maxLength={200}
              autoComplete="off"
              value={name}
              onChange={({ target }) => {
                setName(target.value)
                if (!isHandleEdited && !page.publication) setHandle(handleFrom(target.value))
              }}
            />
          )}
        </Field>
        <TextField name="issuesPerYear" isRequired inputMode="numeric" maxLength={4} className="max-w-24" />
      </div>
      {page.publication ? (
        <FixedHandle site={page.site} handle={page.publication.urlKey} />
      ) : (
        <HandleField
          site={page.site}
          handle={handle}
          onType={(typed) => {
            setHandleEdited(typed !== '')
            setHandle(typed)
          }}
        />
      )}
      <ColourField name="color" initial={values.color ?? ''} title={name} />
      <Description initial={values.publicationInfo ?? ''} />
      <div className="grid gap-5 md:grid-cols-2">
        <TextField
          name="webAddress"
          inputMode="url"
          maxLength={500}
          hint="The publication’s own site, such as www.example.com"
        />
        <TextField
          name="sampleEdition"
          inputMode="url"
          maxLength={500}
          hint="A page with a sample issue; the cover links to it"
        />
        <TextField
          name="emailAddress"
          isRequired
          inputMode="email"
          maxLength={254}
          hint="The contact address that buyers see"
        />
        <TextField
          name="orderEmailAddress"
          isRequired
          inputMode="email"
          maxLength={254}
          hint="We send a notice of every sale here; buyers never see it"
        />
        <TextField
          name="ccEmail"
          inputMode="email"
          maxLength={254}
          hint="Someone else who gets the notice of every sale"
        />
      </div>
      <div className="grid gap-5 md:grid-cols-2">
        <TextareaField name="emailText" maxLength={5000} hint="Shown above the order in the email to the buyer" />
        <TextareaField name="emailEnd" maxLength={5000} hint="Shown below the order" />
      </div>
    </>
  )
}

/** The storefront's own text, with a word count. */
function Description({ initial }: { initial: string }) {
  const [wordCount, setWordCount] = useState(countWords(initial))
  return (
    <Field name="publicationInfo" hint="The text of your storefront. Between 70 and 100 words is best.">
      {(control) => (
        <>
          <Textarea
            {...control}
            name="publicationInfo"
            rows={6}
            maxLength={5000}
            defaultValue={initial}
            onChange={({ target }) => setWordCount(countWords(target.value))}
          />
          <p className="numeric text-caption text-muted">{`${wordCount} ${wordCount === 1 ? 'word' : 'words'}${lengthAdvice(wordCount)}`}</p>
        </>
      )}
    </Field>
  )
}

function countWords(text: string): number {
  return text.trim() === '' ? 0 : text.trim().split(/\s+/).length
}

function lengthAdvice(words: number): string {
  if (words === 0) return ''
  if (words < 70) return `, ${70 - words} more to reach 70`
  return words <= 100 ? ', a good length' : `, ${words - 100} over 100`
}
