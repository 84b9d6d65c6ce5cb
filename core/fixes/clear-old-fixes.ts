import type { AppContext } from '../context.ts'
import { undoDays } from './fix-row.ts'
import { deleteOldFormerValues } from './reader-fixes.rows.ts'

/** Deletes the previous values of readers from fixes that can no longer be undone. Returns how many rows were deleted. */
export function clearOldFixes(ctx: Pick<AppContext, 'db' | 'now'>): Promise<number> {
  return deleteOldFormerValues(ctx, new Date(ctx.now().getTime() - undoDays * 86_400_000))
}
