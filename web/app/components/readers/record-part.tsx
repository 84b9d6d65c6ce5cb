import type { ComponentProps } from 'react'
import { type ReaderField, typedReaderFields } from '#core/readers/reader-fields.rules.ts'
import { ReaderLine, ReaderPart } from './reader-line.tsx'

/** Input attributes of the fields that are not plain text. */
const inputProps: Partial<Record<ReaderField, Partial<ComponentProps<typeof ReaderLine>>>> = {
  fax: { type: 'tel' },
  webAddress: { autoCapitalize: 'none', spellCheck: false },
}
const firstFields: readonly ReaderField[] = ['jobTitle', 'readerType']
const otherFields = typedReaderFields.filter(({ name, part }) => part === 'more' && !firstFields.includes(name))

/** Rarely used fields: all reader fields of the part `more`. */
export function RecordPart() {
  return (
    <ReaderPart title="More about the reader">
      <div className="grid gap-5 sm:grid-cols-2">
        {[...firstFields, ...otherFields.map(({ name }) => name)].map((name) => (
          <ReaderLine key={name} name={name} {...inputProps[name]} />
        ))}
      </div>
    </ReaderPart>
  )
}
