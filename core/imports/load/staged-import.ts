import type { Database } from '#core/database.ts'
import { AppError } from '#core/kernel/errors.ts'
import type { BulkConnection } from '#core/ports/bulk.ts'
import { expectLease } from '#core/tasks/lease.ts'
import type { ImportCursor } from '../upload-row.ts'
import { addCountsSql, type UploadCounts } from '../uploads.rows.ts'
import {
  addReaders,
  changeReaders,
  deriveMixedKeys,
  isConcurrentChange,
  markReadersChanged,
  removeReaders,
  withRetries,
} from './apply.ts'
import {
  compareRows,
  countKinds,
  everything,
  findRemoved,
  type LineRange,
  namesByNumber,
  type ReaderRange,
  type RowKind,
} from './compare.ts'
import { dropReaderIndexes } from './indexes.ts'
import { type LoadProgress, type LoadRun, type LoadWatcher, maxWriteMs } from './load-plan.ts'
import { deleteRejects, rejectByPlan, stagedRejects, storeRejects } from './plan-rejects.ts'
import { makeReferences } from './references.ts'
import type { EncodePlan } from './row-batch.ts'
import { fillStage, findRepeats, hasEarlyRepeats, openStage, skipEarlyEnds } from './stage.ts'

type Outcome = LoadProgress & { isFinished: boolean }

/** The upload that a run writes for, and the run. */
interface UploadRun {
  uploadId: number
  run: LoadRun<ImportCursor>
}

interface Load {
  work: BulkConnection
  db: Database
  plan: EncodePlan
  watcher: LoadWatcher
  progress: LoadProgress
}

/**
 * Add-and-combine and replace: the whole file is read into temporary tables, SQL determines what each row would do, and then it is written:
 * combining commits chunk by chunk with checkpoints, replacing in one transaction. Before that, nothing is changed, and a dry run ends there.
 */
export async function comparedLoad(
  db: Database,
  plan: EncodePlan,
  watcher: LoadWatcher,
  progress: LoadProgress,
): Promise<Outcome> {
  const work = await db.bulk.connect('stage_rows')
  const load: Load = { work, db, plan, watcher, progress }
  try {
    await openStage(work)
    const records = await fillStage(work, { ...plan, skip: 0 }, watcher)
    if (records === null) return { ...progress, isFinished: false }
    watcher.phase?.('comparing', records)
    // A resumed run has to find the repeats that the earlier one found, so the ends are checked.
    await findRepeats(work, plan, { checksEnds: plan.line !== undefined })
    if (plan.uploadId === null || !watcher.run) return await dryRunLoad(load, records)
    const uploadRun = { uploadId: plan.uploadId, run: watcher.run }
    return plan.mode === 'replace' ? await replace(load, uploadRun, records) : await combine(load, uploadRun, records)
  } finally {
    await work.close()
  }
}

async function count(work: BulkConnection, sql: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await work.all<{ number: number }>(sql, values)
  return Number(row?.number ?? 0)
}

/**
 * Reports rows whose BuyerId is unknown here and that are identified by something else: they are new readers, or were added by earlier runs, up to the
 * line `after`.
 */
async function reportForeignIds({ work, plan, watcher }: Load, after = 0): Promise<void> {
  if (!namesByNumber(plan)) return
  const addedBefore = `SELECT r.upload_line FROM readers r WHERE r.publication_id = ${plan.publicationId} AND r.upload_id = ${plan.uploadId}
    AND r.upload_line <= ${after}`
  const foreignIdRows = `FROM stage_rows s WHERE s.buyer_id IS NOT NULL
    AND (s.line IN (SELECT p.line FROM stage_plan p WHERE p.kind = 'new')${after > 0 ? ` OR s.line IN (${addedBefore})` : ''})`
  const number = await count(work, `SELECT count(*) AS number ${foreignIdRows}`)
  if (number === 0) return
  const rows = await work.all<{ line: number; buyer_id: number }>(
    `SELECT s.line, s.buyer_id ${foreignIdRows} ORDER BY s.line LIMIT 20`,
  )
  const cells = rows.map(({ line, buyer_id }) => ({ line: Number(line), value: String(buyer_id) }))
  watcher.skippedCells([
    { column: 'BuyerId', reason: 'is not the number of a reader of this publication', count: number, cells },
  ])
}

