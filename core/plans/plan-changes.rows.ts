import type { AppContext } from '../context.ts'
import type { PriceType } from '../pricing/publisher-plans.rules.ts'
import { defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'

/**
 * Plan changes that publishers request from the provider, stored before the call: the provider is polled later for a lost response. A publisher
 * has at most one open change.
 */
export const PlanChanges = defineTable('plan_changes', {
  id: id(),
  publisherId: ref(),
  /** Idempotency key from the form: a form submitted twice makes one change. */
  changeKey: text(),
  kind: text<'change' | 'start'>(),
  state: text<'open' | 'done' | 'declined' | 'given-up'>(),
  fromPlan: nullable(text()),
  toPlan: text(),
  priceType: text<PriceType>(),
  /** The amount, in pence, that the publisher was shown as charged immediately. */
  amount: integer(),
  /** The titles that the change pauses. */
  paused: json<readonly number[]>(),
  /** The id of the provider's checkout session in which it is paid. */
  session: nullable(text()),
  createdAt: instant(),
  updatedAt: instant(),
})

export type PlanChangeRow = RowOf<typeof PlanChanges>

/** Publishers whose change has waited for its response since before a given time. */
export function waitingPlanChanges(
  ctx: Pick<AppContext, 'db'>,
  before: Date,
  limit: number,
): Promise<{ publisherId: number }[]> {
  return ctx.db.query(
    `SELECT publisher_id AS "publisherId" FROM plan_changes WHERE state = 'open' AND updated_at < :before ORDER BY updated_at, id LIMIT :limit`,
    { before, limit },
  )
}
