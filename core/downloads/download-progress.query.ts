import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { type DownloadState, downloadStates } from './download-file.ts'

export interface DownloadProgress {
  /** `unknown`: no download with this token has reached the server. */
  state: DownloadState | 'unknown'
  fileName: string
  bytes: number
  rows: number
  /** Null while it is not known. */
  rowsTotal: number | null
  /** Why it failed, for the person who waits for it. */
  problem: string | null
}

/** How far one of the actor's own downloads is. */
export const downloadProgress = useCase({
  permission: 'account:read',
  input: z.object({ token: z.string().default('') }),
  transaction: 'none',
  async run(ctx, { token }): Promise<DownloadProgress> {
    const [row] = await ctx.db.query<{
      state: string
      file_name: string
      bytes: number
      rows_sent: number
      rows_total: number | null
      problem: string | null
    }>(
      `SELECT state, file_name, bytes, rows_sent, rows_total, problem FROM downloads WHERE user_id = :userId AND token = :token`,
      { userId: ctx.actor.kind === 'staff' ? ctx.actor.userId : 0, token },
    )
    return {
      state: downloadStates.find((state) => state === row?.state) ?? 'unknown',
      fileName: row?.file_name ?? '',
      bytes: Number(row?.bytes ?? 0),
      rows: Number(row?.rows_sent ?? 0),
      rowsTotal: row?.rows_total === null || row === undefined ? null : Number(row.rows_total),
      problem: row?.problem ?? null,
    }
  },
})
