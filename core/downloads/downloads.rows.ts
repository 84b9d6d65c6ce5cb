import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, integer, nullable, ref, text } from '../table.ts'
import type { DownloadState } from './download-file.ts'

/** The progress of downloads, for the page that waits: its next poll may reach another process. */
export const Downloads = defineTable('downloads', {
  id: id(),
  /** Chosen by the page that starts it; valid only for that user. */
  token: text(),
  userId: ref(),
  state: text<DownloadState>(),
  fileName: defaulted(text()),
  bytes: defaulted(integer()),
  rowsSent: defaulted(integer()),
  /** Null while the total is not known. */
  rowsTotal: nullable(integer()),
  problem: nullable(text()),
  startedAt: instant(),
  /** The process that sends it; null if it was cancelled before it began. */
  owner: nullable(text()),
  /** Renewed while that process runs; null if it was cancelled before it began. */
  leaseUntil: nullable(instant()),
})

/** How long a lease lasts, in milliseconds: a process that has not renewed it by then counts as ended. */
const leaseMs = 60_000

export function downloadLease(ctx: Pick<AppContext, 'now'>): Date {
  return new Date(ctx.now().getTime() + leaseMs)
}

type DownloadKey = { token: string; userId: number }

/** Records that a download runs, unless it was cancelled before it began; deletes downloads from before `keepFrom`. */
export async function startDownload(ctx: AppContext, key: DownloadKey, keepFrom: Date): Promise<void> {
  await ctx.db.run(`DELETE FROM downloads WHERE started_at < :keepFrom`, { keepFrom })
  await ctx.db.run(
    `INSERT INTO downloads (token, user_id, state, started_at, owner, lease_until)
     VALUES (:token, :userId, 'running', :now, :owner, :leaseUntil)
     ON CONFLICT (user_id, token) DO NOTHING`,
    { ...key, now: ctx.now(), owner: ctx.processes.self, leaseUntil: downloadLease(ctx) },
  )
}

/** Cancels a download that runs, or that has not reached the server yet. */
export async function markCancelled(ctx: AppContext, key: DownloadKey): Promise<void> {
  await ctx.db.run(
    `INSERT INTO downloads (token, user_id, state, started_at) VALUES (:token, :userId, 'cancelled', :now)
     ON CONFLICT (user_id, token) DO UPDATE SET state = 'cancelled' WHERE downloads.state = 'running'`,
    { ...key, now: ctx.now() },
  )
}