function addToProgress(
  progress: LoadProgress,
  counts: Record<RowKind, number>,
  more: { removed: number; failed: number; repeated: number },
) {
  progress.added += counts.new
  progress.updated += counts.changed
  progress.unchanged += counts.same
  progress.removed += more.removed
  progress.repeated += more.repeated + counts.repeated
  progress.failed += more.failed
}

/** What the load would do, from the same comparison as in a real run. */
async function dryRunLoad(load: Load, records: number): Promise<Outcome> {
  const { work, plan, watcher, progress } = load
  await compareFile(load, everything)
  const counts = await countKinds(work, everything)
  const removed = plan.mode === 'replace' && isReplacement(counts) ? await findRemoved(work, plan) : 0
  let failed = 0
  for await (const rejects of stagedRejects(work, everything.after, everything.upTo)) {
    failed += rejects.length
    watcher.rejected(rejects)
  }
  await reportForeignIds(load)
  const repeated = await count(work, 'SELECT count(*) AS number FROM stage_repeats')
  addToProgress(progress, counts, { removed, failed, repeated })
  progress.records = records
  watcher.settled({ ...progress })
  return { ...progress, isFinished: true }
}

/** The line after which a run of an earlier release stopped, which settled all records in the order of the file. */
async function lineOfRecord(work: BulkConnection, records: number): Promise<number> {
  if (records === 0) return 0
  const [row] = await work.all<{ line: number }>(
    `SELECT line FROM (SELECT line FROM stage_rows UNION ALL SELECT line FROM stage_rejects) records ORDER BY line LIMIT 1 OFFSET ${records - 1}`,
  )
  return Number(row?.line ?? everything.upTo)
}

/**
 * Chunk by chunk in the order of the file. When that is not the order of the readers, the known ones are changed first, in their own order, so that
 * each page of the table is touched once.
 */
async function combine(load: Load, uploadRun: UploadRun, total: number): Promise<Outcome> {
  const { work, db, plan, watcher, progress } = load
  const line = plan.line ?? (await lineOfRecord(work, plan.skip))
  const remainingLines = line === 0 ? everything : { ...everything, after: line }
  const isNumbered = await hasNumbers(work)
  if (!isNumbered && plan.line !== undefined) await removeFinishedRows(work, uploadRun.uploadId)
  await compareFile(load, remainingLines)
  const expected = await countKinds(work, remainingLines)
  await reportForeignIds(load, line)
  if (watcher.signal?.aborted) return { ...progress, isFinished: false }
  await dropReaderIndexes(db, plan.publicationId, expected.new + expected.changed)
  const chunkRows = db.bulk.sizes.changed
  const isByReader = !isNumbered && !(await isInOrder(work))
  if (isByReader && !(await updateMatched(load, uploadRun, remainingLines))) return { ...progress, isFinished: false }
  for (let { after } = remainingLines; ; ) {
    const [end] = await work.all<{ line: number | null; rows: number }>(
      `SELECT max(line) AS line, count(*) AS rows FROM (SELECT line FROM stage_rows WHERE line > ? ORDER BY line LIMIT ${chunkRows}) chunk`,
      [after],
    )
    const isLast = Number(end?.rows ?? 0) < chunkRows
    const range = { after, upTo: isLast ? everything.upTo : Number(end?.line) }
    const settled = await withRetries((isRetry) => combineChunk(load, uploadRun, range, isRetry))
    progress.records = isLast ? total : progress.records + settled.records
    addToProgress(progress, settled.counts, { ...settled, removed: 0 })
    watcher.settled({ ...progress })
    if (isLast) return { ...progress, isFinished: true }
    if (watcher.signal?.aborted) return { ...progress, isFinished: false }
    after = range.upTo
  }
}

