import { AppError } from '../kernel/errors.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import type { UploadRow } from './upload-row.ts'

/** What the import is asked for an upload. */
export function importOf(upload: UploadRow) {
  if (!upload.stored_file) throw new AppError('gone', 'The file is not kept any more', { hint: 'Upload it once more.' })
  return {
    publicationId: upload.publication_id,
    file: upload.stored_file,
    fileName: upload.file_name,
    mode: upload.kind,
    target: upload.target,
    // Whoever confirms has been told that the file came before.
    again: true,
    ...mappingOf(upload),
  }
}

/** What was said of the columns; an import of the command line that is gone on with reads them as it began. */
function mappingOf({ wish, mapping }: UploadRow): { mapping?: string[] } {
  if (wish) return { mapping: [...wish.mapping] }
  return mapping?.columns ? { mapping: mapping.columns.map((place) => readerColumns[place]?.header ?? '') } : {}
}
