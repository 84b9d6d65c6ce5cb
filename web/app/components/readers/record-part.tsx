import type { ComponentProps } from 'react'
import { type ReaderField, typedReaderFields } from '#core/readers/reader-fields.rules.ts'
import { ReaderLine, ReaderPart } from './reader-line.tsx'

/** Input attributes of the fields that are not plain text. */
const special: Partial<Record<ReaderField, Partial<ComponentProps<typeof ReaderLine>>>> = {
  fax: { type: 'tel' },
  webAddress: { autoCapitalize: 'none', spellCheck: false },
}
const first: readonly ReaderField[] = ['jobTitle', 'readerType']
const rest = typedReaderFields.filter(({ name, part }) => part === 'more' && !first.includes(name))

/** Rarely used fields: every field of the table in this part. */
export function RecordPart() {
  return (
    <ReaderPart title="More about the reader">
      <div className="grid gap-5 sm:grid-cols-2">
        {[...first, ...rest.map(({ name }) => name)].map((name) => (
          <ReaderLine key={name} name={name} {...special[name]} />
        ))}
      </div>
    </ReaderPart>
  )
}
