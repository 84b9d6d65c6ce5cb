import type { AppContext } from '../context.ts'
import { undoDays } from './fix-row.ts'

/** Forgets what readers were before fixes that cannot be undone any more. Gives how many images there were. */
export function clearOldFixes(ctx: Pick<AppContext, 'db' | 'now'>): Promise<number> {
  const before = new Date(ctx.now().getTime() - undoDays * 86_400_000)
  return ctx.db.run(
    `DELETE FROM reader_fix_rows WHERE fix_id IN (
       SELECT id FROM reader_fixes WHERE finished_at < :before AND state IN ('done', 'undone', 'failed'))`,
    { before },
  )
}
