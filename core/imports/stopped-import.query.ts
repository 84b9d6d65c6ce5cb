import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { useCase } from '../use-case.ts'
import { isUploadHeld } from './claim-upload.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import { openUpload } from './open-upload.ts'

/** What an interrupted import is gone on with: the same file, read the same way. */
export interface StoppedImport {
  uploadId: number
  file: string
  fileName: string
  mode: ImportMode
  target: ImportTarget
  mapping: string[]
  rows: number
}

/** The import of a publication that was stopped or killed on its way and can go on; null when there is none. */
export const stoppedImport = useCase({
  permission: 'reader:import',
  input: z.object({ urlKey: z.string() }),
  transaction: 'none',
  async run(ctx, { urlKey }): Promise<StoppedImport | null> {
    const publication = await ownPublication(ctx, { urlKey })
    const upload = await openUpload(ctx, publication.id, ['interrupted', 'running'])
    if (!upload?.stored_file) return null
    const [row] = await ctx.db.query<{ locked_until: Date | string | null; mapping: string }>(
      `SELECT locked_until, mapping FROM uploads WHERE id = :id`,
      { id: upload.id },
    )
    if (!row || (upload.state === 'running' && isUploadHeld(ctx, row))) return null
    const { columns } = (typeof row.mapping === 'string' ? JSON.parse(row.mapping) : row.mapping) as {
      columns: number[]
    }
    return {
      uploadId: upload.id,
      file: upload.stored_file,
      fileName: upload.file_name,
      mode: upload.kind,
      target: upload.target,
      mapping: columns.map((place) => readerColumns[place]?.header ?? ''),
      rows: upload.records_done,
    }
  },
})
