import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { actorOf, makeBuyer } from '#tests/support/factories.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { cardToUpdate } from './card-to-update.query.ts'
import { finishCardUpdate } from './finish-card-update.ts'
import { startCardUpdate } from './start-card-update.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order } = stripeShops(
  () => services,
  () => stripe,
)

/** A reader whose subscription renews by card. */
async function renewingReader(existingShop?: Awaited<ReturnType<typeof open>>) {
  const shop = existingShop ?? (await open())
  const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-card', shop)
  stripe.pay(intent)
  await confirmOrder(services.as(visitor), placed)
  const agreements = await rowsOf(services, 'payment_agreements', shop.id)
  const agreement = agreements.at(-1) as { id: number; buyer_id: number; method_reference: string }
  const ctx = services.as({ kind: 'buyer', buyerId: agreement.buyer_id, publicationId: shop.id })
  const methodNow = async () => {
    const [row] = await services.db.query<{ method_reference: string }>(
      `SELECT method_reference FROM payment_agreements WHERE id = :id`,
      { id: agreement.id },
    )
    return row?.method_reference
  }
  return { shop, agreement, ctx, methodNow }
}

/** Enters another card, as the browser does with the secret. */
function enterCard(clientSecret: string): string {
  const [reference = ''] = clientSecret.split('_secret_')
  stripe.pay(reference)
  return reference
}

describe('another card for a renewal', () => {
  it('is stored once, after Stripe’s confirmation, and nothing is charged', async () => {
    const { ctx, agreement, methodNow, shop } = await renewingReader()
    expect(await cardToUpdate(ctx, {})).toMatchObject({
      agreementId: agreement.id,
      plan: { product: 'print', termMonths: 12, isRecurring: false },
      publishableKey: stripe.publishableKey,
    })
    const payments = stripe.payments().length
    const { clientSecret } = await startCardUpdate(ctx, { agreementId: agreement.id })
    const [reference = ''] = clientSecret.split('_secret_')
    await expect(finishCardUpdate(ctx, { agreementId: agreement.id, reference })).rejects.toMatchObject({
      kind: 'conflict',
    })
    enterCard(clientSecret)
    expect(await finishCardUpdate(ctx, { agreementId: agreement.id, reference })).toEqual({ isNew: true })
    expect(await finishCardUpdate(ctx, { agreementId: agreement.id, reference })).toEqual({ isNew: false })
    expect(await methodNow()).toBe(stripe.objects.get(reference)?.payment_method)
    expect(await methodNow()).not.toBe(agreement.method_reference)
    expect(stripe.payments()).toHaveLength(payments)
    const audit = await services.db.query(
      `SELECT * FROM audit_log WHERE action = 'change-card' AND publisher_id = :id`,
      {
        id: shop.publisherId,
      },
    )
    expect(audit).toHaveLength(1)
  })

  it('cannot be entered by another reader, and one that was entered for another renewal is refused', async () => {
    const shop = await open()
    const mine = await renewingReader(shop)
    const theirs = await renewingReader(shop)
    const started = await startCardUpdate(theirs.ctx, { agreementId: theirs.agreement.id })
    const reference = enterCard(started.clientSecret)
    for (const attempt of [
      () => startCardUpdate(mine.ctx, { agreementId: theirs.agreement.id }),
      () => finishCardUpdate(mine.ctx, { agreementId: theirs.agreement.id, reference }),
      () => cardToUpdate(mine.ctx, { agreementId: theirs.agreement.id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ kind: 'notFound' })
    // The reference of another reader's card, given for one's own renewal.
    await expect(finishCardUpdate(mine.ctx, { agreementId: mine.agreement.id, reference })).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(await mine.methodNow()).toBe(mine.agreement.method_reference)
    const stranger = await makeBuyer(services, shop.id)
    await expect(cardToUpdate(services.as(stranger.actor), {})).rejects.toMatchObject({ kind: 'notFound' })
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    await expect(startCardUpdate(staff, { agreementId: mine.agreement.id })).rejects.toMatchObject({ kind: 'denied' })
  })

  it('cannot be entered for a renewal that is off', async () => {
    const { ctx, agreement } = await renewingReader()
    await services.db.run(`UPDATE payment_agreements SET state = 'ended' WHERE id = :id`, { id: agreement.id })
    await expect(startCardUpdate(ctx, { agreementId: agreement.id })).rejects.toMatchObject({ kind: 'notFound' })
  })
})
