import { columnName } from '#core/kernel/column-name.ts'
import { internalReaderColumns, readerFields } from '#core/readers/reader-fields.rules.ts'

/** Every column of `readers`, with its name in `reader_backups`: the column of the upload that a reader came with has a different name there. */
const columns = [
  ...readerFields.map(({ name }) => ({ reader: columnName(name), backup: columnName(name) })),
  ...internalReaderColumns.map((column) => ({
    reader: columnName(column.name),
    backup: 'backup' in column ? column.backup : columnName(column.name),
  })),
]

/** The columns of a backup, and the same values as an expression on a reader `r`. */
export const backupColumns = columns.map(({ backup }) => backup).join(', ')
export const backedUpReader = columns.map(({ reader }) => `r.${reader}`).join(', ')

/** The columns of a reader in the order of `restoredReader`, which reads them from a backup `b`. */
export const readerColumnsInFull = columns.map(({ reader }) => reader)
export const restoredReader = columns.map(({ backup }) => `b.${backup}`)
