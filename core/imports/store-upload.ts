import { z } from 'zod'
import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { invalid } from '../kernel/errors.ts'
import { shortened } from '../kernel/text-format.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { readerColumns } from '../reader-files/reader.columns.ts'
import { useCase } from '../use-case.ts'
import { startCheck } from './choose-mapping.ts'
import { bareName, fileNameProblem } from './file-name.rules.ts'
import { guessMapping, type Mapping, mappingProblems } from './guess-mapping.rules.ts'
import { type ImportMode, type ImportTarget, importModes, importTargets } from './import-modes.rules.ts'
import { aboutFile, inspectUpload } from './inspect-upload.ts'
import { mapHeader } from './map-header.rules.ts'
import { refuseSecondUpload } from './open-upload.ts'
import { storeFile } from './store-file.ts'
import { findStoredColumnMap } from './stored-column-map.ts'
import { type Inspection, Uploads } from './uploads.rows.ts'

const StoreUploadInput = z.object({
  publicationId: z.number().int(),
  mode: z.enum(importModes),
  target: z.enum(importTargets).default('all'),
  fileName: z.string(),
  /** The file's bytes as they arrive. */
  chunks: z.custom<AsyncIterable<Uint8Array>>((value) => Symbol.asyncIterator in Object(value)),
  announcedBytes: z.number().optional(),
})

/** Rows shown from each of three positions in a file. */
const samplesPerPosition = 30
const maxSampleLength = 80

/**
 * Stores a file for a publication: it is written to disk as it arrives, inspected, and its columns are mapped. If there is no doubt about them, the
 * check of its rows begins. Throws `invalid` for a file that is not a reader file, `tooLarge`, and `conflict` while another upload is not finished.
 */
export const storeUpload = useCase({
  permission: 'reader:import',
  input: StoreUploadInput,
  transaction: 'none',
  async run(ctx, input): Promise<{ uploadId: number; state: 'stored' | 'checking' }> {
    const publication = await ownPublication(ctx, { id: input.publicationId })
    const fileName = bareName(input.fileName)
    if (input.fileName === '') throw invalid({ file: 'Choose a CSV file' }, 'Choose a CSV file')
    const problem = fileNameProblem(fileName)
    if (problem) throw aboutFile(problem, 'Choose a file whose name ends in .csv, such as the template.')
    await ctx.db.transaction(() => refuseSecondUpload(ctx, publication.id))
    const { path } = await storeFile(ctx, publication.publisherId, input)
    try {
      const { homeCountry } = await publisherSettings(ctx, publication.publisherId)
      const file = await inspectUpload(path, fileName, { homeCountry })
      const inspection = await inspectForImport(ctx, publication.id, file, input.mode)
      return await ctx.db.transaction(async () => {
        await refuseSecondUpload(ctx, publication.id)
        // The publication may have been removed while the file arrived.
        await ownPublication(ctx, { id: publication.id })
        const isMappingClear = inspection.mappedBy !== 'guess' && file.doubt === null
        const uploadId = await addDraft(ctx, { ...input, publicationId: publication.id, fileName, file, inspection })
        await recordAudit(
          ctx,
          'store-upload',
          { type: 'upload', id: uploadId, publisherId: publication.publisherId },
          { mode: input.mode, bytes: file.bytes },
        )
        const { id: publicationId, publisherId } = publication
        if (isMappingClear) await startCheck(ctx, { id: uploadId, publicationId, publisherId, inspection })
        return { uploadId, state: isMappingClear ? 'checking' : 'stored' }
      })
    } catch (error) {
      await ctx.uploadFiles.remove(path)
      throw error
    }
  },
})

/** Maps a file's columns by the template's names or as confirmed for the last such file; otherwise by a guess, which has to be confirmed. */
export async function inspectForImport(
  ctx: AppContext,
  publicationId: number,
  file: InspectedFile,
  mode: ImportMode,
): Promise<Inspection> {
  const { header, lines, encoding, delimiter, doubt, assumed } = file
  const rows = await ctx.uploadFiles.sample(file, samplesPerPosition)
  const samples = rows.map((row) => row.map((cell) => shortened(cell.trim(), maxSampleLength)))
  const detected = { header, lines, encoding, delimiter, doubt, assumed, samples }
  const template = mapHeader(header, mode)
  if (template.problems.length === 0) return { ...detected, mapping: namesOf(template.columns), mappedBy: 'template' }
  const storedMapping = await findStoredColumnMap(ctx, publicationId, header)
  if (storedMapping && Object.keys(mappingProblems(header, storedMapping, mode)).length === 0)
    return { ...detected, mapping: storedMapping, mappedBy: 'kept' }
  return { ...detected, mapping: guessMapping(header, rows), mappedBy: 'guess' }
}

function namesOf(columns: readonly number[]): Mapping {
  return columns.map((index) => readerColumns[index]?.header ?? '')
}

interface NewDraft {
  publicationId: number
  mode: ImportMode
  target: ImportTarget
  fileName: string
  file: InspectedFile
  inspection: Inspection
}

function addDraft(
  ctx: AppContext,
  { publicationId, mode, target, fileName, file, inspection }: NewDraft,
): Promise<number> {
  return Uploads.insert(ctx, {
    publicationId,
    kind: mode,
    target: mode === 'replace' ? target : 'all',
    draft: 'stored',
    fileName,
    storedFile: file.path,
    bytes: file.bytes,
    sha256: file.sha256,
    encoding: file.encoding,
    delimiter: file.delimiter,
    mapping: { header: file.header },
    inspection,
    request: { mapping: inspection.mapping },
    actorKind: ctx.actor.kind,
    actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    startedAt: ctx.now(),
  })
}
