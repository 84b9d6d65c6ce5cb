import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { cancelOrder } from '#core/orders/cancel-order.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { orderByLink } from '#core/orders/order-by-link.ts'
import { orderOnce } from '#core/orders/order-once.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { PlaceOrderInput } from '#core/orders/place-order.input.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { answerLink, renewalLinkPage } from '#core/orders/renewal-link.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { everyProduct } from '#core/promos/promo.rules.ts'
import { PromoCodes } from '#core/promos/promo-codes.rows.ts'
import { ReaderEfforts } from '#core/series/reader-efforts.rows.ts'
import { makeBackIssue, makePromo } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeEffort } from '#tests/support/renewal-links.ts'
import { issueForm, orderForm, rowsOf } from '#tests/support/shop.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, sweep, later, stateOf, intentOf } = stripeShops(
  () => services,
  () => stripe,
)
const confirm = (placed: object) => confirmOrder(services.as(visitor), placed)
const cancel = (placed: object) => cancelOrder(services.as(visitor), placed)
const paymentsOf = (orderNumber: string) =>
  stripe.payments().filter(({ metadata }) => (metadata as { orderNumber?: string }).orderNumber === orderNumber)

describe('an order by card', () => {
  it('is pending with the server’s own amount at Stripe, and paid only by Stripe’s response, once', async () => {
    const { shop, placed, intent } = await order()
    expect(placed).toMatchObject({
      state: 'pending',
      next: { kind: 'confirm', publishableKey: stripe.publishableKey, isDirectDebit: false },
    })
    expect(stripe.objects.get(intent)).toMatchObject({
      amount: 2999,
      currency: 'gbp',
      payment_method_types: ['card'],
      customer: null,
      setup_future_usage: null,
      metadata: { orderNumber: placed.orderNumber, publication: String(shop.id) },
    })
    expect(await confirm(placed)).toEqual({ state: 'pending' })
    expect(await rowsOf(services, 'readers', shop.id)).toEqual([])

    stripe.pay(intent)
    expect(await Promise.all(Array.from({ length: 4 }, () => confirm(placed)))).toEqual(
      Array(4).fill({ state: 'paid' }),
    )
    expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([{ kind: 'sale', amount: 2999 }])
    const [payment] = await services.db.query(`SELECT * FROM payments WHERE order_id = :id`, { id: placed.orderId })
    expect(payment).toMatchObject({ state: 'paid', provider_reference: intent, account_last_four: '4242' })
  })

  it('stores the customer and the card of a renewing plan for next time', async () => {
    const shop = await open()
    const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-card', shop)
    expect(stripe.objects.get(intent)).toMatchObject({ setup_future_usage: 'off_session' })
    stripe.pay(intent)
    await confirm(placed)
    const paid = stripe.objects.get(intent)
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { provider: 'stripe-card', customer_reference: paid?.customer, method_reference: paid?.payment_method },
    ])
    expect(paid?.customer).toMatch(/^cus_/)
  })

  it('begun twice, even at once, is one payment with one client secret', async () => {
    const { form, placed } = await order()
    const repeats = await Promise.all([placeOrder(services.as(visitor), form), placeOrder(services.as(visitor), form)])
    expect(repeats.map(({ next }) => next)).toEqual([placed.next, placed.next])
    expect(paymentsOf(placed.orderNumber)).toHaveLength(1)
  })

  it('begun again after it was paid is the paid order, and needs nothing more', async () => {
    const { form, placed, intent } = await order()
    stripe.pay(intent)
    expect(await placeOrder(services.as(visitor), form)).toMatchObject({
      orderNumber: placed.orderNumber,
      state: 'paid',
      next: null,
    })
  })

  it('whose first response was lost is begun with the same key, and is one payment', async () => {
    const shop = await open()
    // The library retries automatically: both responses are lost.
    stripe.dropNextResponse('/v1/payment_intents')
    stripe.dropNextResponse('/v1/payment_intents')
    const email = 'lost-answer@example.test'
    const idempotencyKey = 'lost-answer-0123456789'
    const fields = { email, confirmEmail: email, idempotencyKey }
    await expect(order(fields, 'stripe-card', shop)).rejects.toMatchObject({ kind: 'upstream' })
    const { placed } = await order(fields, 'stripe-card', shop)
    expect(placed.next).toMatchObject({ kind: 'confirm' })
    expect(paymentsOf(placed.orderNumber)).toHaveLength(1)
    expect(await rowsOf(services, 'orders', shop.id)).toHaveLength(1)
  })

  it('tells the buyer that Stripe is unavailable, and leaves the order for another attempt', async () => {
    const shop = await open()
    stripe.failNext('/v1/payment_intents', 500, 2)
    const fields = { idempotencyKey: 'stripe-is-down-0123456789', email: 'down@example.test' }
    const failed = order({ ...fields, confirmEmail: fields.email }, 'stripe-card', shop)
    await expect(failed).rejects.toMatchObject({ kind: 'upstream', message: expect.stringContaining('No money') })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'pending' }])
    const { placed } = await order({ ...fields, confirmEmail: fields.email }, 'stripe-card', shop)
    expect(placed.next).toMatchObject({ kind: 'confirm' })
  })

  it('is cancelled when its form is sent again with another way to pay, which has its promo use', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'ONCE', { uses: 1 })
    const idempotencyKey = 'another-way-0123456789'
    const fields = { idempotencyKey, email: 'another-way@example.test', plan: '1PR25.00', promoCode: 'ONCE' }
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
    // What was paid meanwhile is the order, whichever way is chosen now.
    stripe.pay(byCard.intent)
    expect((await buyBy('stripe-bacs')).placed).toMatchObject({ orderId: byCard.placed.orderId, state: 'paid' })
  })

  it('which cannot be cancelled because Stripe does not respond leaves its promo use to the one paid another way', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'LAST-USE', { uses: 1 })
    const email = 'no-response@example.test'
    const fields = { email, confirmEmail: email, idempotencyKey: 'no-response-0123456789', promoCode: 'LAST-USE' }
    const buyBy = (payment: object) => placeOrder(services.as(visitor), orderForm(shop, { ...fields, payment }))
    // The order itself, and cancelling it, which needs its payment.
    stripe.failNext('/v1/payment_intents', 500, 4)
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
    expect(await buyBy({ provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } })).toMatchObject({
      state: 'paid',
    })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
    later(61)
    await sweep()
    expect((await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
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
    expect(await buyBy({ provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } })).toMatchObject({
      state: 'paid',
    })
    expect((await rowsOf(services, 'orders', shop.id)).map((row) => row.state)).toEqual([state, 'paid'])
    later(61)
    await sweep()
    expect((await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
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
      const byDemo = { ...fields, payment: { provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } } }
      await expect(place({ ...byDemo, replaces: `${key}-2, ` })).rejects.toMatchObject({ kind: 'invalid' })
      const placed = await place(byDemo)
      expect(placed).toMatchObject({ state: 'paid' })
      expect(await place(byDemo)).toEqual(placed)
      expect((await rowsOf(services, 'orders', shop.id)).map((row) => row.state)).toEqual([state, 'paid'])
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
    expect((await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)).toEqual(['cancelled', 'pending'])
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

  describe('whose copy and promo use were released for another way to pay, which was refused', () => {
    const byDemo = { provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } }
    async function releasedBy(buyBy: (payment: object) => Promise<unknown>) {
      // The order itself, and cancelling it, which needs its payment.
      stripe.failNext('/v1/payment_intents', 500, 4)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      await expect(buyBy({ provider: 'paypal' })).rejects.toMatchObject({ fields: { payment: expect.anything() } })
    }

    it('takes the copy again when it is continued', async () => {
      const shop = await open({ sellsBackIssues: true })
      const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 1 })
      const form = issueForm(shop, [issueId])
      const buyBy = (payment: object) => placeBackIssueOrder(services.as(visitor), { ...form, payment })
      await releasedBy(buyBy)
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 1 }])
      const placed = await buyBy({ provider: 'stripe-card' })
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
      expect(await buyBy({ provider: 'stripe-card' })).toEqual(placed)
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
      expect(await cancel(placed)).toMatchObject({ state: 'cancelled' })
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 1 }])
    })

    it.each([
      ['paid', '4242 4242 4242 4242'],
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

    it('is refused in a tab that read it before another replaced it', async () => {
      const shop = await open()
      const email = 'read-before@example.test'
      const form = orderForm(shop, { email, confirmEmail: email, idempotencyKey: 'read-before-0123456789' })
      const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
      stripe.failNext('/v1/payment_intents', 500, 2)
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
      let [reached, goOn] = [() => {}, () => {}]
      const read = new Promise<void>((resolve) => {
        reached = resolve
      })
      const until = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const stale = orderOnce(
        services.as(visitor),
        PlaceOrderInput.parse({ ...form, payment: { provider: 'stripe-card' } }),
        {
          kind: 'subscription',
          price: () => Promise.reject(new Error('It is not a new order')),
          async isSame() {
            reached()
            await until
            return true
          },
        },
      )
      const outcome = Promise.allSettled([stale])
      await read
      stripe.failNext('/v1/payment_intents', 500, 2)
      expect(await buyBy(byDemo)).toMatchObject({ state: 'paid' })
      goOn()
      expect(await outcome).toMatchObject([{ status: 'rejected', reason: { kind: 'conflict' } }])
    })

    it('is refused once another buyer has the last copy', async () => {
      const shop = await open({ sellsBackIssues: true })
      const { id: issueId } = await makeBackIssue(services, shop.id, { stock: 1 })
      const form = issueForm(shop, [issueId])
      const buyBy = (payment: object) => placeBackIssueOrder(services.as(visitor), { ...form, payment })
      await releasedBy(buyBy)
      const other = issueForm(shop, [issueId], { payment: byDemo })
      expect(await placeBackIssueOrder(services.as(visitor), other)).toMatchObject({ state: 'paid' })
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({
        ...{ kind: 'invalid', fields: { backIssues: expect.anything() } },
      })
      expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 0 }])
    })

    it('is refused once another buyer has the last use of its promo code', async () => {
      const shop = await open()
      await makePromo(services, shop.id, 'LAST-ONE', { uses: 1 })
      const form = orderForm(shop, { promoCode: 'LAST-ONE' })
      const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
      await releasedBy(buyBy)
      const other = orderForm(shop, { promoCode: 'LAST-ONE', payment: byDemo })
      expect(await placeOrder(services.as(visitor), other)).toMatchObject({ state: 'paid' })
      await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({
        ...{ kind: 'invalid', fields: { promoCode: expect.anything() } },
      })
      expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
    })
  })

  it('by a renewal link, for which Stripe does not respond, is replaced by one that is paid another way', async () => {
    const shop = await open()
    const readerId = await makeReader(services, shop.id, { email: 'linked@example.test', postCode: 'TR11 3LH' })
    const { id: effortId, key } = await makeEffort(services, readerId)
    const promoCodeId = await makePromo(services, shop.id, 'OWN-CODE', { uses: 1, applicableProducts: everyProduct })
    await PromoCodes.update(services, { id: promoCodeId }, { readerId })
    await ReaderEfforts.update(services, { id: effortId }, { promoCodeId })
    const link = { urlKey: shop.urlKey, key }
    const { proof } = await answerLink(services.as(visitor), { ...link, answer: 'TR11 3LH' })
    const form = { ...orderForm(shop, { email: 'linked@example.test', promoCode: 'OWN-CODE' }), ...link, proof }
    const buyBy = (payment: object) => orderByLink(services.as(visitor), { ...form, payment })
    // The order itself, the same once more, and cancelling it, which needs its payment.
    stripe.failNext('/v1/payment_intents', 500, 6)
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'upstream' })
    expect((await renewalLinkPage(services.as(visitor), link)).offer?.promo).toMatchObject({ code: 'OWN-CODE' })
    expect(await buyBy({ provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } })).toMatchObject({
      state: 'paid',
    })
    const states = (await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)
    expect(states).toEqual(['pending', 'paid'])
    later(61)
    await sweep()
    expect((await rowsOf(services, 'orders', shop.id)).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
  })

  it('stays pending while Stripe does not respond, and is paid by the next request', async () => {
    const { placed, intent } = await order()
    stripe.pay(intent)
    stripe.failNext(`/v1/payment_intents/${intent}`, 503, 2)
    expect(await confirm(placed)).toEqual({ state: 'pending' })
    expect(await confirm(placed)).toEqual({ state: 'paid' })
  })

  it('of a different amount from the order’s is never fulfilled, and is held for staff to check', async () => {
    const { shop, placed, intent } = await order()
    stripe.pay(intent)
    stripe.setPayment(intent, { amount_received: 1 })
    expect(await confirm(placed)).toEqual({ state: 'pending' })
    expect(await stateOf(placed.orderId)).toEqual({ order: 'pending', payment: 'mismatch' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toEqual([])
  })

  it('that was declined can be paid by another card with the same form', async () => {
    const { placed, intent } = await order()
    expect(() => stripe.pay(intent, stripeCards.declined)).toThrow('declined')
    expect(await confirm(placed)).toEqual({ state: 'pending' })
    stripe.pay(intent)
    expect(await confirm(placed)).toEqual({ state: 'paid' })
  })

  it('below Stripe’s minimum is refused with a message for the buyer', async () => {
    const shop = await open()
    await services.db.run(`UPDATE publication_prices SET amount = 29 WHERE publication_id = :id`, { id: shop.id })
    await makePromo(services, shop.id, 'LAST-ONE', { uses: 1 })
    const fields = { plan: '1PN0.29', promoCode: 'LAST-ONE', idempotencyKey: 'too-small-0123456789' }
    const form = orderForm(shop, fields)
    const buyBy = (payment: object) => placeOrder(services.as(visitor), { ...form, payment })
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({
      kind: 'invalid',
      fields: { payment: expect.stringContaining('too small for this payment method') },
    })
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    // The same again is over; another way to pay is a new order, with the code.
    await expect(buyBy({ provider: 'stripe-card' })).rejects.toMatchObject({ kind: 'conflict' })
    const byBank = { provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } }
    const placed = await buyBy(byBank)
    expect(placed).toMatchObject({ state: 'paid' })
    expect(await buyBy(byBank)).toMatchObject({ orderId: placed.orderId })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
  })
})

