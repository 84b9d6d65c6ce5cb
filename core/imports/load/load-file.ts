import type { Database } from '#core/database.ts'
import { openPostgresLoad } from './add-on-postgres.ts'
import { openSqliteLoad } from './add-on-sqlite.ts'
import { openDryRun } from './dry-run.ts'
import { dropReaderIndexes, ensureReaderIndexes, finishLoad } from './indexes.ts'
import type { ReaderLoad } from './load.ts'
import { type LoadPlan, type LoadProgress, type LoadWatcher, maxWriteMs } from './load-plan.ts'
import type { EncodePlan } from './row-batch.ts'
import { expectUnchanged, rowBatches } from './row-batches.ts'
import { comparedLoad } from './staged-import.ts'
import { loadFailure } from './store-failure.ts'

/**
 * Imports the file's readers by the plan's mode. Adding and combining commit chunk by chunk, each with the checkpoint of its task; replacing
 * commits once. An abort ends it after a commit, or before the only commit of a replacement. Counts are those of this run.
 */
export function loadFile(
  db: Database,
  plan: LoadPlan,
  watcher: LoadWatcher,
): Promise<LoadProgress & { isFinished: boolean }> {
  return plan.uploadId === null ? load(db, plan, watcher) : withIndexes(db, plan, watcher)
}

/** Runs a big load without the key indexes and has them built afterwards, also when it fails. */
async function withIndexes(
  db: Database,
  plan: LoadPlan,
  watcher: LoadWatcher,
): Promise<LoadProgress & { isFinished: boolean }> {
  // The other modes know only after comparing how many readers they will write.
  if (plan.mode === 'add') await dropReaderIndexes(db, plan.publicationId, plan.file.lines)
  let outcome: LoadProgress & { isFinished: boolean }
  try {
    outcome = await load(db, plan, watcher)
  } catch (error) {
    // The error of the load is the one to report; missing indexes are built at the next start.
    await watcher.run?.extendLease(maxWriteMs).catch(() => {})
    await ensureReaderIndexes(db).catch(() => {})
    throw error
  }
  try {
    const { added, updated, removed, failed } = outcome
    await watcher.run?.extendLease(maxWriteMs)
    await finishLoad(db, added + updated + removed + failed)
    return outcome
  } catch (error) {
    throw loadFailure(db, error, outcome)
  }
}

function openLoad(db: Database, plan: EncodePlan, { run }: LoadWatcher): Promise<ReaderLoad> {
  if (plan.uploadId === null || !run) return openDryRun(db, plan)
  const open = db.dialect === 'sqlite' ? openSqliteLoad : openPostgresLoad
  return open(db, plan, { uploadId: plan.uploadId, run })
}

async function load(
  db: Database,
  plan: LoadPlan,
  watcher: LoadWatcher,
): Promise<LoadProgress & { isFinished: boolean }> {
  const encodePlan: EncodePlan = { ...plan, dialect: db.dialect }
  const progress = { records: plan.skip, added: 0, updated: 0, unchanged: 0, removed: 0, repeated: 0, failed: 0 }
  try {
    if (plan.mode !== 'add') return await comparedLoad(db, encodePlan, watcher, progress)
    const readerLoad = await openLoad(db, encodePlan, watcher)
    try {
      let records = plan.skip
      let uncommitted = 0
      const settle = async () => {
        // Before the commit: if the file was replaced, its rows are rolled back.
        await expectUnchanged(plan.file)
        const { added, rejects } = await readerLoad.settle(records)
        progress.records = records
        progress.added += added
        progress.failed += rejects.length
        uncommitted = 0
        watcher.rejected(rejects)
        watcher.settled({ ...progress })
      }
      for await (const batch of rowBatches(encodePlan)) {
        await readerLoad.add(batch)
        if (batch.skippedCells.length > 0) watcher.skippedCells(batch.skippedCells)
        records = batch.records
        uncommitted += batch.rows + batch.rejects.length
        if (uncommitted >= readerLoad.chunkRows) await settle()
        if (watcher.signal?.aborted) {
          if (uncommitted > 0) await settle()
          return { ...progress, isFinished: false }
        }
      }
      await settle()
      return { ...progress, isFinished: true }
    } finally {
      await readerLoad.close()
    }
  } catch (error) {
    throw loadFailure(db, error, progress)
  }
}
