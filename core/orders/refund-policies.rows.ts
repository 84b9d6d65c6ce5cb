import type { AppContext } from '../context.ts'
import { type BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { defineTable, flag, id, instant, integer, ref, text } from '../table.ts'
import { defaultRefundPolicy, type RefundPolicy } from './refund-policy.rules.ts'

/** Refund policies by publication; without a row the default policy applies. */
export const RefundPolicies = defineTable('refund_policies', {
  id: id(),
  publicationId: ref(),
  wholeDays: integer(),
  afterwards: text<RefundPolicy['afterwards']>(),
  allowsMore: flag(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Null while the publisher has set no policy. */
export async function refundPolicyOf(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<RefundPolicy | null> {
  const row = await RefundPolicies.find(ctx, { publicationId })
  return row && { wholeDays: row.wholeDays, afterwards: row.afterwards, allowsMore: row.allowsMore }
}

/** Inserts or replaces the policy (upsert), unless it is no longer the one that the new one is based on. Call it in a transaction. */
export async function saveRefundPolicy(
  ctx: AppContext,
  publicationId: number,
  policy: RefundPolicy,
  basedOn?: BasedOn,
): Promise<void> {
  const stored = await RefundPolicies.find(ctx, { publicationId }, { isLocked: true })
  refuseOutdated(basedOn, stored ?? defaultRefundPolicy, policy)
  if (stored) await RefundPolicies.update(ctx, { publicationId }, policy)
  // Another process may have inserted it since it was not found.
  else if (!(await RefundPolicies.insertNew(ctx, { publicationId, ...policy })))
    await saveRefundPolicy(ctx, publicationId, policy, basedOn)
}