/**
 * Whether rows name readers by Masthead's own number. Such a row can give its reader another reference, and a later comparison could then find that
 * the rows of the file name other readers than before: such a file is settled in the order of its lines, by the checkpoint's line.
 */
async function hasNumbers(work: BulkConnection): Promise<boolean> {
  return (await work.all('SELECT line FROM stage_rows WHERE buyer_id IS NOT NULL LIMIT 1')).length > 0
}

/** Whether the file has the readers it changes in the order of their numbers. */
async function isInOrder(work: BulkConnection): Promise<boolean> {
  const outOfOrder = await work.all(
    `SELECT reader_id FROM (
       SELECT reader_id, lag(reader_id) OVER (ORDER BY line) AS before FROM stage_plan WHERE kind = 'changed'
     ) changed WHERE reader_id < before LIMIT 1`,
  )
  return outOfOrder.length === 0
}

/**
 * Removes from the stage the rows whose readers an earlier run has changed, even if others changed them since. Rows that are repeated or rejected
 * remain, to be counted.
 */
async function removeFinishedRows(work: BulkConnection, uploadId: number): Promise<void> {
  const cleared = await count(
    work,
    `SELECT updated - (SELECT count(*) FROM reader_backups b WHERE b.upload_id = u.id AND b.kind = 'updated') AS number
     FROM uploads u WHERE u.id = ?`,
    [uploadId],
  )
  if (cleared > 0)
    throw new AppError('gone', 'This import stopped so long ago that its record of changed readers has been deleted', {
      hint: 'End it, and import the file again.',
    })
  await work.run(
    `DELETE FROM stage_rows WHERE unique_reference IN (SELECT b.unique_reference FROM reader_backups b WHERE b.upload_id = ? AND b.kind = 'updated')
       AND NOT EXISTS (SELECT 1 FROM stage_repeats x WHERE x.line = stage_rows.line)
       AND NOT EXISTS (SELECT 1 FROM stage_early e WHERE e.line = stage_rows.line)`,
    [uploadId],
  )
}

/**
 * Changes the known readers in the order of their numbers. Finished rows are removed from the stage. Rows of a chunk with a concurrently changed
 * reader remain there, and all remaining rows are compared again. Returns whether it finished.
 */
async function updateMatched(load: Load, uploadRun: UploadRun, remainingLines: LineRange): Promise<boolean> {
  const { work, db, watcher, progress } = load
  await gatherMatched(work)
  let hasConflict = false
  for (let after = 0; ; ) {
    const [end] = await work.all<{ reader: number | null; rows: number }>(
      `SELECT max(reader_id) AS reader, count(*) AS rows FROM (
         SELECT reader_id FROM stage_known WHERE reader_id > ? ORDER BY reader_id LIMIT ${db.bulk.sizes.changed}) chunk`,
      [after],
    )
    const changed = Number(end?.rows ?? 0)
    if (changed === 0) break
    const range: ReaderRange = { by: 'reader', after, upTo: Number(end?.reader) }
    try {
      await changeChunk(load, uploadRun, range, { changed, line: remainingLines.after })
      progress.records += changed
      progress.updated += changed
      watcher.settled({ ...progress })
    } catch (error) {
      if (!isConcurrentChange(error)) throw error
      hasConflict = true
      await work.run('DELETE FROM stage_known WHERE reader_id > ? AND reader_id <= ?', [range.after, range.upTo])
    }
    if (watcher.signal?.aborted) return false
    after = range.upTo
  }
  for (const table of ['stage_rows', 'stage_plan'])
    await work.run(`DELETE FROM ${table} WHERE line IN (SELECT line FROM stage_known)`)
  await work.run('DROP TABLE stage_known')
  if (hasConflict) await compareAgain(load, remainingLines)
  return true
}

