import type { AppContext } from '../context.ts'
import type { UploadState } from './upload-states.rules.ts'

interface CheckWatch {
  /** Aborts when the check was cancelled, or is not ours any more. */
  signal: AbortSignal
  /** How far it is; written down now and then. */
  rows: number
  totalRows: number
  end(): void
}

const lookEvery = 500

/** Looks twice a second whether an upload is still to be checked in this turn, and tells how far that is. */
export function watchCheck(ctx: AppContext, { id, turn }: { id: number; turn: number }): CheckWatch {
  const stop = new AbortController()
  let isLooking = false
  const timer = setInterval(() => {
    if (isLooking) return
    isLooking = true
    look()
      // A database that does not answer is the work's own to find out.
      .catch(() => {})
      .finally(() => {
        isLooking = false
      })
  }, lookEvery)
  timer.unref()
  const watch: CheckWatch = { signal: stop.signal, rows: 0, totalRows: 0, end: () => clearInterval(timer) }

  async function look(): Promise<void> {
    if (watch.rows > 0)
      await ctx.db.run(
        `UPDATE uploads SET rows_checked = :rows, total_rows = :totalRows WHERE id = :id AND state = 'checking' AND turn = :turn`,
        { id, turn, rows: watch.rows, totalRows: watch.totalRows },
      )
    const [row] = await ctx.db.query<{ state: UploadState; turn: number }>(
      `SELECT state, turn FROM uploads WHERE id = :id`,
      { id },
    )
    if (row?.state !== 'checking' || Number(row.turn) !== turn) stop.abort(new Error('The check was cancelled'))
  }
  return watch
}
