import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { orderByLink } from '#core/orders/order-by-link.ts'
import { orderOnce } from '#core/orders/order-once.ts'
import { cancelPayment } from '#core/orders/pay-order.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { PlaceOrderInput } from '#core/orders/place-order.input.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { priceOrder } from '#core/orders/price-order.ts'
import { answerLink, renewalLinkPage } from '#core/orders/renewal-link.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { everyProduct } from '#core/promos/promo.rules.ts'
import { PromoCodes } from '#core/promos/promo-codes.rows.ts'
import { ReaderEfforts } from '#core/series/reader-efforts.rows.ts'
import { deferred } from '#tests/support/deferred.ts'
import { makeBackIssue, makePromo } from '#tests/support/factories.ts'
import { makeEffort } from '#tests/support/make-effort.ts'
import { makeReader } from '#tests/support/readers.ts'
import { issueForm, orderForm, rowsOf } from '#tests/support/shop.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, sweep, stateOf, intentOf } = stripeShops(
  () => services,
  () => stripe,
)
const confirm = (placed: object) => confirmOrder(services.as(visitor), placed)
const cancel = (placed: object) => cancelOrder(services.as(visitor), placed)

const demoCard = { provider: 'demo', details: { cardNumber: demoCards.paid } }
const statesOf = async (shop: { id: number }) => (await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)

const paidElsewhere = expect.stringContaining('is being paid in another window')

/** A renewal link of a reader with a promo code of their own, and its order. */
async function makeLink(shop: Awaited<ReturnType<typeof open>>) {
  const readerId = await makeReader(services, shop.id, { email: 'linked@example.test', postCode: 'TR11 3LH' })
  const { id: effortId, key } = await makeEffort(services, readerId)
  const promoCodeId = await makePromo(services, shop.id, 'OWN-CODE', { uses: 1, applicableProducts: everyProduct })
  await PromoCodes.update(services, { id: promoCodeId }, { readerId })
  await ReaderEfforts.update(services, { id: effortId }, { promoCodeId })
  const link = { urlKey: shop.urlKey, key }
  const { proof } = await answerLink(services.as(visitor), { ...link, answer: 'TR11 3LH' })
  const form = { ...orderForm(shop, { email: 'linked@example.test', promoCode: 'OWN-CODE' }), ...link, proof }
  return { link, buyBy: (payment: object) => orderByLink(services.as(visitor), { ...form, payment }) }
}

