import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { AppError, invalid, isAppError } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { bareName, fileNameProblem } from './file-name.rules.ts'
import { importModes, importTargets } from './import-modes.rules.ts'
import { type ImportReport, importReaders } from './import-readers.ts'
import { keepFile } from './keep-file.ts'
import { letFileGo } from './let-file-go.ts'
import { refuseSecondUpload } from './open-upload.ts'
import { rowsAsFile, sentFile } from './rows-as-file.ts'
import type { PreviewReject } from './upload-row.ts'

/** What an import did, with the first rows it did not take. */
export interface FileImport extends ImportReport {
  rejected: PreviewReject[]
}

const shownRejects = 100

/**
 * Takes a file or rows and imports them at once, for programs: they are written to disk as they come and the answer waits for the end. A
 * broken line loses nothing: what was committed stays, and the import can be gone on with. `again` takes a file that came before.
 */
export const importFile = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    mode: z.enum(importModes).default('replace'),
    target: z.enum(importTargets).default('all'),
    again: z.preprocess((value) => value === true || value === 'true', z.boolean()).default(false),
    dryRun: z.preprocess((value) => value === true || value === 'true', z.boolean()).default(false),
    ...sentFile,
  }),
  transaction: 'none',
  async run(
    ctx,
    { publicationId, mode, target, again, dryRun, fileName: sentName, chunks, announcedBytes, csvdata },
  ): Promise<FileImport> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const fileName = chunks ? bareName(sentName ?? '') : 'rows.csv'
    const problem = fileNameProblem(fileName)
    if (problem) throw invalid({ file: problem }, problem)
    if (mode !== 'replace' && target !== 'all') throw invalid({ target: 'Only a replacement has a target' })
    await ctx.db.transaction(() => refuseSecondUpload(ctx, publication.id))
    const { path } = await keepFile(ctx, publication.publisherId, {
      chunks: chunks ?? rowsAsFile(csvdata),
      announcedBytes,
    })
    try {
      const report = await importReaders(ctx, { publicationId, file: path, fileName, mode, target, again, dryRun })
      const rejected = report.uploadId === null ? report.firstRejects : await rejectsOf(ctx, report.uploadId)
      if (report.uploadId === null) await ctx.uploadFiles.remove(path)
      else await letFileGo(ctx, report.uploadId)
      return { ...report, rejected }
    } catch (error) {
      // An import that has begun may be gone on with: then the file is still wanted.
      const [begun] = await ctx.db.query(`SELECT id FROM uploads WHERE stored_file = :path AND state = 'interrupted'`, {
        path,
      })
      if (!begun) await ctx.uploadFiles.remove(path)
      throw ofFile(error, path, fileName)
    }
  },
})

/** What is wrong with the file is said of its own name, not of ours. */
function ofFile(error: unknown, path: string, fileName: string): unknown {
  if (!isAppError(error)) return error
  const { kind, message, hint, fields, detail } = error
  const text = message.replaceAll(path, fileName)
  return new AppError(kind, text, {
    ...(hint ? { hint: hint.replace('use --again', 'send again=true') } : {}),
    ...(kind === 'invalid' ? { fields: fields ?? { file: text } } : {}),
    detail,
    cause: error,
  })
}

async function rejectsOf(ctx: AppContext, uploadId: number): Promise<PreviewReject[]> {
  const rows = await ctx.db.query<{ line: number; column_name: string; value: string; reason: string }>(
    `SELECT line, column_name, value, reason FROM upload_rejects WHERE upload_id = :uploadId ORDER BY id LIMIT ${shownRejects}`,
    { uploadId },
  )
  return rows.map(({ line, column_name, value, reason }) => ({
    line: Number(line),
    column: column_name,
    value,
    reason,
  }))
}
