import { Buyers } from '../buyers/buyers.rows.ts'
import type { AppContext } from '../context.ts'
import { type Hits, type HitsRow, hitsSubquery } from '../rate-limits/rate-limits.rows.ts'
import type { HeldSubscription } from './entitlement.rules.ts'
import { type SubscriptionsRow, subscriptionsSubquery } from './held-subscriptions.query.ts'

const checked = Buyers.pick(
  'id',
  'publicationId',
  'emailKey',
  'passwordHash',
  'emailProvenAt',
  'firstName',
  'lastName',
  'lastLoginAt',
)

/** A buyer whose password is about to be checked. */
export type CheckedBuyer = Awaited<ReturnType<typeof checked.rows>>[number]

/**
 * The account of an email at a publication that is known to be open, its subscriptions, whether it has bought issues, and the counters of some rate
 * limits. One statement reads all of it: statements are most of the cost of a partner's check.
 */
export async function checkedBuyer(
  ctx: AppContext,
  { publicationId, emailKey, limits }: { publicationId: number; emailKey: string; limits: readonly string[] },
): Promise<{
  buyer: CheckedBuyer | undefined
  subscriptions: HeldSubscription[]
  hasBoughtIssue: boolean
  tried: Hits
}> {
  const hits = hitsSubquery(ctx, limits)
  const subscriptionsColumn = subscriptionsSubquery(ctx.db)
  const rows = await checked.rows<HitsRow & SubscriptionsRow>(
    { db: ctx.db.prepared },
    `SELECT ${checked.columns('b')}, ${subscriptionsColumn.columns}, ${hits.columns}
     FROM (SELECT 1) always LEFT JOIN buyers b ON b.publication_id = :publicationId AND b.email_key = :emailKey ${hits.join}`,
    { publicationId, emailKey, no: false, ...hits.values },
  )
  const [first] = rows
  return {
    buyer: first && (first.id as number | null) !== null ? first : undefined,
    ...subscriptionsColumn.of(first ?? { held: null, bought: false }),
    tried: hits.of(rows),
  }
}