/** Collects the rows that change a reader, in the order of the readers: looking rows up by line would cost as much as looking up the readers. */
async function gatherMatched(work: BulkConnection): Promise<void> {
  await work.run(
    `CREATE TEMP TABLE stage_known AS
     SELECT s.*, p.reader_id, p.version, p.kind, p.keys_from, p.is_term FROM stage_plan p JOIN stage_rows s ON s.line = p.line
     WHERE p.kind = 'changed' ORDER BY p.reader_id`,
  )
  await work.run('CREATE UNIQUE INDEX stage_known_reader ON stage_known (reader_id)')
  if (work.dialect === 'postgres') await work.run('ANALYZE stage_known')
}

async function changeChunk(
  { work, plan, progress }: Load,
  uploadRun: UploadRun,
  range: ReaderRange,
  { changed, line }: { changed: number; line: number },
): Promise<void> {
  await deriveMixedKeys(work, plan, range)
  await work.write(async () => {
    await changeReaders(work, plan, range, changed)
    const counts = { added: 0, updated: changed, unchanged: 0, removed: 0, repeated: 0, failed: 0 }
    await settle(work, uploadRun, { records: progress.records + changed, line }, counts)
    await markReadersChanged(work, plan.publicationId)
  })
}

/** Compares the rows that a run still has to settle, before it writes any. */
async function compareFile(load: Load, range: LineRange): Promise<void> {
  const { work, plan } = load
  await compare(load, range)
  if (plan.line !== undefined || !(await hasEarlyRepeats(work, plan))) return
  await findRepeats(work, plan, { checksEnds: true })
  await compare(load, range)
}

/** Determines for each row of the range what it would do; called again after the readers changed, when a rejected row may be valid. */
async function compare({ work, plan }: Load, range: LineRange): Promise<void> {
  const within = `line > ${range.after} AND line <= ${range.upTo}`
  await work.run(`DELETE FROM stage_rejects WHERE ${within} AND line IN (SELECT line FROM stage_rows WHERE ${within})`)
  await compareRows(work, plan, range)
  await rejectByPlan(work, plan, range)
}

/**
 * Compares the remaining rows again after others have changed readers. Repeats are not found again: the rows of finished readers are no
 * longer in the stage, and an earlier one would look as if it were the only one.
 */
async function compareAgain(load: Load, range: LineRange): Promise<void> {
  const { work, plan } = load
  await compare(load, range)
  if (!(await hasEarlyRepeats(work, plan))) return
  await skipEarlyEnds(work, plan, range)
  await compare(load, range)
}

async function combineChunk(load: Load, uploadRun: UploadRun, range: LineRange, isRetry: boolean) {
  const { work, db, plan, progress } = load
  if (isRetry) await compareAgain(load, range)
  const counts = await countKinds(work, range)
  await makeReferences(work, db, plan, range)
  await deriveMixedKeys(work, plan, range)
  const within = `line > ${range.after} AND line <= ${range.upTo}`
  const repeated = await count(work, `SELECT count(*) AS number FROM stage_repeats WHERE ${within}`)
  const rows = await count(work, `SELECT count(*) AS number FROM stage_rows WHERE ${within}`)
  const recordsBefore = progress.records
  return work.write(async () => {
    await changeReaders(work, plan, range, counts.changed)
    await addReaders(work, plan, range, counts.new)
    const failed = await storeRejects(work, uploadRun.uploadId, range.after, range.upTo)
    // A row that the comparison rejected is both in the stage and among the rejects.
    const records = rows + failed - counts.unknown - counts['ends-early'] - counts.taken
    await settle(
      work,
      uploadRun,
      { records: recordsBefore + records, line: range.upTo },
      { ...countsOf(counts), removed: 0, repeated: repeated + counts.repeated, failed },
    )
    if (counts.new + counts.changed > 0) await markReadersChanged(work, plan.publicationId)
    return { counts, records, repeated, failed }
  })
}

