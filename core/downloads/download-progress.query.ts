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

/** How late a running process may renew its lease: a write waits for SQLite's only writer, such as an import. */
const latenessMs = 3_600_000

/**
 * Whether the process that sends it has ended. On another machine, or in a container that was replaced, only the lease shows it. On this machine
 * the process itself is checked, and also whether its lease expired long ago: another process may have got its number since.
 */
function hasEnded(
  { processes, now }: Pick<AppContext, 'processes' | 'now'>,
  { owner, leaseUntil }: Pick<RowOf<typeof Downloads>, 'owner' | 'leaseUntil'>,
): boolean {
  const isHere = owner?.startsWith(`${processes.host} `) === true
  if (isHere && processes.hasEnded(owner)) return true
  return leaseUntil !== null && leaseUntil.getTime() + (isHere ? latenessMs : 0) <= now().getTime()
}
