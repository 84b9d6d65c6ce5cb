import { nearest } from '#core/kernel/text-format.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { readerFieldNames } from '#core/readers/reader-fields.rules.ts'
import { usageError } from './cli-error.ts'

/** The columns of a reader file that can be set for a single reader. */
const columns = readerColumns.filter(({ field }) => (readerFieldNames as readonly string[]).includes(field))
const normalise = (name: string) => name.toLowerCase().replaceAll(/[\s_]/g, '')

/** Parses `--set LastName=Finch`: the fields of a reader by the column names of a reader file. */
export function readerFieldsOf(assignments: readonly string[]): Record<string, string> {
  const fields: Record<string, string> = {}
  for (const text of assignments) {
    const index = text.indexOf('=')
    const name = index === -1 ? text : text.slice(0, index)
    const column = columns.find(({ header }) => normalise(header) === normalise(name))
    if (!column) throw unknownColumn(name)
    if (index === -1) throw usageError(`--set ${name} has no value`, `write --set ${column.header}=<value>`)
    fields[column.field] = text.slice(index + 1)
  }
  return fields
}

function unknownColumn(name: string): Error {
  const headers = columns.map(({ header }) => header)
  const near = nearest(name, headers)
  return usageError(
    `unknown column "${name}"${near ? `, did you mean ${near}?` : ''}`,
    `the columns are those of a reader file: ${headers.join(', ')}`,
  )
}

/** The flag of each field, for messages about it. */
export const setFlags: Record<string, string> = Object.fromEntries(
  columns.map(({ field, header }) => [field, `--set ${header}`]),
)
