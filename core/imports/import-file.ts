import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { cancelTask } from '../tasks/cancel-task.ts'
import { startTask } from '../tasks/start-task.ts'
import type { Task } from '../tasks/task.ts'
import { taskEnd } from '../tasks/task-end.ts'
import { useCase } from '../use-case.ts'
import { addUpload, importTask, type NewImport, refuseRepeat, uploadsOf } from './begin-import.ts'
import { checkHandler } from './check-upload.ts'
import { columnsOfHeader } from './dry-run-import.ts'
import { fileFormatFields, requireKnownEncoding } from './file-format.input.ts'
import { bareName, fileNameProblem } from './file-name.rules.ts'
import { importModes, importTargets } from './import-modes.rules.ts'
import { changedText, type PreviewReject, problemsOf, type StoredProblems } from './import-report.ts'
import { inspectUpload } from './inspect-upload.ts'
import type { FileFormat } from './load/inspect-file.ts'
import { refuseSecondUpload } from './open-upload.ts'
import { rowsAsFile, sentFile } from './rows-as-file.ts'
import type { SkippedCells } from './skipped-cells.rules.ts'
import { storeFile } from './store-file.ts'
import { type ImportCursor, uploadById } from './upload-row.ts'
import { type UploadCounts, Uploads } from './uploads.rows.ts'

/** What an import did, or would do, with the first rejected rows. */
export interface FileImport extends UploadCounts {
  /** Null in a dry run. */
  uploadId: number | null
  rows: number
  rejected: PreviewReject[]
  skippedCells: SkippedCells[]
}

const maxRejects = 100

/**
 * Imports a file or rows for programs: they are written to disk as they arrive, the worker imports them, and the response waits for the end. A lost
 * connection or a process that ends loses nothing: the worker continues. `again` accepts a file that was imported before, `dryRun` returns what the
 * import would do. Throws `unavailable` when an attempt has failed and the worker will retry it, or when the import was interrupted and can be
 * resumed, `conflict` when it was cancelled, and `invalid` when it failed.
 */
export const importFile = useCase({
  permission: 'reader:import',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    mode: z.enum(importModes).default('replace'),
    target: z.enum(importTargets).default('all'),
    again: z.preprocess((value) => value === true || value === 'true', z.boolean()).default(false),
    dryRun: z.preprocess((value) => value === true || value === 'true', z.boolean()).default(false),
    ...fileFormatFields,
    ...sentFile,
  }),
  transaction: 'none',
  async run(
    ctx,
    {
      publicationId,
      mode,
      target,
      again,
      dryRun,
      lenient,
      fileName: sentName,
      chunks,
      announcedBytes,
      csvdata,
      ...reading
    },
  ): Promise<FileImport> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const fileName = chunks ? bareName(sentName ?? '') : 'rows.csv'
    const problem = fileNameProblem(fileName)
    if (problem) throw invalid({ file: problem }, problem)
    if (mode !== 'replace' && target !== 'all') throw invalid({ target: 'Only a replacement has a target' })
    await ctx.db.transaction(() => refuseSecondUpload(ctx, publication.id))
    const { path } = await storeFile(ctx, publication.publisherId, {
      chunks: chunks ?? rowsAsFile(csvdata),
      announcedBytes,
    })
    const task = await startTaskForFile(ctx, { publication, mode, target, fileName, lenient }, path, {
      again,
      dryRun,
      reading,
    })
    const ended = await taskEnd<ImportCursor>(ctx, task.id)
    return dryRun ? previewOf(ctx, ended) : outcomeOf(ctx, ended)
  },
})

/** Starts the worker's task for the file. A refused file is deleted. */
async function startTaskForFile(
  ctx: AppContext,
  settings: Omit<NewImport, 'file' | 'columns'>,
  path: string,
  { again, dryRun, reading }: { again: boolean; dryRun: boolean; reading: FileFormat },
): Promise<Task> {
  try {
    const file = await inspectUpload(path, settings.fileName, reading)
    requireKnownEncoding(file, settings.fileName, 'encoding=')
    const columns = columnsOfHeader(file, settings.fileName, settings.mode, undefined)
    return await ctx.db.transaction(() => startImportOrCheck(ctx, { ...settings, file, columns }, { again, dryRun }))
  } catch (error) {
    await ctx.uploadFiles.remove(path)
    throw error
  }
}

