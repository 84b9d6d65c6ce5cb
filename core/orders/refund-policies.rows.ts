import type { AppContext } from '../context.ts'
import { defineTable, flag, id, instant, integer, ref, text } from '../table.ts'
import type { RefundPolicy } from './refund-policy.rules.ts'

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

/** Inserts or replaces the policy (upsert). Call it in a transaction. */
export async function saveRefundPolicy(ctx: AppContext, publicationId: number, policy: RefundPolicy): Promise<void> {
  if (await RefundPolicies.insertNew(ctx, { publicationId, ...policy })) return
  await RefundPolicies.update(ctx, { publicationId }, policy)
}