function countsOf(counts: Record<RowKind, number>): Pick<UploadCounts, 'added' | 'updated' | 'unchanged'> {
  return { added: counts.new, updated: counts.changed, unchanged: counts.same }
}

/** Writes the counts of a commit, and the checkpoint, which is refused when another run has taken the import over. */
async function settle(
  work: BulkConnection,
  { uploadId, run }: UploadRun,
  cursor: ImportCursor,
  counts: UploadCounts,
): Promise<void> {
  const checkpoint = run.checkpointSql({ cursor, phase: 'writing', done: cursor.records })
  expectLease(await work.run(checkpoint.sql, checkpoint.values))
  const { sql, values } = addCountsSql(uploadId, counts)
  await work.run(sql, values)
}

/** A file without a single valid row replaces nobody. */
function isReplacement(counts: Record<RowKind, number>): boolean {
  return counts.new + counts.changed + counts.same > 0
}

async function replace(load: Load, uploadRun: UploadRun, records: number): Promise<Outcome> {
  const { work, db, plan, watcher, progress } = load
  const outcome = await withRetries(async (isRetry) => {
    await compare(load, everything)
    const counts = await countKinds(work, everything)
    if (!isRetry) await reportForeignIds(load)
    const removed = await findRemoved(work, plan)
    await makeReferences(work, db, plan, everything)
    // The last chance to stop: small files are written within one heartbeat.
    await uploadRun.run.extendLease(maxWriteMs)
    if (watcher.signal?.aborted) return null
    const failed = await count(work, 'SELECT count(*) AS number FROM stage_rejects')
    const repeated = await count(work, 'SELECT count(*) AS number FROM stage_repeats')
    if (!isReplacement(counts)) {
      await work.write(async () => {
        const replacedRejects = await replaceRejects(work, uploadRun.uploadId)
        const rejected = { ...countsOf(counts), removed: 0, repeated: 0, failed: failed - replacedRejects }
        const { sql, values } = addCountsSql(uploadRun.uploadId, rejected)
        await work.run(sql, values)
      })
      throw new AppError('invalid', 'No row of the file can be imported, so nothing was replaced', {
        hint: `The rejected rows of import ${uploadRun.uploadId} say why; correct the file and upload it again.`,
      })
    }
    const touched = counts.new + counts.changed + removed
    await dropReaderIndexes(db, plan.publicationId, touched)
    watcher.phase?.('writing', 0)
    return work.write(async () => {
      await removeReaders(work, plan, removed)
      await changeReaders(work, plan, everything, counts.changed)
      await addReaders(work, plan, everything, counts.new)
      const replacedRejects = await replaceRejects(work, uploadRun.uploadId)
      await settle(
        work,
        uploadRun,
        { records },
        { ...countsOf(counts), removed, repeated: repeated + counts.repeated, failed: failed - replacedRejects },
      )
      if (touched > 0) await markReadersChanged(work, plan.publicationId)
      return { counts, removed, failed, repeated }
    })
  })
  if (!outcome) return { ...progress, isFinished: false }
  addToProgress(progress, outcome.counts, outcome)
  progress.records = records
  watcher.settled({ ...progress })
  return { ...progress, isFinished: true }
}

/**
 * Stores the rejects of the whole file. A run that found no valid row commits its rejects before it ends its task; if it was killed in between, they are
 * replaced. Returns how many were replaced.
 */
async function replaceRejects(work: BulkConnection, uploadId: number): Promise<number> {
  const replacedRejects = await deleteRejects(work, uploadId)
  await storeRejects(work, uploadId, everything.after, everything.upTo)
  return replacedRejects
}
