import { actingPublisherId } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { AppError, denied } from '../kernel/errors.ts'
import { lockAccount } from '../users/accounts.rows.ts'

export interface TitleQuota {
  used: number
  allowed: number
}

/** How many titles the acting publisher has on sale and may have. Paused and example titles do not count. */
export async function titleQuota(ctx: AppContext, publisherId = actingPublisherId(ctx.actor)): Promise<TitleQuota> {
  if (publisherId === null) throw denied()
  const [row] = await ctx.db.query<{ used: number; allowed: number | null }>(
    `SELECT (SELECT COUNT(*) FROM publications p WHERE p.publisher_id = :publisherId AND p.removed_at IS NULL AND p.paused_at IS NULL AND NOT p.is_example) AS used,
            (SELECT a.number_of_publications FROM accounts a WHERE a.user_id = :publisherId) AS allowed`,
    { publisherId },
  )
  return { used: Number(row?.used ?? 0), allowed: Number(row?.allowed ?? 0) }
}

/**
 * Checks the quota for one more title, inside the transaction that adds it: the account's row is locked until the end. If two tabs
 * add the last allowed title concurrently, one of them is refused.
 */
export async function takeTitle(ctx: AppContext, publisherId: number): Promise<void> {
  await lockAccount(ctx, publisherId)
  const { used, allowed } = await titleQuota(ctx, publisherId)
  if (used < allowed) return
  throw new AppError('conflict', 'Publication Quota Met', {
    hint: `You have ${used} of ${allowed} titles. Change your plan in My Account, or contact support, to add more.`,
  })
}
