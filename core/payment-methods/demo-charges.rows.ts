import type { Currency } from '../kernel/money.ts'
import { defineTable, id, instant, integer, nullable, type TableContext, text } from '../table.ts'

/** The charges of the demo bank. */
export const DemoCharges = defineTable('demo_charges', {
  id: id(),
  idempotencyKey: text(),
  /** `needs-action` until the buyer has answered on the bank's page; `cancelled` if the order did not wait for that. */
  state: text<'paid' | 'declined' | 'needs-action' | 'cancelled'>(),
  /** Minor units. */
  amount: integer(),
  currency: text<Currency>(),
  reason: nullable(text()),
  /** The number of the card. */
  card: nullable(text()),
  createdAt: instant(),
})

/** Stores a charge, once per key. */
export async function addCharge(ctx: TableContext, charge: Parameters<typeof DemoCharges.insert>[1]): Promise<void> {
  await DemoCharges.insertNew(ctx, charge)
}

/** Ends a charge that waits for the buyer; one already answered or cancelled is not changed. */
export async function answerCharge(
  ctx: TableContext,
  idempotencyKey: string,
  answer: { state: 'paid' | 'declined' | 'cancelled'; reason?: string },
): Promise<void> {
  await DemoCharges.update(ctx, { idempotencyKey, state: 'needs-action' }, answer)
}
