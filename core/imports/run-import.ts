import { publisherSettings } from '../accounts/publisher-settings.query.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { AppError, conflict } from '../kernel/errors.ts'
import type { InspectedFile } from '../ports/upload-files.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { homeCountryOf } from '../readers/home-country.query.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { recheckPostCodes } from '../readers/recheck-post-codes.ts'
import { rekeyPublication } from '../readers/rekey-home-readers.ts'
import type { Task, TaskHandler, TaskRun, TaskSession } from '../tasks/task.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { storedFileOf } from './check-upload.ts'
import { columnsOfHeader, secondsSince } from './dry-run-import.ts'
import type { ImportProgress } from './import-report.ts'
import { inspectFile } from './load/inspect-file.ts'
import { loadFile } from './load/load-file.ts'
import type { LoadPlan, LoadProgress } from './load/load-plan.ts'
import { addSkippedCells, type SkippedCells } from './skipped-cells.rules.ts'
import { type ImportCursor, type Upload, uploadById } from './upload-row.ts'
import { addSeconds, clearSampledContent, Uploads } from './uploads.rows.ts'

/** What the command line adds to the task: the inspected file, and a progress callback. */
interface InlineOptions {
  file?: InspectedFile
  onProgress?: ((progress: ImportProgress) => void) | undefined
}

/**
 * Imports the readers of an upload's file. Adding and combining commit chunk by chunk, each with its checkpoint, and resume from the last one;
 * replacing commits once and changes nothing before.
 */
export function importHandler(inline: InlineOptions = {}): TaskHandler<ImportCursor> {
  return {
    transactions: 'own',
    open: (ctx, run) => openImport(ctx, run, inline),
    async canTakeOver(ctx, task) {
      const { storedFile } = await uploadById(ctx, task.subjectId)
      return storedFile !== null && (await ctx.uploadFiles.isKept(storedFile))
    },
    finish: recordEnd,
    async cleanUp(ctx, { subjectId, state }) {
      // The file of an import that failed before it changed a reader is kept for a day: its columns may be chosen again.
      const { storedFile } = await uploadById(ctx, subjectId)
      if (state !== 'failed' && storedFile !== null) await ctx.uploadFiles.remove(storedFile)
    },
  }
}

async function openImport(
  ctx: AppContext,
  run: TaskRun<ImportCursor>,
  { onProgress, ...inline }: InlineOptions,
): Promise<TaskSession<ImportCursor>> {
  const upload = await uploadById(ctx, run.task.subjectId)
  const file = inline.file ?? (await fileOf(ctx, upload))
  const plan = await planOf(ctx, upload, file)
  const totalRows = Math.max(file.lines - 1, 0)
  const skippedCells: SkippedCells[] = []
  const reportProgress = (phase: ImportProgress['phase'], rows: number, rejected: number) => {
    const total = Math.max(totalRows, rows)
    run.reportProgress({ phase, done: rows, total })
    onProgress?.({ phase, rows, totalRows: total, rejected })
  }
  async function load(): Promise<LoadProgress & { isFinished: boolean }> {
    // A replacement that was killed after its only commit just has to report it.
    if (plan.mode === 'replace' && plan.skip > 0) return { ...zeroCounts, records: plan.skip, isFinished: true }
    return loadFile(ctx.db, plan, {
      skippedCells: (cells) => addSkippedCells(skippedCells, cells),
      run,
      signal: run.signal,
      rejected() {},
      settled: ({ records, failed }) => reportProgress('writing', records, upload.failed + failed),
      phase: (phase, rows) => reportProgress(phase, rows, upload.failed),
    })
  }
  async function recheckWritten(): Promise<void> {
    const { publicationId } = upload
    const isSameCountry = (await homeCountryOf(ctx, publicationId)) === plan.homeCountry
    // The job that recomputes the readers' keys for the new country may already be past the readers that this run has written.
    if (isSameCountry) await recheckPostCodes(ctx.db, { publicationId })
    else await rekeyPublication(ctx, publicationId)
  }
  return {
    async step() {
      const started = performance.now()
      reportProgress(plan.mode === 'add' ? 'writing' : 'reading', plan.mode === 'add' ? plan.skip : 0, upload.failed)
      // Imported readers are checked against the publication's postcode file, if any, before the import is reported as done. Those that a failed
      // run has committed are checked too: it may never be resumed.
      const { records, isFinished, added, updated } = await load().catch(async (error: unknown) => {
        await recheckWritten().catch(() => {})
        throw error
      })
      if (added + updated + upload.added + upload.updated > 0) await recheckWritten()
      await ctx.db.transaction(async () => {
        await run.checkpoint({
          phase: null,
          done: records,
          ...(isFinished ? { total: records } : {}),
        })
        await addSeconds(ctx, upload.id, secondsSince(started))
        // Counted from the beginning of the file in each run.
        if (skippedCells.length > 0) await Uploads.update(ctx, { id: upload.id }, { skippedCells })
      })
      return { isLast: isFinished }
    },
  }
}

