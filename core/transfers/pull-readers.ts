import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { addUpload, importTask, lastReplacement, type NewImport, uploadsOf } from '../imports/begin-import.ts'
import { columnsOfHeader, dryRunImport } from '../imports/dry-run-import.ts'
import { differenceTexts } from '../imports/file-format.input.ts'
import { fileTooLarge } from '../imports/file-too-large.ts'
import { inspectUpload } from '../imports/inspect-upload.ts'
import { mapHeader } from '../imports/map-header.rules.ts'
import { refuseSecondUpload } from '../imports/open-upload.ts'
import { importHandler } from '../imports/run-import.ts'
import { storeFile } from '../imports/store-file.ts'
import { inspectForImport } from '../imports/store-upload.ts'
import { busyWith, type ImportCursor, type Upload, uploadById } from '../imports/upload-row.ts'
import { AppError, invalid, isAppError, isRetryable, toAppError } from '../kernel/errors.ts'
import { countOf } from '../kernel/text-format.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { isLeaseLost, isLeaseLostError } from '../tasks/lease.ts'
import { runInline } from '../tasks/run-task.ts'
import { resumeInline, startInline, takeLease } from '../tasks/start-task.ts'
import type { Task, TaskHandler, TaskRun, TaskSession } from '../tasks/task.ts'
import { taskEnd } from '../tasks/task-end.ts'
import { recordRunEnd, runOfTask } from './run-of-task.ts'
import type { TransferFileState } from './transfer-file-labels.rules.ts'
import { importingFiles, lastFetched, TransferFiles, wasImported } from './transfer-runs.rows.ts'
import { openSource, type SourceFile, type TransferSource } from './transfer-source.ts'
import type { Transfer } from './transfers.rows.ts'

/**
 * Fetches the files that wait on a server, one by one, and imports each. A run whose process died starts over: imported files are
 * recognised by their hash, and an import that had begun is completed first.
 */
export const pullReadersHandler: TaskHandler = {
  transactions: 'own',
  async open(ctx, run): Promise<TaskSession> {
    const { runId, transfer } = await runOfTask(ctx, run.task)
    await completeStartedImports(ctx, run, transfer)
    const source = await openSource(ctx, transfer, run.signal)
    const waiting = [...source.files]
    const current: CurrentRun = { ctx, run, runId, transfer, source }
    return {
      async step() {
        const file = waiting.shift()
        if (file) await importFile(current, file)
        run.reportProgress({ done: source.files.length - waiting.length, total: source.files.length })
        // A stopped run is not done, even in its last file: the engine ends it before the next step.
        return { isLast: waiting.length === 0 && !run.signal.aborted }
      },
      close: async () => source.close(),
    }
  },
  finish: recordRunEnd,
}

interface CurrentRun {
  ctx: AppContext
  run: TaskRun
  runId: number
  transfer: Transfer
  source: TransferSource
}

/** Imports one file and stores its outcome. Throws for a transient error: the run is retried. */
async function importFile(current: CurrentRun, file: SourceFile): Promise<void> {
  const { ctx, source, transfer } = current
  if (file.isGrowing) return recordFile(current, file, { state: 'growing' })
  let path: string | undefined
  try {
    const { uploadMaxBytes } = ctx.settings
    if (file.bytes !== null && file.bytes > uploadMaxBytes) throw fileTooLarge(uploadMaxBytes)
    const stored = await storeOnDisk(current, file)
    path = stored.path
    if (!(await source.isWhole(file, stored.bytes))) return await recordFile(current, file, { state: 'growing' })
    const inspected = await inspectUpload(stored.path, file.name)
    const newImport = await planImport(current, file, inspected)
    if (newImport === null) {
      const isLeft = !(await source.moveAway(file))
      return await recordFile(current, file, { state: 'repeated', sha256: inspected.sha256, isLeft })
    }
    const started = await beginImport(current, file, newImport)
    // From here on the file belongs to the import.
    path = undefined
    await finishImport(ctx, current.run, started)
    const { state } = (await TransferFiles.find(ctx, { id: started.fileId })) ?? {}
    if (state === 'imported' && (await source.moveAway(file)))
      await TransferFiles.update(ctx, { id: started.fileId }, { isLeft: false })
  } catch (error) {
    if (current.run.signal.aborted || isRetryable(error) || isLeaseLostError(error)) throw error
    ctx.log.warn({ error, transfer: transfer.id }, 'a file of a transfer was not imported')
    await recordFile(current, file, { state: 'failed', problem: messageOf(error) })
  } finally {
    if (path !== undefined) await ctx.uploadFiles.remove(path)
  }
}

