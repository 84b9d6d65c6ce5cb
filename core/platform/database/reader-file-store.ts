import { hostname } from 'node:os'
import type { Database } from '#core/database.ts'
import type { LoadPlan, LoadProgress, LoadWatcher, ReaderFileStore } from '#core/reader-files/reader-file-store.ts'
import { inspectFile } from '../reader-files/inspect-file.ts'
import type { EncodePlan } from '../reader-files/row-batch.ts'
import { rowBatches } from '../reader-files/row-batches.ts'
import { comparedLoad } from './reader-compared-load.ts'
import { openDryRun } from './reader-dry-run.ts'
import { countLines, exportLines } from './reader-export.ts'
import { dropReaderIndexes, ensureReaderIndexes, refreshReaderStatistics } from './reader-indexes.ts'
import { openPostgresLoad } from './reader-load-postgres.ts'
import { openSqliteLoad } from './reader-load-sqlite.ts'
import { mailingRows } from './reader-mailing.ts'
import { loadFailure } from './reader-store-failure.ts'
import { countUndo, undoImport } from './reader-undo.ts'

/** The bulk paths of reader files on a database. */
export function makeReaderFileStore(db: Database): ReaderFileStore {
  return {
    inspect: inspectFile,
    load: (plan, watcher) => (plan.uploadId === null ? load(db, plan, watcher) : withIndexes(db, plan, watcher)),
    undo: (plan, watcher) => undoImport(db, plan, watcher),
    countUndo: (plan) => countUndo(db, plan),
    owner: () => `${hostname()} ${process.pid}`,
    isOwnerGone,
    countLines: (plan) => countLines(db, plan),
    exportLines: (plan) => exportLines(db, plan),
    mailingRows: (plan, tally) => mailingRows(db, plan, tally),
  }
}

/** Only a process of this machine can be asked for; any other owner is believed until its lock runs out. */
function isOwnerGone(owner: string): boolean {
  const [host, pid] = owner.split(' ')
  if (host !== hostname() || !pid) return false
  try {
    process.kill(Number(pid), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** A big load goes without the key indexes and has them built afterwards, also when it fails. */
async function withIndexes(
  db: Database,
  plan: LoadPlan,
  watcher: LoadWatcher,
): Promise<LoadProgress & { isFinished: boolean }> {
  // The others know only when they have compared how many readers they will write.
  const isBig = plan.mode === 'add' && (await dropReaderIndexes(db, plan.file.lines))
  let outcome: LoadProgress & { isFinished: boolean }
  try {
    outcome = await load(db, plan, watcher)
  } catch (error) {
    // The load's own error is the one to tell; a later start builds what is missing.
    await ensureReaderIndexes(db).catch(() => {})
    throw error
  }
  try {
    await ensureReaderIndexes(db)
    const { added, updated, removed } = outcome
    if (added + updated + removed > 0) await refreshReaderStatistics(db, isBig || added + updated + removed > 50_000)
    return outcome
  } catch (error) {
    throw loadFailure(error, outcome)
  }
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
    const openLoad = plan.uploadId === null ? openDryRun : db.dialect === 'sqlite' ? openSqliteLoad : openPostgresLoad
    const target = await openLoad(db, encodePlan, watcher.now)
    try {
      let records = plan.skip
      let waiting = 0
      const settle = async () => {
        const { added, rejects } = await target.settle(records)
        progress.records = records
        progress.added += added
        progress.failed += rejects.length
        waiting = 0
        watcher.rejected(rejects)
        watcher.settled({ ...progress })
      }
      for await (const batch of rowBatches(encodePlan)) {
        await target.add(batch)
        records = batch.records
        waiting += batch.rows + batch.rejects.length
        if (waiting >= target.chunkRows) await settle()
        if (watcher.signal?.aborted) {
          if (waiting > 0) await settle()
          return { ...progress, isFinished: false }
        }
      }
      await settle()
      return { ...progress, isFinished: true }
    } finally {
      await target.close()
    }
  } catch (error) {
    throw loadFailure(error, progress)
  }
}