async function startImportOrCheck(
  ctx: AppContext,
  newImport: NewImport,
  { again, dryRun }: { again: boolean; dryRun: boolean },
): Promise<Task> {
  const { publication, file } = newImport
  await refuseSecondUpload(ctx, publication.id)
  if (!again && !dryRun) refuseRepeat(await uploadsOf(ctx, newImport), 'send again=true')
  const id = await addUpload(ctx, newImport, { fileHost: null, draft: dryRun ? 'dry-run' : null })
  const request = importTask(ctx, { id, publicationId: publication.id, publisherId: publication.publisherId })
  const total = Math.max(file.lines - 1, 0)
  if (dryRun) return startTask(ctx, 'check-upload', { ...request, lockKey: `check:${id}`, total })
  const subject = { type: 'upload', id, publisherId: publication.publisherId } as const
  await recordAudit(ctx, 'store-upload', subject, { mode: newImport.mode, bytes: file.bytes })
  return startTask(ctx, 'import-readers', { ...request, total })
}

/** The response to an import that succeeded. Throws for the others, with what was imported and what can be done about it. */
async function outcomeOf(ctx: AppContext, task: Task<ImportCursor>): Promise<FileImport> {
  const { id, storedFile, added, updated, unchanged, removed, repeated, failed, skippedCells } = await uploadById(
    ctx,
    task.subjectId,
  )
  const counts = { added, updated, unchanged, removed, repeated, failed }
  const problem = task.problem ?? 'The import has ended'
  const soFar = `Import ${id} so far: ${changedText(counts)}`
  switch (task.state) {
    case 'done':
      return {
        uploadId: id,
        rows: task.cursor?.records ?? 0,
        ...counts,
        rejected: await rejectsOf(ctx, id),
        skippedCells: skippedCells ?? [],
      }
    case 'failed':
      if (storedFile !== null) await ctx.uploadFiles.remove(storedFile)
      throw failed === 0
        ? invalid({ file: problem }, problem)
        : new AppError('invalid', problem, {
            fields: { file: problem },
            hint: `To see them: GET /subscriber/rejectedrows/${id}`,
          })
    case 'cancelled':
      throw conflict(`The import was cancelled. ${soFar}`, {
        hint: `To undo it: POST /subscriber/undoimport/${id}`,
      })
    case 'waiting':
      throw new AppError('unavailable', `${problem}. ${soFar}`, {
        hint: `It is retried automatically: GET /subscriber/import/${id}`,
      })
    default:
      throw new AppError('unavailable', `${problem}. ${soFar}`, {
        hint: `It can be resumed in the browser, ended (POST /subscriber/stopimport/${id}) or undone (POST /subscriber/undoimport/${id}).`,
      })
  }
}

/** The response to a dry run. Its upload is cancelled and its preview deleted. */
async function previewOf(ctx: AppContext, task: Task): Promise<FileImport> {
  const { id, preview } = await uploadById(ctx, task.subjectId)
  if (task.state === 'waiting') await ctx.db.transaction(() => cancelTask(ctx, checkHandler, task))
  await Uploads.update(ctx, { id }, { draft: 'cancelled', preview: null })
  const problem = task.problem ?? 'The check was ended'
  if (task.state === 'failed') throw invalid({ file: problem }, problem)
  if (!preview) throw new AppError('unavailable', problem, { hint: 'Nothing was changed. Send it again.' })
  const { rows, added, updated, unchanged, removed, repeated, failed, firstRejects } = preview
  return {
    uploadId: null,
    rows,
    added,
    updated,
    unchanged,
    removed,
    repeated,
    failed,
    rejected: firstRejects,
    skippedCells: preview.skippedCells ?? [],
  }
}

async function rejectsOf(ctx: AppContext, uploadId: number): Promise<PreviewReject[]> {
  const rows = await ctx.db.query<StoredProblems>(
    `SELECT line, column_name, value, reason, further FROM upload_rejects WHERE upload_id = :uploadId ORDER BY id LIMIT ${maxRejects}`,
    { uploadId },
  )
  return rows.flatMap(problemsOf)
}
