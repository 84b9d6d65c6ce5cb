import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { AppError, conflict, invalid } from '../kernel/errors.ts'
import { PlaceOrderInput } from '../orders/place-order.input.ts'
import { checkAnswers, priceOrder } from '../orders/price-order.ts'
import { paymentDeclinedMessage } from '../payment-methods/declined-message.rules.ts'
import { cardDigits, demoCardProblem } from '../payment-methods/demo-cards.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { previewStorefront } from '../storefronts/get-storefront.query.ts'
import { useCase } from '../use-case.ts'
import { recordFirstRun } from './first-runs.rows.ts'
import { TestOrders } from './test-orders.rows.ts'

/** How many test orders of a title are stored; older ones are deleted. */
const maxTestOrders = 20

/**
 * A trial purchase in the preview of one of the publisher’s titles: priced and validated like a real one, with the cards of the demo bank. It creates
 * no order, no reader and no email, does not use up a promo code, and stores none of the buyer's details. Sending the same form again is idempotent.
 */
export const placeTestOrder = useCase({
  permission: 'order:test',
  input: PlaceOrderInput,
  async run(ctx, input): Promise<{ id: number; publicationId: number }> {
    const { id: publicationId, publisherId, isExample } = await ownPublication(ctx, { urlKey: input.urlKey })
    const storefront = await previewStorefront(ctx, { publicationId })
    checkAnswers(storefront, input.answers)
    const sale = await priceOrder(ctx, storefront, input)
    if (sale.amount > 0) checkCard(input.payment.details.cardNumber ?? '')
    const key = `${publisherId}:${input.idempotencyKey}`
    const { productName, currency, price, discount, amount } = sale
    const inserted = await TestOrders.insertNew(ctx, {
      publicationId,
      idempotencyKey: key,
      productName,
      country: input.country,
      currency,
      price,
      discount,
      amount,
      promoCode: sale.promo?.code ?? '',
      madeBy: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
    })
    if (!inserted) return existingTestOrder(ctx, { key, publicationId, productName })
    await removeOldest(ctx, publicationId)
    if (!isExample) await recordFirstRun(ctx, publisherId, 'test_ordered_at')
    await recordAudit(ctx, 'add-test-order', { type: 'publication', id: publicationId, publisherId })
    return { id: inserted.id, publicationId }
  },
})

function checkCard(cardNumber: string): void {
  const card = cardDigits(cardNumber)
  if (card === '') throw invalid({ 'payment.cardNumber': 'Required' })
  if (demoCardProblem(card) !== null) throw new AppError('declined', paymentDeclinedMessage)
}

async function existingTestOrder(
  ctx: AppContext,
  { key, publicationId, productName }: { key: string; publicationId: number; productName: string },
): Promise<{ id: number; publicationId: number }> {
  const existing = await TestOrders.find(ctx, { idempotencyKey: key, publicationId, productName })
  if (!existing) throw conflict('This form was sent before with other details. Please reload the page.')
  return { id: existing.id, publicationId }
}

async function removeOldest(ctx: AppContext, publicationId: number): Promise<void> {
  const orders = await ctx.db.query<{ id: number }>(
    `SELECT id FROM test_orders WHERE publication_id = :publicationId ORDER BY id DESC`,
    { publicationId },
  )
  for (const { id } of orders.slice(maxTestOrders)) await TestOrders.remove(ctx, { id })
}

/** Removes a test order. */
export const removeTestOrder = useCase({
  permission: 'order:test',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    testOrderId: z.coerce.number('Required').int(),
  }),
  async run(ctx, { publicationId, testOrderId }): Promise<void> {
    const { publisherId } = await ownPublication(ctx, { id: publicationId })
    // Removing an order that no longer exists succeeds.
    const removed = await TestOrders.remove(ctx, { id: testOrderId, publicationId })
    if (removed > 0)
      await recordAudit(ctx, 'remove-test-order', { type: 'publication', id: publicationId, publisherId })
  },
})