const zeroCounts = { added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0, failed: 0 }

/** The file of an upload, unchanged since its import began. Throws when this machine does not have it, or has a different file of that name. */
async function fileOf(ctx: AppContext, upload: Upload): Promise<InspectedFile> {
  const path = storedFileOf(upload)
  if (!(await ctx.uploadFiles.exists(path)))
    throw new AppError('gone', `The file "${upload.fileName}" is not on this machine`, {
      hint: upload.fileHost === null ? 'Upload it again.' : `Resume it on ${upload.fileHost}, where it was started.`,
    })
  const file = await inspectFile(path, upload)
  expectSameFile(upload, file)
  return file
}

/** Throws when a file is not the one that an import began with. */
export function expectSameFile(upload: Pick<Upload, 'fileName' | 'sha256'>, file: Pick<InspectedFile, 'sha256'>): void {
  if (file.sha256 === upload.sha256) return
  throw conflict(`The file "${upload.fileName}" has changed since its import began`, {
    hint: 'Restore the file, or end this import and begin a new one.',
  })
}

async function planOf(ctx: AppContext, upload: Upload, file: InspectedFile): Promise<LoadPlan> {
  const publication = await ownPublication(ctx, { id: upload.publicationId })
  return {
    mode: upload.kind,
    target: upload.target,
    publicationId: publication.id,
    publicationName: publication.publicationName,
    uploadId: upload.id,
    file,
    lenient: upload.mapping.lenient ?? upload.request?.lenient ?? false,
    columns: upload.mapping.columns ?? columnsOfHeader(file, upload.fileName, upload.kind, upload.request?.mapping),
    ...(await publisherSettings(ctx, publication.publisherId)),
    skip: upload.import?.cursor?.records ?? 0,
    line: upload.import?.cursor?.line,
    modifiedBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    actorKind: ctx.actor.kind,
    newestReaderId: upload.mapping.newestReaderId ?? Number.MAX_SAFE_INTEGER,
    now: ctx.now(),
    today: dayOf(ctx.now(), ctx.settings.timeZone),
  }
}

/** Records the end in the activity log and queues its webhook, except for an import that failed or never ran. */
async function recordEnd(ctx: AppContext, task: Task<ImportCursor>): Promise<void> {
  const { id, kind: mode, target, publisherId, publicationId, ...upload } = await uploadById(ctx, task.subjectId)
  if (task.state === 'cancelled') await clearSampledContent(ctx, id)
  // A run that was killed has not checked the postcodes of the readers it wrote, and nobody resumes it.
  if (task.state === 'cancelled' && task.cursor !== null)
    await ctx.jobs.enqueue('rekey-home-readers', { publisherId }, { publisherId })
  if (task.state === 'failed' || task.startedAt === null) return
  const { added, updated, unchanged, removed, repeated, failed } = upload
  await recordAudit(
    ctx,
    'import-readers',
    { type: 'upload', id, publisherId },
    {
      mode,
      ...(mode === 'replace' ? { target } : {}),
      rows: task.cursor?.records ?? 0,
      added,
      updated,
      unchanged,
      removed,
      repeated,
      failed,
      ...(task.problem ? { problem: task.problem } : {}),
    },
  )
  await queueWebhooks(ctx, publicationId, {
    type: 'import.done',
    data: { importId: id, state: task.state, added, changed: updated, removed },
  })
  await readersChanged(ctx.db, publicationId)
}
