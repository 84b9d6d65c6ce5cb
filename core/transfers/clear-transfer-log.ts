import type { AppContext } from '../context.ts'
import { clearTasks } from '../tasks/tasks.rows.ts'
import { clearTransferRuns } from './transfer-runs.rows.ts'

/** How long the log of a run is kept of which nothing was imported. */
const logDays = 90

/**
 * Clears old runs away. Files that were imported or lie where they were stay in the log with their runs: by them the next run knows the same
 * file again. Returns how many runs went.
 */
export async function clearTransferLog(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - logDays * 86_400_000)
  return ctx.db.transaction(async () => {
    const runs = await clearTransferRuns(ctx, before)
    await clearTasks(ctx, ['pull-readers', 'push-mailing-file'], before, 'transfer_runs')
    return runs
  })
}
