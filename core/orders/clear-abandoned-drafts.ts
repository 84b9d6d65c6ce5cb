import type { AppContext } from '../context.ts'
import { clearDrafts } from './orders.rows.ts'

/** A payment that arrives late still makes an order; providers retry their messages for days, and a closed page is polled for two. */
const keptDays = 30
/** Orders per transaction: few enough that locks are short. */
const perTransaction = 500

/**
 * Deletes the buyer's data in orders that were cancelled or declined a month ago: it has a password's hash and answers of people who bought nothing.
 * The order itself is kept, and can still be paid. Returns how many orders were affected.
 */
export async function clearAbandonedDrafts(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - keptDays * 86_400_000)
  let cleared = 0
  for (;;) {
    const count = await clearDrafts(ctx, { before, limit: perTransaction })
    cleared += count
    if (count < perTransaction) return cleared
  }
}