/** Stores the file on disk. If other uploads leave no room for it, the run is retried. */
async function storeOnDisk(
  { ctx, transfer, source }: CurrentRun,
  file: SourceFile,
): Promise<{ path: string; bytes: number }> {
  return storeFile(ctx, transfer.publisherId, {
    chunks: source.read(file),
    announcedBytes: file.bytes ?? undefined,
  }).catch((error: unknown) => {
    throw isAppError(error) && error.kind === 'conflict' ? new AppError('unavailable', messageOf(error)) : error
  })
}

/**
 * How a file is imported; null for one that was imported before. Throws `invalid` for one that needs a decision by staff: its columns are not
 * known, or a replacement would remove too many.
 */
async function planImport(
  { ctx, run, transfer }: CurrentRun,
  { name }: SourceFile,
  file: InspectedFile,
): Promise<NewImport | null> {
  const publication = await ownPublication(ctx, { id: transfer.publicationId })
  const { importMode: mode, lenient, maxRemovedPercent } = transfer
  const destination = { publication, mode, target: 'all', file } as const
  if (await isRepeated(ctx, transfer, destination)) return null
  if (file.doubt)
    throw invalid(
      { file: file.doubt.problem },
      `${[file.doubt.problem, ...differenceTexts(file.doubt)].join('; ')}. Import it by hand once, and have it sent in UTF-8.`,
    )
  const inspection = await inspectForImport(ctx, publication.id, file, mode)
  if (inspection.mappedBy === 'guess') {
    const { problems } = mapHeader(file.header, mode)
    throw invalid(
      { file: 'Its columns are not known' },
      `Its columns are not known: ${problems.join('; ')}. Upload it by hand once into ${publication.publicationName} and match its columns: files with the same columns, in any order, are then read the same way.`,
    )
  }
  const columns = columnsOfHeader(file, name, mode, inspection.mapping)
  if (mode === 'replace') {
    const { removed, rows, failed, state } = await dryRunImport(ctx, {
      ...destination,
      columns,
      lenient,
      signal: run.signal,
    })
    if (state !== 'done') throw new AppError('unavailable', 'Stopped on request')
    if (failed === rows)
      throw invalid(
        { file: 'No row of the file can be imported' },
        'No row of the file can be imported, so nothing was replaced. Check the file; upload it by hand to see what is wrong with each row.',
      )
    const [{ readers = 0 } = {}] = await ctx.db.query<{ readers: number }>(
      `SELECT COUNT(*) AS readers FROM readers WHERE publication_id = :id`,
      { id: publication.id },
    )
    if (removed * 100 > Number(readers) * maxRemovedPercent)
      throw invalid(
        { file: 'It would remove too many readers' },
        `It would remove ${countOf(removed, 'reader')} of ${countOf(Number(readers), 'reader')}, more than ${maxRemovedPercent}%. Check the file; if it is right, upload it by hand.`,
      )
  }
  return { ...destination, fileName: name, columns, lenient }
}

/**
 * Whether a file was imported before, by the transfer or by hand. An import that was undone does not count; for a replacement, which may bring back
 * an earlier list, only the last one counts.
 */
async function isRepeated(
  ctx: AppContext,
  { id, protocol }: Transfer,
  destination: Pick<NewImport, 'publication' | 'mode' | 'target' | 'file'>,
): Promise<boolean> {
  const { publication, mode, target, file } = destination
  // A file stays at its web address: after staff undid or replaced its import, it would be imported again every night.
  if (protocol === 'https' && (await lastFetched(ctx, id))?.sha256 === file.sha256) return true
  if (mode === 'replace') {
    const last = await lastReplacement(ctx, publication.id)
    return last?.sha256 === file.sha256 && last.target === target
  }
  if (await wasImported(ctx, id, file.sha256)) return true
  return (await uploadsOf(ctx, destination)).some(({ state }) => state === 'done')
}

interface StartedImport {
  fileId: number
  task: Task<ImportCursor>
  file?: InspectedFile
}

