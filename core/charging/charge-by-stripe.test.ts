import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { completeCardUpdate } from '#core/payments/finish-card-update.ts'
import { receivePaymentEvent } from '#core/payments/receive-payment-event.ts'
import { startCardUpdate } from '#core/payments/start-card-update.ts'
import { planDay } from '#core/renewals/plan-renewals.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { stripeAccounts, stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDay } from './charge-renewals.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, sweep, later, runSettling, intentOf } = stripeShops(
  () => services,
  () => stripe,
)

const at = (moment: string) => {
  services.clock.now = new Date(moment)
}
const system = () => services.as({ kind: 'system' })

/** A year of print that renews on 22/11/2027, bought at Stripe with this card or account. */
async function subscribed(number: string = stripeCards.paid, provider: 'stripe-card' | 'stripe-bacs' = 'stripe-card') {
  at('2026-11-22T10:00:00Z')
  const shop = await open()
  const { placed, intent } = await order({ plan: '1PR25.00' }, provider, shop)
  stripe.pay(intent, number)
  expect(await confirmOrder(services.as(visitor), placed)).toEqual({ state: 'paid' })
  const { id, publisherId } = shop
  // Its notice goes in time.
  at('2027-10-23T05:00:00Z')
  await planDay(system(), '2027-10-23')
  return {
    shop,
    first: intent,
    runDay: async (day: string) => {
      at(`${day}T05:00:00Z`)
      await planDay(system(), day)
      return chargeDay(system(), day, { publicationId: id })
    },
    renewal: async () => (await rowsOf(services, 'renewals', id)).at(-1) as Record<string, unknown>,
    /** The attempts to renew, oldest first. */
    attempts: async () => (await rowsOf(services, 'orders', id)).filter((one) => one.renewal_id !== null),
    agreement: async () => (await rowsOf(services, 'payment_agreements', id)).at(-1) as Record<string, unknown>,
    /** The renewals that money was taken for at Stripe. */
    taken: () =>
      stripe.payments().filter(({ id: one, status, metadata }) => {
        const { publication } = metadata as { publication?: string }
        return one !== intent && publication === String(id) && (status === 'succeeded' || status === 'processing')
      }),
    lastIntent: async () => intentOf(Number((await rowsOf(services, 'orders', id)).at(-1)?.id)),
    send: (about: string, type: string, eventId: string) =>
      receivePaymentEvent(services.as(visitor), {
        sender: 'stripe',
        publisherId,
        ...stripe.message({ about, type, id: eventId, at: services.clock.now }),
      }),
  }
}

const renewsOn = '2027-11-22'
const paidOnce = { state: 'paid', sub_start_on: '2027-11-23', sub_end_on: '2028-11-22' }

