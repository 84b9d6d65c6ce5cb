import type { AppContext } from '../context.ts'
import { clearTasks } from '../tasks/tasks.rows.ts'
import { clearTransferRuns } from './transfer-runs.rows.ts'

/** How long the log of a run that imported nothing is kept, in days. */
const logDays = 90

/**
 * Deletes old runs. Files that were imported or could not be moved stay in the log with their runs, so that the next run recognises the same
 * files. Returns how many runs were deleted.
 */
export async function clearTransferLog(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - logDays * 86_400_000)
  return ctx.db.transaction(async () => {
    const runs = await clearTransferRuns(ctx, before)
    await clearTasks(ctx, ['pull-readers', 'push-mailing-file'], before, 'transfer_runs')
    return runs
  })
}
