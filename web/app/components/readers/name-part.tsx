import { type FormEvent, useRef } from 'react'
import { madeFullName } from '#core/readers/full-name.rules.ts'
import { readerTitles } from '#core/readers/reader-titles.rules.ts'
import { fillFields } from '../storefront/fill-fields.ts'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'
import { type ReaderFormState, ReaderLine, ReaderPart } from './reader-line.tsx'

/** Who the reader is, and how to reach them. The full name follows the names until somebody writes another one. */
export function NamePart({ form, isNew }: { form: ReaderFormState; isNew: boolean }) {
  const block = useRef<HTMLDivElement>(null)
  const { values } = form
  const made = useRef(madeFullName(namesOf((name) => values[name] ?? '')))
  const title = values.title ?? ''
  const isOwnTitle = title !== '' && !(readerTitles as readonly string[]).includes(title)

  function follow({ target }: FormEvent): void {
    const { name } = target as HTMLInputElement
    if (!block.current || !['title', 'firstName', 'lastName'].includes(name)) return
    const typed = (field: string) =>
      block.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.value.trim() ?? ''
    const now = madeFullName(namesOf(typed))
    if (typed('fullName') === made.current) fillFields(block.current, { fullName: now })
    made.current = now
  }

  return (
    <ReaderPart title="Name and contact" note="A name, a company or an email is needed; the rest may stay empty.">
      <div ref={block} onInput={follow} className="grid gap-5 sm:grid-cols-2">
        <div className="max-w-44">
          <Field label="Title" name="title" error={form.errors.title}>
            {(control) => (
              <Select {...control} name="title" defaultValue={title}>
                <option value="">None</option>
                {isOwnTitle && <option value={title}>{title}</option>}
                {readerTitles.map((one) => (
                  <option key={one} value={one}>
                    {one}
                  </option>
                ))}
              </Select>
            )}
          </Field>
        </div>
        <ReaderLine form={form} name="uniqueReference" isRequired={!isNew} spellCheck={false} className="numeric" />
        <ReaderLine form={form} name="firstName" />
        <ReaderLine form={form} name="lastName" />
        <div className="sm:col-span-2">
          <ReaderLine
            form={form}
            name="fullName"
            hint="As it stands on the label. It follows the names above until you write another one."
          />
        </div>
        <ReaderLine form={form} name="email" type="email" autoCapitalize="none" spellCheck={false} />
        <ReaderLine form={form} name="telephone" type="tel" />
      </div>
    </ReaderPart>
  )
}

function namesOf(read: (name: 'title' | 'firstName' | 'lastName') => string) {
  return { title: read('title'), firstName: read('firstName'), lastName: read('lastName') }
}
