import type { AppContext } from '../context.ts'
import { defaulted, defineTable, flag, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

import type { TransferFileState } from './transfer-file-labels.rules.ts'

export type StartedBy = 'schedule' | 'staff' | 'operator'

/** Runs of transfers. Progress and outcome of each are in `tasks` (kinds pull-readers and push-mailing-file). */
export const TransferRuns = defineTable('transfer_runs', {
  id: id(),
  transferId: ref(),
  startedBy: text<StartedBy>(),
  startedAt: instant(),
})

/** Files of runs. */
export const TransferFiles = defineTable('transfer_files', {
  id: id(),
  runId: ref(),
  transferId: ref(),
  name: text(),
  bytes: ref(),
  /** Identifies a version of the file on the server: size and time, or the ETag. */
  version: text(),
  /** Empty if it was not read. */
  sha256: defaulted(text()),
  state: text<TransferFileState>(),
  uploadId: nullable(ref()),
  /** The number of readers that were added or changed, or that are in the mailing file. */
  readers: defaulted(integer()),
  problem: nullable(text()),
  /** The file was processed but is still in place: the server does not allow it to be moved. */
  isLeft: defaulted(flag()),
  at: instant(),
})

export type TransferFileRow = RowOf<typeof TransferFiles>

/** Whether this version of a file was processed and could not be moved away. */
export async function wasProcessedInPlace(
  ctx: Pick<AppContext, 'db'>,
  transferId: number,
  { name, version }: Pick<TransferFileRow, 'name' | 'version'>,
): Promise<boolean> {
  const rows = await ctx.db.query(
    `SELECT id FROM transfer_files WHERE transfer_id = :transferId AND name = :name AND version = :version AND is_left = :isLeft LIMIT 1`,
    { transferId, name, version, isLeft: true },
  )
  return rows.length > 0
}

/** Whether a file of these bytes was imported by a transfer, and the import was not undone. */
export async function wasImported(ctx: Pick<AppContext, 'db'>, transferId: number, sha256: string): Promise<boolean> {
  const rows = await ctx.db.query(
    `SELECT id FROM transfer_files f WHERE f.transfer_id = :transferId AND f.sha256 = :sha256 AND f.state = 'imported'
       AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.kind = 'undo-import' AND t.subject_id = f.upload_id AND t.state = 'done') LIMIT 1`,
    { transferId, sha256 },
  )
  return rows.length > 0
}

/** Files of a transfer whose import has begun and whose outcome is not stored. */
export function importingFiles(ctx: Pick<AppContext, 'db'>, transferId: number): Promise<TransferFileRow[]> {
  return TransferFiles.rows(
    ctx,
    `SELECT ${TransferFiles.columns()} FROM transfer_files WHERE transfer_id = :transferId AND state = 'importing' ORDER BY id`,
    { transferId },
  )
}

/** The version last fetched from an https address, and its hash; null if none was processed. */
export async function lastFetched(
  ctx: Pick<AppContext, 'db'>,
  transferId: number,
): Promise<{ version: string; sha256: string } | null> {
  const [row] = await ctx.db.query<{ version: string; sha256: string }>(
    `SELECT version, sha256 FROM transfer_files WHERE transfer_id = :transferId AND is_left = :isLeft ORDER BY id DESC LIMIT 1`,
    { transferId, isLeft: true },
  )
  return row ?? null
}

/** Forgets what was fetched: the versions of one address do not apply to another. */
export async function forgetFetched(ctx: Pick<AppContext, 'db'>, transferId: number): Promise<void> {
  await ctx.db.run(`UPDATE transfer_files SET is_left = :no WHERE transfer_id = :transferId AND is_left = :yes`, {
    transferId,
    no: false,
    yes: true,
  })
}

/** Deletes files older than a given time that no later run is compared with, and runs left without files. Returns how many runs. */
export async function clearTransferRuns({ db }: Pick<AppContext, 'db'>, before: Date): Promise<number> {
  const states: TransferFileState[] = ['failed', 'growing', 'repeated', 'sent']
  await db.run(`DELETE FROM transfer_files WHERE at < :before AND state IN (:states) AND is_left = :isLeft`, {
    before,
    states,
    isLeft: false,
  })
  return db.run(
    `DELETE FROM transfer_runs WHERE started_at < :before
       AND NOT EXISTS (SELECT 1 FROM transfer_files f WHERE f.run_id = transfer_runs.id)
       AND NOT EXISTS (SELECT 1 FROM tasks t WHERE t.kind IN ('pull-readers', 'push-mailing-file') AND t.subject_id = transfer_runs.id
         AND t.finished_at IS NULL)`,
    { before },
  )
}
