import { loadedColumns } from './reader-row-text.ts'

/** Columns of `readers` that `reader_backups` holds under the same name: all but the upload a reader came with. */
const sameNamed = ['id', ...loadedColumns.filter((column) => column !== 'upload_id'), 'is_deleted', 'version']

/** The columns of a backup, and the same values as an expression on a reader `r`. */
export const backupColumns = [...sameNamed, 'from_upload_id'].join(', ')
export const backedUpReader = [...sameNamed.map((column) => `r.${column}`), 'r.upload_id'].join(', ')

/** The columns of a reader in the order of `restoredReader`, which reads them from a backup `b`. */
export const readerColumnsInFull = [...sameNamed, 'upload_id']
export const restoredReader = [...sameNamed.map((column) => `b.${column}`), 'b.from_upload_id']
