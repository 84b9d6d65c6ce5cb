import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { recordOf } from '#core/kernel/record-of.ts'
import { type ReaderField, readerFieldLabels, typedReaderFields } from '#core/readers/reader-fields.rules.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'
import type { ReaderValues } from './reader-values.ts'

/** What the parts of the reader form show: values and messages by field. */
export interface ReaderFormState {
  values: ReaderValues
  errors: FieldErrors
}

const longest = recordOf(typedReaderFields, ({ max }) => max)

interface ReaderLineProps extends Omit<ComponentPropsWithoutRef<'input'>, 'form' | 'name'> {
  form: ReaderFormState
  name: ReaderField
  label?: string
  hint?: ReactNode
  isRequired?: boolean
}

/** One text box of the reader form. */
export function ReaderLine({ form, name, label, hint, isRequired = false, ...input }: ReaderLineProps) {
  return (
    <Field
      label={label ?? readerFieldLabels[name]}
      name={name}
      hint={hint}
      error={form.errors[name]}
      isRequired={isRequired}
    >
      {(control) => (
        <Input
          autoComplete="off"
          maxLength={longest[name]}
          {...input}
          {...control}
          name={name}
          defaultValue={form.values[name] ?? ''}
        />
      )}
    </Field>
  )
}

/** A part of the form with its heading. */
export function ReaderPart({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="card p-4 lg:p-5">
      <h2 className="text-h3">{title}</h2>
      {note && <p className="mt-1 max-w-[75ch] text-table text-muted">{note}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}
