import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

/** Disputes by buyers' banks, as the provider reports them. */
export const Disputes = defineTable('disputes', {
  id: id(),
  publisherId: ref(),
  orderId: ref(),
  providerReference: text(),
  state: text<'open' | 'won' | 'lost'>(),
  /** Minor units. */
  amount: integer(),
  currency: text<Currency>(),
  /** The provider's fee for the dispute, in the provider's currency. */
  fee: defaulted(integer()),
  feeCurrency: nullable(text<Currency>()),
  reason: defaulted(text()),
  openedAt: instant(),
  endedAt: nullable(instant()),
  updatedAt: instant(),
})
export type DisputeRow = RowOf<typeof Disputes>

/** The disputes of an order, oldest first. */
export function disputesOf(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<DisputeRow[]> {
  return Disputes.rows(ctx, `SELECT ${Disputes.columns()} FROM disputes WHERE order_id = :orderId ORDER BY id`, {
    orderId,
  })
}
