import type { AppContext } from '../context.ts'

/** Why a run was told to end from outside. */
export type StopReason = 'cancelled' | 'removed'

/** Keeps the lock of a running upload alive and says so when somebody wants the run to end. */
export interface UploadWatch {
  readonly signal: AbortSignal
  /** Why `signal` was raised by the watch itself; null when it was not. */
  stopped(): StopReason | null
  /** What the run is at, for those who look on. */
  tell(phase: string, rows: number): void
  /** Ends the watch; resolves when its last look is over, so that nobody asks a database that is being closed. */
  end(): Promise<void>
}

const interval = 1_000
const lockLength = 30_000

/**
 * Looks once a second whether an upload was cancelled or its publication removed. A look that fails (the database is busy with the very
 * import) is made up for by the next one.
 */
export function watchUpload(ctx: AppContext, uploadId: number, outer: AbortSignal | undefined): UploadWatch {
  const own = new AbortController()
  let reason: StopReason | null = null
  let told: { phase: string; rows: number } | undefined
  let looking: Promise<void> | undefined
  const look = async () => {
    const [row] = await ctx.db.query<{ stop_asked_at: unknown; removed_at: unknown }>(
      `SELECT u.stop_asked_at, p.removed_at FROM uploads u JOIN publications p ON p.id = u.publication_id WHERE u.id = :uploadId`,
      { uploadId },
    )
    if (row?.removed_at) reason ??= 'removed'
    else if (row?.stop_asked_at) reason ??= 'cancelled'
    if (reason) own.abort()
    await ctx.db.run(
      `UPDATE uploads SET phase = :phase, phase_rows = :rows,
           locked_until = CASE WHEN locked_until > :lockedUntil THEN locked_until ELSE :lockedUntil END
         WHERE id = :uploadId AND state IN ('running', 'undoing')`,
      {
        uploadId,
        phase: told?.phase ?? null,
        rows: told?.rows ?? 0,
        lockedUntil: new Date(ctx.now().getTime() + lockLength),
      },
    )
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined
      })
  }, interval)
  timer.unref()
  return {
    signal: outer ? AbortSignal.any([outer, own.signal]) : own.signal,
    stopped: () => reason,
    tell(phase, rows) {
      told = { phase, rows }
    },
    async end() {
      clearInterval(timer)
      await looking
    },
  }
}
