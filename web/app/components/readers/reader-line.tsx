import type { ComponentProps, ReactNode } from 'react'
import { recordOf } from '#core/kernel/record-of.ts'
import { type ReaderField, typedReaderFields } from '#core/readers/reader-fields.rules.ts'
import { TextField } from '../ui/form-fields.tsx'

const maxLengths = recordOf(typedReaderFields, ({ max }) => max)

/** One text field of the reader form. */
export function ReaderLine({ name, ...inputProps }: ComponentProps<typeof TextField> & { name: ReaderField }) {
  return <TextField maxLength={maxLengths[name]} {...inputProps} name={name} />
}

/** A section of the form with its heading. */
export function ReaderPart({ title, note, children }: { title: string; note?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="card p-4 lg:p-5">
      <h2 className="text-h3">{title}</h2>
      {note && <p className="mt-1 max-w-[75ch] text-table text-muted">{note}</p>}
      <div className="mt-4">{children}</div>
    </section>
  )
}