/** Begins the import of a file. Upload, task and log entry are written in one transaction: a run that starts over finds all of them or none. */
async function beginImport(
  { ctx, runId, transfer, run }: CurrentRun,
  file: SourceFile,
  newImport: NewImport,
): Promise<StartedImport> {
  const { publication } = newImport
  try {
    return await ctx.db.transaction(async () => {
      await run.checkpoint({})
      await refuseSecondUpload(ctx, publication.id)
      const uploadId = await addUpload(ctx, newImport, { fileHost: null, draft: null })
      const subject = { type: 'upload', id: uploadId, publisherId: publication.publisherId } as const
      await recordAudit(ctx, 'store-upload', subject, { mode: newImport.mode, bytes: newImport.file.bytes })
      const task = await startInline<ImportCursor>(ctx, 'import-readers', {
        ...importTask(ctx, { id: uploadId, publicationId: publication.id, publisherId: publication.publisherId }),
        total: Math.max(newImport.file.lines - 1, 0),
      })
      const fileId = await TransferFiles.insert(ctx, {
        runId,
        transferId: transfer.id,
        name: file.name,
        version: file.version,
        uploadId,
        at: ctx.now(),
        bytes: newImport.file.bytes,
        sha256: newImport.file.sha256,
        state: 'importing',
      })
      return { fileId, task, file: newImport.file }
    })
  } catch (error) {
    // Another upload of the publication is in progress: the run is retried.
    if (isAppError(error) && error.kind === 'conflict' && !isLeaseLostError(error))
      throw new AppError('unavailable', messageOf(error))
    throw error
  }
}

/** Runs an import that has begun, and stores its outcome. */
async function finishImport(ctx: AppContext, run: TaskRun, { fileId, task, file }: StartedImport): Promise<void> {
  try {
    await runInline(ctx, importHandler(file ? { file } : {}), task, run.signal)
  } catch (error) {
    if (run.signal.aborted || isRetryable(error)) throw error
  }
  if (run.signal.aborted) return
  await recordEnd(ctx, fileId, await uploadById(ctx, task.subjectId))
}

async function recordEnd(ctx: AppContext, fileId: number, upload: Upload): Promise<void> {
  const { state, added, updated, failed } = upload
  const rows = upload.import?.cursor?.records ?? 0
  const setOutcome = (outcome: TransferFileState, problem: string | null) =>
    TransferFiles.update(
      ctx,
      { id: fileId },
      {
        state: outcome,
        readers: added + updated,
        problem: problem?.slice(0, 500) ?? null,
        isLeft: outcome === 'imported',
      },
    )
  if (state !== 'done') await setOutcome('failed', upload.import?.problem ?? `The import was ${state}`)
  else if (rows > 0 && failed === rows) await setOutcome('failed', 'No row could be imported: see the rejected rows')
  else await setOutcome('imported', failed === 0 ? null : `${countOf(failed, 'row')} rejected`)
}

/** Completes imports that an earlier run had begun, or waits for a worker that runs one. */
async function completeStartedImports(ctx: AppContext, run: TaskRun, transfer: Transfer): Promise<void> {
  for (const { id: fileId, uploadId } of await importingFiles(ctx, transfer.id)) {
    const { import: task } = await uploadById(ctx, uploadId)
    if (task?.state === 'running' && !isLeaseLost(ctx, task)) await taskEnd(ctx, task.id, run.signal)
    const upload = await uploadById(ctx, uploadId)
    const claimed = upload.import && (await claim(ctx, upload.import))
    if (claimed) await finishImport(ctx, run, { fileId, task: claimed })
    else if (upload.state === 'waiting' || upload.state === 'running')
      throw new AppError('unavailable', `The import of ${upload.fileName} is still running`)
    else await recordEnd(ctx, fileId, upload)
  }
}

/** Takes over an import that no process runs; null for one that has ended, or that another process took first. */
async function claim(ctx: AppContext, task: Task<ImportCursor>): Promise<Task<ImportCursor> | null> {
  if (task.state === 'waiting') return ctx.db.transaction(() => takeLease<ImportCursor>(ctx, task))
  if (task.state !== 'interrupted' && !isLeaseLost(ctx, task)) return null
  return resumeInline(ctx, task, (holder) => busyWith(ctx, holder))
}

interface FileOutcome {
  state: TransferFileState
  sha256?: string
  isLeft?: boolean
  problem?: string
}

async function recordFile({ ctx, runId, transfer }: CurrentRun, file: SourceFile, outcome: FileOutcome): Promise<void> {
  const { name, bytes, version } = file
  await TransferFiles.insert(ctx, {
    runId,
    transferId: transfer.id,
    name,
    bytes: bytes ?? 0,
    version,
    at: ctx.now(),
    ...outcome,
    problem: outcome.problem?.slice(0, 500) ?? null,
  })
}

function messageOf(error: unknown): string {
  const { message, hint } = toAppError(error)
  return [message, hint].filter(Boolean).join('. ')
}
