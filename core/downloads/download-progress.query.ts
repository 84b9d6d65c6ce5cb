import { z } from 'zod'
import type { AppContext } from '../context.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import type { DownloadState } from './download-file.ts'
import { Downloads } from './downloads.rows.ts'

export interface DownloadProgress {
  /** `unknown`: no download with this token has reached the server. */
  state: DownloadState | 'unknown'
  fileName: string
  bytes: number
  rows: number
  /** Null while the total is not known. */
  rowsTotal: number | null
  /** Why it failed, for the user who waits for it. */
  problem: string | null
}

const lostProblem = 'The server was restarted while it made the file. Start the download again.'

/** The progress of one of the actor's own downloads. */
export const downloadProgress = useCase({
  permission: 'account:read',
  input: z.object({ token: z.string().default('') }),
  transaction: 'none',
  async run(ctx, { token }): Promise<DownloadProgress> {
    const userId = ctx.actor.kind === 'staff' ? ctx.actor.userId : 0
    const download = await Downloads.find(ctx, { userId, token })
    const isLost = download?.state === 'running' && hasEnded(ctx, download)
    return {
      state: isLost ? 'failed' : (download?.state ?? 'unknown'),
      fileName: download?.fileName ?? '',
      bytes: download?.bytes ?? 0,
      rows: download?.rowsSent ?? 0,
      rowsTotal: download?.rowsTotal ?? null,
      problem: isLost ? lostProblem : (download?.problem ?? null),
    }
  },
})

/**
 * Whether the process that sends it has ended. Of one on another machine, or in a container that was replaced, only the lease tells. Of one on this
 * machine it does not: a write that waits for SQLite's only writer renews it late.
 */
function hasEnded(
  { processes, now }: Pick<AppContext, 'processes' | 'now'>,
  { owner, leaseUntil }: Pick<RowOf<typeof Downloads>, 'owner' | 'leaseUntil'>,
): boolean {
  if (owner?.startsWith(`${processes.host} `)) return processes.hasEnded(owner)
  return leaseUntil !== null && leaseUntil <= now()
}