describe('an order by card', () => {
  it('is cancelled when its form is sent again with another payment method, which has its promo use', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'ONCE', { uses: 1 })
    const idempotencyKey = 'another-method-0123456789'
    const fields = { idempotencyKey, email: 'another-method@example.test', plan: '1PR25.00', promoCode: 'ONCE' }
    const buyBy = (provider: 'stripe-card' | 'stripe-bacs') =>
      order({ ...fields, confirmEmail: fields.email }, provider, shop)
    stripe.failNext('/v1/payment_intents', 500, 2)
    await expect(buyBy('stripe-card')).rejects.toMatchObject({ kind: 'upstream' })
    const byDebit = await buyBy('stripe-bacs')
    expect(byDebit.placed.next).toMatchObject({ kind: 'confirm' })
    expect(stripe.objects.get(byDebit.intent)).toMatchObject({ payment_method_types: ['bacs_debit'] })
    expect((await buyBy('stripe-bacs')).placed).toEqual(byDebit.placed)
    const byCard = await buyBy('stripe-card')
    expect(stripe.objects.get(byDebit.intent)).toMatchObject({ status: 'canceled' })
    const orders = await rowsOf(services, 'orders', shop.id)
    expect(orders.map(({ state }) => state)).toEqual(['cancelled', 'cancelled', 'pending'])
    expect(byCard.placed).toMatchObject({ orderId: Number(orders[2]?.id), amount: byDebit.placed.amount })
    // The order that was paid meanwhile is returned, whichever method is chosen now.
    stripe.pay(byCard.intent)
    expect((await buyBy('stripe-bacs')).placed).toMatchObject({ orderId: byCard.placed.orderId, state: 'paid' })
  })

  it('that cannot be cancelled because Stripe does not respond leaves its promo use to the order paid by another method', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'LAST-USE', { uses: 1 })
    const email = 'no-response@example.test'
    const fields = { email, confirmEmail: email, idempotencyKey: 'no-response-0123456789', promoCode: 'LAST-USE' }
    const buyBy = (payment: object) => placeOrder(services.as(visitor), orderForm(shop, { ...fields, payment }))
    // Fails the order itself, and its cancellation, which needs its payment.
    stripe.failNext('/v1/payment_intents', 500, 4)
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
    expect(await buyBy(demoCard)).toMatchObject({
      state: 'paid',
    })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await statesOf(shop)).toEqual(['cancelled', 'paid'])
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
  })

  it.each([
    { stripeIs: 'responding', failures: 0, state: 'cancelled' },
    { stripeIs: 'not responding', failures: 4, state: 'pending' },
  ])('of the last copy leaves it to the order that replaces it: Stripe is $stripeIs', async ({ failures, state }) => {
    const shop = await open({ sellsBackIssues: true })
    const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 1 })
    const form = issueForm(shop, [issueId], { idempotencyKey: `last-copy-0123456789-${failures}` })
    const buyBy = (payment: object) => placeBackIssueOrder(services.as(visitor), { ...form, payment })
    stripe.failNext('/v1/payment_intents', 500, failures)
    await Promise.allSettled([buyBy({ provider: 'stripe-card' })])
    expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
    expect(await buyBy(demoCard)).toMatchObject({
      state: 'paid',
    })
    expect(await statesOf(shop)).toEqual([state, 'paid'])
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await statesOf(shop)).toEqual(['cancelled', 'paid'])
    expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
  })

  it.each([
    { stripeIs: 'responding', failures: 2, state: 'cancelled' },
    { stripeIs: 'not responding', failures: 4, state: 'pending' },
  ])(
    'of the last copy leaves it to the changed form that replaces it: Stripe is $stripeIs',
    async ({ failures, state }) => {
      const shop = await open({ sellsBackIssues: true })
      const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 1 })
      const key = `changed-copy-0123456789-${failures}`
      const form = issueForm(shop, [issueId], { idempotencyKey: key })
      const place = (fields: object) => placeBackIssueOrder(services.as(visitor), { ...form, ...fields })
      stripe.failNext('/v1/payment_intents', 500, failures)
      await expect(place({ payment: { provider: 'stripe-card' } })).rejects.toMatchObject({ kind: 'upstream' })
      const changed = { ...(form.billing as object), city: 'Truro' }
      const fields = { billing: changed, idempotencyKey: `${key}-1`, replaces: key }
      // Only the sender of a form knows its key.
      const byDemo = { ...fields, payment: demoCard }
      await expect(place({ ...byDemo, replaces: `${key}-2, ` })).rejects.toMatchObject({ kind: 'invalid' })
      const placed = await place(byDemo)
      expect(placed).toMatchObject({ state: 'paid' })
      expect(await place(byDemo)).toEqual(placed)
      expect(await statesOf(shop)).toEqual([state, 'paid'])
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
    },
  )

  it('of the last use of a promo code leaves it to the changed form that replaces it', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'LAST-CODE', { uses: 1 })
    const email = 'last-code@example.test'
    const fields = { email, confirmEmail: email, promoCode: 'LAST-CODE', idempotencyKey: 'last-code-0123456789' }
    stripe.failNext('/v1/payment_intents', 500, 2)
    await expect(order(fields, 'stripe-card', shop)).rejects.toMatchObject({ kind: 'upstream' })
    const changed = { ...fields, firstName: 'Anna', idempotencyKey: 'last-code-0123456789-1' }
    const { placed } = await order({ ...changed, replaces: fields.idempotencyKey }, 'stripe-card', shop)
    expect(placed).toMatchObject({ state: 'pending', next: { kind: 'confirm' }, amount: 2249 })
    expect(await statesOf(shop)).toEqual(['cancelled', 'pending'])
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
  })

  it('that was paid before the changed form replaces it is the order', async () => {
    const { shop, form, placed, intent } = await order()
    stripe.pay(intent)
    const changed = { ...form, firstName: 'Anna', idempotencyKey: `${form.idempotencyKey}-1` }
    const again = await placeOrder(services.as(visitor), { ...changed, replaces: form.idempotencyKey })
    expect(again).toMatchObject({ orderId: placed.orderId, state: 'paid' })
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
  })

  it('is not replaced by a form of another publication', async () => {
    const { form, placed } = await order()
    const other = await open()
    await order({ replaces: form.idempotencyKey }, 'stripe-card', other)
    expect(await stateOf(placed.orderId)).toMatchObject({ order: 'pending' })
  })

  describe('whose copy and promo use were released for another payment method, which was refused', () => {
    async function release(buyBy: (payment: object) => Promise<unknown>) {
      // Fails the order itself, and its cancellation, which needs its payment.
      stripe.failNext('/v1/payment_intents', 500, 4)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      await expect(buyBy({ provider: 'paypal' })).rejects.toMatchObject({ fields: { payment: expect.anything() } })
    }

    it('takes the copy again when it is continued', async () => {
      const shop = await open({ sellsBackIssues: true })
      const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 1 })
      const form = issueForm(shop, [issueId])
      const buyBy = (payment: object) => placeBackIssueOrder(services.as(visitor), { ...form, payment })
      await release(buyBy)
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 1 }])
      const placed = await buyBy({ provider: 'stripe-card' })
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
      expect(await buyBy({ provider: 'stripe-card' })).toEqual(placed)
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
      expect(await cancel(placed)).toMatchObject({ state: 'cancelled' })
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 1 }])
    })

    it('is refused once another buyer has the last copy', async () => {
      const shop = await open({ sellsBackIssues: true })
      const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 1 })
      const form = issueForm(shop, [issueId])
      const buyBy = (payment: object) => placeBackIssueOrder(services.as(visitor), { ...form, payment })
      await release(buyBy)
      const other = issueForm(shop, [issueId], { payment: demoCard })
      expect(await placeBackIssueOrder(services.as(visitor), other)).toMatchObject({ state: 'paid' })
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({
        kind: 'invalid',
        fields: { backIssues: expect.anything() },
      })
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
    })

    it('is refused once another buyer has the last use of its promo code', async () => {
      const shop = await open()
      await makePromo(services, shop.id, 'LAST-ONE', { uses: 1 })
      const form = orderForm(shop, { promoCode: 'LAST-ONE' })
      const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
      await release(buyBy)
      const other = orderForm(shop, { promoCode: 'LAST-ONE', payment: demoCard })
      expect(await placeOrder(services.as(visitor), other)).toMatchObject({ state: 'paid' })
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({
        kind: 'invalid',
        fields: { promoCode: expect.anything() },
      })
      expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
    })
  })

  describe('that two tabs pay or replace at once', () => {
    it.each([
      ['paid', demoCards.paid],
      ['pending', demoCards.needsAction],
    ])(
      'is refused in a tab that began its payment before another replaced it by one that is %s',
      async (state, card) => {
        const shop = await open({ sellsBackIssues: true })
        const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 2 })
        const form = issueForm(shop, [issueId])
        const buyBy = (payment: object) => placeBackIssueOrder(services.as(visitor), { ...form, payment })
        stripe.failNext('/v1/payment_intents', 500, 2)
        await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
        const held = stripe.holdNextResponse('/v1/payment_intents')
        const stale = Promise.allSettled([buyBy({ provider: 'stripe-card' })])
        await held.reached
        stripe.failNext('/v1/payment_intents', 500, 2)
        expect(await buyBy({ provider: 'demo', details: { cardNumber: card } })).toMatchObject({ state })
        held.release()
        expect(await stale).toMatchObject([{ status: 'rejected', reason: { kind: 'conflict' } }])
        expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 1 }])
      },
    )

    it('is refused in a tab that began its payment before another cancelled it', async () => {
      const shop = await open()
      const form = orderForm(shop)
      const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
      stripe.failNext('/v1/payment_intents', 500, 2)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      const held = stripe.holdNextResponse('/v1/payment_intents')
      const stale = Promise.allSettled([buyBy({ provider: 'stripe-card' })])
      await held.reached
      const [{ id: orderId } = {}] = await rowsOf(services, 'orders', shop.id)
      await cancelPayment(services.as(visitor), Number(orderId))
      held.release()
      expect(await stale).toMatchObject([{ status: 'rejected', reason: { kind: 'conflict', message: paidElsewhere } }])
    })

    it('is refused in a tab that began its payment before a changed form replaced it', async () => {
      const shop = await open()
      const form = orderForm(shop, { idempotencyKey: 'held-form-0123456789' })
      const place = (fields: object) => placeOrder(services.as(visitor), { ...form, ...fields })
      const byCard = () => place({ payment: { provider: 'stripe-card' } })
      stripe.failNext('/v1/payment_intents', 500, 2)
      await expect(byCard()).rejects.toMatchObject({ kind: 'upstream' })
      const held = stripe.holdNextResponse('/v1/payment_intents')
      const stale = Promise.allSettled([byCard()])
      await held.reached
      stripe.failNext('/v1/payment_intents', 500, 2)
      const key = 'held-form-0123456789-1'
      const changed = { firstName: 'Anna', idempotencyKey: key, replaces: form.idempotencyKey, payment: demoCard }
      expect(await place(changed)).toMatchObject({ state: 'paid' })
      held.release()
      const refused = { status: 'rejected', reason: { kind: 'conflict', message: paidElsewhere } }
      expect(await stale).toMatchObject([refused])
      // It is not replaced a second time either.
      expect(await Promise.allSettled([byCard(), place({ payment: demoCard })])).toMatchObject([refused, refused])
    })

    it('is refused in a tab that began its payment before another order by its renewal link replaced it', async () => {
      const shop = await open()
      const { buyBy } = await makeLink(shop)
      stripe.failNext('/v1/payment_intents', 500, 2)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      const held = stripe.holdNextResponse('/v1/payment_intents')
      const stale = Promise.allSettled([buyBy({ provider: 'stripe-card' })])
      await held.reached
      stripe.failNext('/v1/payment_intents', 500, 2)
      expect(await buyBy(demoCard)).toMatchObject({ state: 'paid' })
      held.release()
      expect(await stale).toMatchObject([{ status: 'rejected', reason: { kind: 'conflict', message: paidElsewhere } }])
    })

    it.each(['pending', 'paid'])('is not replaced where another tab has it %s by then', async (state) => {
      const shop = await open()
      const key = `priced-late-0123456789-${state}`
      const form = orderForm(shop, { idempotencyKey: key })
      const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
      stripe.failNext('/v1/payment_intents', 500, 4)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      let first: { orderId: number } | undefined
      const late = orderOnce(services.as(visitor), PlaceOrderInput.parse({ ...form, payment: demoCard }), {
        kind: 'subscription',
        isSame: () => true,
        async price(storefront) {
          first = await buyBy({ provider: 'stripe-card' })
          if (state === 'paid') {
            stripe.pay(await intentOf(first.orderId))
            await confirm(first)
          }
          return priceOrder(services.as(visitor), storefront, PlaceOrderInput.parse(form))
        },
      })
      const [outcome] = await Promise.allSettled([late])
      expect(outcome).toMatchObject(
        state === 'paid'
          ? { status: 'fulfilled', value: { orderId: first?.orderId, state: 'paid' } }
          : { status: 'rejected', reason: { kind: 'conflict', message: paidElsewhere } },
      )
      expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
    })

    it('is refused in a tab that read it before another replaced it', async () => {
      const shop = await open()
      const email = 'read-before@example.test'
      const form = orderForm(shop, { email, confirmEmail: email, idempotencyKey: 'read-before-0123456789' })
      const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
      stripe.failNext('/v1/payment_intents', 500, 2)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      const read = deferred()
      const released = deferred()
      const stale = orderOnce(
        services.as(visitor),
        PlaceOrderInput.parse({ ...form, payment: { provider: 'stripe-card' } }),
        {
          kind: 'subscription',
          price: () => Promise.reject(new Error('It is not a new order')),
          async isSame() {
            read.resolve()
            await released.promise
            return true
          },
        },
      )
      const outcome = Promise.allSettled([stale])
      await read.promise
      stripe.failNext('/v1/payment_intents', 500, 2)
      expect(await buyBy(demoCard)).toMatchObject({ state: 'paid' })
      released.resolve()
      expect(await outcome).toMatchObject([{ status: 'rejected', reason: { kind: 'conflict' } }])
    })
  })

  it('by a renewal link, for which Stripe does not respond, is replaced by one that is paid by another method', async () => {
    const shop = await open()
    const { buyBy, link } = await makeLink(shop)
    // Fails the order itself, the repeated order, and its cancellation, which needs its payment.
    stripe.failNext('/v1/payment_intents', 500, 6)
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
    expect((await renewalLinkPage(services.as(visitor), link)).offer?.promo).toMatchObject({ code: 'OWN-CODE' })
    expect(await buyBy(demoCard)).toMatchObject({
      state: 'paid',
    })
    const states = await statesOf(shop)
    expect(states).toEqual(['pending', 'paid'])
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await statesOf(shop)).toEqual(['cancelled', 'paid'])
  })
})