describe('a renewal by card at Stripe', () => {
  it('is charged without the reader, once, by what was agreed', async () => {
    const { runDay, renewal, attempts, agreement, taken } = await subscribed()
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 1 })
    expect(await runDay(renewsOn)).toMatchObject({ charged: 0 })
    expect(await attempts()).toMatchObject([{ ...paidOnce, amount: 2500 }])
    expect(await renewal()).toMatchObject({ state: 'paid', attempts: 1 })
    const { customer_reference: customer, method_reference: method } = await agreement()
    expect(taken()).toMatchObject([{ amount: 2500, customer, payment_method: method }])
  })

  it('that is declined for now is tried again, and paid by then follows the old term', async () => {
    const { runDay, renewal, attempts, agreement, taken } = await subscribed(stripeCards.declinedLater)
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 0 })
    expect(await renewal()).toMatchObject({
      ...{ state: 'retrying', next_try_on: '2027-11-23', decline_code: 'insufficient_funds' },
    })
    stripe.turnCard(String((await agreement()).method_reference), stripeCards.paid)
    expect(await runDay('2027-11-23')).toMatchObject({ charged: 1, paid: 1 })
    expect(await attempts()).toMatchObject([{ state: 'declined' }, paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it.each([
    [stripeCards.lostLater, 'lost_card'],
    [stripeCards.neverAgainLater, 'generic_decline'],
  ])('that is declined for good (%s) waits for another card', async (number, code) => {
    const { runDay, renewal, attempts, taken } = await subscribed(number)
    await runDay(renewsOn)
    expect(await renewal()).toMatchObject({ state: 'waiting', next_try_on: null, decline_code: code })
    expect(await runDay('2027-11-30')).toMatchObject({ charged: 0 })
    expect(await attempts()).toHaveLength(1)
    expect(taken()).toEqual([])
  })

  it('that the bank wants the reader for stays open past the hour, and is paid by them within grace', async () => {
    const { runDay, renewal, attempts, agreement, lastIntent, send } = await subscribed(stripeCards.needsBuyerLater)
    const before = await agreement()
    await runDay(renewsOn)
    expect(await renewal()).toMatchObject({ state: 'waiting', reason: expect.stringContaining('confirm') })
    later(61)
    await sweep()
    at('2027-12-10T12:00:00Z')
    await sweep()
    expect(await attempts()).toMatchObject([{ state: 'pending' }])
    const intent = await lastIntent()
    stripe.pay(intent, stripeCards.paid)
    await send(intent, 'payment_intent.succeeded', 'evt_confirmed')
    expect(await runSettling()).toBe(1)
    expect(await attempts()).toMatchObject([paidOnce])
    expect(await renewal()).toMatchObject({ state: 'paid' })
    // The card that they paid with is charged from now on.
    const after = await agreement()
    expect(after).toMatchObject({ renews_on: '2028-11-22', last_four: '4242' })
    expect(after.method_reference).not.toBe(before.method_reference)
  })

  it.each([
    ['was declined for good', stripeCards.lostLater, 'declined'],
    ['waits for its next day', stripeCards.declinedLater, 'declined'],
    ['waits for the reader', stripeCards.needsBuyerLater, 'cancelled'],
  ])('that %s is due at once with another card, and charged once', async (_, number, before) => {
    const { shop, runDay, renewal, attempts, agreement, lastIntent, taken } = await subscribed(number)
    await runDay(renewsOn)
    const last = await lastIntent()
    const { id: agreementId, buyer_id: buyerId } = await agreement()
    const reader = services.as({ kind: 'buyer', buyerId: Number(buyerId), publicationId: shop.id })
    const { clientSecret } = await startCardUpdate(reader, { agreementId })
    const [reference = ''] = clientSecret.split('_secret_')
    stripe.pay(reference, stripeCards.paid)
    await completeCardUpdate(reader, { agreementId, reference })
    expect(await agreement()).toMatchObject({ last_four: '4242', expires_on: '2034-12-31' })
    expect(await renewal()).toMatchObject({ state: 'retrying', next_try_on: renewsOn })
    expect(await chargeDay(system(), renewsOn, { publicationId: shop.id })).toMatchObject({ charged: 1, paid: 1 })
    expect(await attempts()).toMatchObject([{ state: before }, paidOnce])
    expect(stripe.objects.get(last)).toMatchObject({ status: 'canceled' })
    expect(taken()).toMatchObject([{ payment_method: (await agreement()).method_reference }])
  })

  it('that its reader pays while they give another card is not charged again', async () => {
    const { shop, runDay, attempts, agreement, lastIntent, taken } = await subscribed(stripeCards.needsBuyerLater)
    await runDay(renewsOn)
    const { id: agreementId, buyer_id: buyerId } = await agreement()
    const reader = services.as({ kind: 'buyer', buyerId: Number(buyerId), publicationId: shop.id })
    const { clientSecret } = await startCardUpdate(reader, { agreementId })
    const [reference = ''] = clientSecret.split('_secret_')
    stripe.pay(reference, stripeCards.paid)
    await completeCardUpdate(reader, { agreementId, reference })
    stripe.pay(await lastIntent(), stripeCards.paid)
    expect(await chargeDay(system(), renewsOn, { publicationId: shop.id })).toMatchObject({ paid: 1 })
    expect(await attempts()).toMatchObject([paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it('whose payment was made and whose answer was lost is charged by the next attempt, once', async () => {
    const { shop, runDay, renewal, attempts, taken } = await subscribed()
    // The library asks once more by itself: both answers are lost.
    for (const _ of [1, 2]) stripe.dropAnswerTo('/v1/payment_intents')
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 0 })
    expect(taken()).toEqual([])
    later(61)
    await sweep()
    expect(await renewal()).toMatchObject({ state: 'retrying', next_try_on: renewsOn })
    expect(await chargeDay(system(), renewsOn, { publicationId: shop.id })).toMatchObject({ charged: 1, paid: 1 })
    expect(await attempts()).toMatchObject([{ state: 'cancelled' }, paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it('that was charged and whose answer was lost is asked for, and never charged again', async () => {
    const { shop, runDay, renewal, attempts, taken } = await subscribed()
    const confirming = stripe.dropConfirms(2)
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 0 })
    expect(confirming.lost()).toBe(2)
    expect(await renewal()).toMatchObject({ state: 'charging' })
    expect(await chargeDay(system(), renewsOn, { publicationId: shop.id })).toMatchObject({ charged: 0 })
    later(11)
    await sweep()
    expect(await attempts()).toMatchObject([paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it('that Stripe is told of twice, days apart, is one sale', async () => {
    const { shop, runDay, lastIntent, send, attempts } = await subscribed()
    await runDay(renewsOn)
    const intent = await lastIntent()
    await send(intent, 'payment_intent.succeeded', 'evt_first')
    at('2027-11-27T05:00:00Z')
    await send(intent, 'payment_intent.succeeded', 'evt_first')
    await send(intent, 'payment_intent.succeeded', 'evt_second')
    expect(await runSettling()).toBe(2)
    expect(await attempts()).toMatchObject([paidOnce])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
  })
})

describe('a renewal by direct debit at Stripe', () => {
  it('is taken while the bank works on it, and paid days later', async () => {
    const { runDay, attempts, renewal, lastIntent, taken } = await subscribed(stripeAccounts.right, 'stripe-bacs')
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 1 })
    expect(taken()).toMatchObject([{ status: 'processing' }])
    expect(await attempts()).toMatchObject([paidOnce])
    stripe.finishDebit(await lastIntent(), 'paid')
    at('2027-11-26T05:00:00Z')
    await sweep()
    expect(await renewal()).toMatchObject({ state: 'paid' })
    expect(taken()).toMatchObject([{ status: 'succeeded' }])
  })

  it.each([
    ['insufficient_funds', { state: 'retrying', decline_code: 'insufficient_funds' }],
    ['debit_not_authorized', { state: 'waiting', next_try_on: null, decline_code: 'debit_not_authorized' }],
  ])('that the bank does not pay after all (%s) takes term and money back, once', async (code, after) => {
    const { shop, runDay, renewal, attempts, lastIntent, send, taken } = await subscribed(
      stripeAccounts.right,
      'stripe-bacs',
    )
    await runDay(renewsOn)
    const intent = await lastIntent()
    stripe.finishDebit(intent, 'failed', code)
    at('2027-11-26T05:00:00Z')
    await send(intent, 'payment_intent.payment_failed', `evt_${code}`)
    await runSettling()
    await sweep()
    expect(await attempts()).toMatchObject([{ state: 'reversed' }])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: renewsOn }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([
      { amount: 2500 },
      { amount: 2500 },
      { amount: -2500 },
    ])
    expect(await renewal()).toMatchObject(after)
    expect(taken()).toEqual([])
    expect(stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
  })
})
