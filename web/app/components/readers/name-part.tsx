import { type FormEvent, useRef } from 'react'
import { composedFullName } from '#core/readers/full-name.rules.ts'
import { fillFields } from '../storefront/fill-fields.ts'
import { useFormState } from '../ui/form-context.ts'
import { SelectField } from '../ui/form-fields.tsx'
import { ReaderLine, ReaderPart } from './reader-line.tsx'

/** The titles (Mr, Ms) that the form offers. An imported record may have another title. */
const readerTitles = [
  'Mr.', 'Mrs.', 'Miss', 'Ms.', 'Mx.', 'Master', 'Dr.', 'Prof', 'Sir', 'Dame', 'Lord', 'Lady', 'Hon.', 'Rt. Hon.', 'Baron', 'Baroness',
  'Viscount', 'Viscountess', 'Earl', 'Countess', 'Rev.', 'Canon', 'Father', 'Sister', 'Rabbi', 'Imam', 'Judge', 'Captain', 'Major', 'Colonel',
] as const // biome-ignore format: a list

/** The reader's name and contact details. The full name follows the names until the user edits it. */
export function NamePart({ isNew }: { isNew: boolean }) {
  const container = useRef<HTMLDivElement>(null)
  const { values } = useFormState()
  const derivedName = useRef(composedFullName(namesOf((name) => values[name] ?? '')))
  const title = values.title ?? ''
  const isOtherTitle = title !== '' && !(readerTitles as readonly string[]).includes(title)

  function updateFullName({ target }: FormEvent): void {
    const { name } = target as HTMLInputElement
    if (!container.current || !['title', 'firstName', 'lastName'].includes(name)) return
    const typed = (field: string) =>
      container.current?.querySelector<HTMLInputElement>(`[name="${field}"]`)?.value.trim() ?? ''
    const fullName = composedFullName(namesOf(typed))
    if (typed('fullName') === derivedName.current) fillFields(container.current, { fullName })
    derivedName.current = fullName
  }

  return (
    <ReaderPart
      title="Name and contact"
      note={
        isNew
          ? 'Enter a name, a company or an email; everything else is optional.'
          : 'Enter a name, a company or an email, and the unique reference; everything else is optional.'
      }
    >
      <div ref={container} onInput={updateFullName} className="grid gap-5 sm:grid-cols-2">
        <div className="max-w-44">
          <SelectField
            name="title"
            options={[
              { value: '', label: 'None' },
              ...[...(isOtherTitle ? [title] : []), ...readerTitles].map((value) => ({ value, label: value })),
            ]}
          />
        </div>
        <ReaderLine name="uniqueReference" isRequired={!isNew} spellCheck={false} className="numeric" />
        <ReaderLine name="firstName" />
        <ReaderLine name="lastName" />
        <div className="sm:col-span-2">
          <ReaderLine
            name="fullName"
            hint="As printed on the address label. Filled in from the names above until you change it."
          />
        </div>
        <ReaderLine name="email" type="email" autoCapitalize="none" spellCheck={false} />
        <ReaderLine name="telephone" type="tel" />
      </div>
    </ReaderPart>
  )
}

function namesOf(read: (name: 'title' | 'firstName' | 'lastName') => string) {
  return { title: read('title'), firstName: read('firstName'), lastName: read('lastName') }
}
