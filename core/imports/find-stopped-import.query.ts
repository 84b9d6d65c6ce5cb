import { z } from 'zod'
import { conflict } from '../kernel/errors.ts'
import type { FileEncoding } from '../kernel/file-encodings.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { useCase } from '../use-case.ts'
import type { ImportMode, ImportTarget } from './import-modes.rules.ts'
import { openUpload } from './open-upload.ts'

/** What resuming an interrupted import needs: the same file, read the same way. */
export interface StoppedImport {
  uploadId: number
  file: string
  fileName: string
  mode: ImportMode
  target: ImportTarget
  mapping: string[]
  encoding: FileEncoding
  delimiter: string
  lenient: boolean
  /** The path of the column map that it was started with. */
  mapFile: string | undefined
  rows: number
}

/**
 * The interrupted import of a publication that can be resumed; null if there is none. Throws `conflict` when another
 * machine has its file.
 */
export const findStoppedImport = useCase({
  permission: 'reader:import',
  input: z.object({ urlKey: z.string() }),
  transaction: 'none',
  async run(ctx, { urlKey }): Promise<StoppedImport | null> {
    const publication = await ownPublication(ctx, { urlKey })
    const upload = await openUpload(ctx, publication.id, ['interrupted'])
    if (!upload?.storedFile) return null
    const { id, storedFile, fileHost, fileName, kind, target, mapping, encoding, delimiter } = upload
    if (fileHost !== null && fileHost !== ctx.processes.host)
      throw conflict(`The file "${fileName}" of import ${id} is on ${fileHost}`, {
        hint: `Resume it there, end it (subscriptions imports cancel ${id}), or import the same file from here.`,
      })
    return {
      uploadId: id,
      file: storedFile,
      fileName,
      mode: kind,
      target,
      mapping: (mapping.columns ?? []).map((place) => readerColumns[place]?.header ?? ''),
      encoding,
      delimiter,
      lenient: mapping.lenient ?? false,
      mapFile: mapping.mapFile,
      rows: upload.import?.cursor?.records ?? 0,
    }
  },
})