describe('a buyer who cancels', () => {
  it('releases the promo use, and can never pay that order again', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'ONLY-ONE', { uses: 1 })
    const { placed, intent } = await order({ promoCode: 'ONLY-ONE' }, 'stripe-card', shop)
    expect(await cancel(placed)).toMatchObject({ state: 'cancelled' })
    expect(stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
    expect(() => stripe.pay(intent)).toThrow('cannot be confirmed')
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    expect(await cancel(placed)).toMatchObject({ state: 'cancelled' })
  })

  it('just as the money is taken has an order', async () => {
    const { shop, placed, intent } = await order()
    // Stripe has reported the payment as "open"; before the cancel call arrives, the card is charged.
    const held = stripe.holdNextResponse(`/v1/payment_intents/${intent}`)
    const cancelling = cancel(placed)
    await held.reached
    stripe.pay(intent)
    held.release()
    expect(await cancelling).toMatchObject({ state: 'paid' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })
})

describe('the sweep', () => {
  it('settles payments whose buyers never came back, and cancels orders unpaid after an hour', async () => {
    const [paid, left] = [await order(), await order()]
    stripe.pay(paid.intent)
    later(11)
    await sweep()
    expect(await stateOf(paid.placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await stateOf(left.placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
    later(50)
    await sweep()
    expect(await stateOf(left.placed.orderId)).toEqual({ order: 'cancelled', payment: 'cancelled' })
    expect(stripe.objects.get(left.intent)).toMatchObject({ status: 'canceled' })
  })

  it('cancels an order whose payment was begun without a response', async () => {
    const shop = await open()
    stripe.dropNextResponse('/v1/payment_intents')
    stripe.dropNextResponse('/v1/payment_intents')
    await expect(order({}, 'stripe-card', shop)).rejects.toMatchObject({ kind: 'upstream' })
    const [before] = await rowsOf(services, 'orders', shop.id)
    expect(await intentOf(Number(before?.id))).toBe('')
    later(61)
    await sweep()
    expect(await rowsOf(services, 'orders', shop.id)).toMatchObject([{ state: 'cancelled' }])
    expect(paymentsOf(String(before?.order_number))).toMatchObject([{ status: 'canceled' }])
  })

  it('is not delayed by orders for which Stripe does not respond', async () => {
    const [lost, paid] = [await order(), await order()]
    stripe.objects.delete(lost.intent)
    stripe.pay(paid.intent)
    later(11)
    expect(await sweep()).toMatchObject({ failed: 1 })
    expect(await stateOf(lost.placed.orderId)).toEqual({ order: 'pending', payment: 'pending' })
    expect(await stateOf(paid.placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
  })
})

it('logs Stripe’s failures by their codes, and never a key', async () => {
  const { placed } = await order()
  const { secretKey } = stripe
  await services.db.run(
    `UPDATE accounts SET stripe_secret_key = NULL WHERE user_id = (SELECT publisher_id FROM orders WHERE id = :id)`,
    {
      id: placed.orderId,
    },
  )
  const logged: unknown[] = []
  const log = { info: () => {}, warn: (fields: unknown) => logged.push(fields), error: () => {} }
  expect(await confirmOrder({ ...services.as(visitor), log }, placed)).toEqual({ state: 'pending' })
  expect(JSON.stringify(logged)).not.toContain(secretKey)
  expect(logged).toHaveLength(1)
})
