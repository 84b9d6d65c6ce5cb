import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { followTerm } from '#core/agreements/payment-agreements.rows.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { finishCardUpdate } from '#core/payments/finish-card-update.ts'
import { receivePaymentEvent } from '#core/payments/receive-payment-event.ts'
import { startCardUpdate } from '#core/payments/start-card-update.ts'
import { areKeysRefused, failedRenewals } from '#core/renewals/failed-renewals.query.ts'
import { mailCardLink } from '#core/renewals/mail-card-link.ts'
import { renewKey } from '#core/renewals/renew-link.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf } from '#tests/support/factories.ts'
import { orderForm, rowsOf } from '#tests/support/shop.ts'
import { stripeAccounts, stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeDueRenewals } from './charge-renewals.ts'
import { lapseRenewals } from './lapse-renewals.ts'
import { confirmByLink, giveCardByLink, renewalByLink, settleByLink, startCardByLink } from './renew-by-link.ts'
import { retryRenewal } from './retry-renewal.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, sweep, runSettling, intentOf } = stripeShops(
  () => services,
  () => stripe,
)

const system = () => services.as({ kind: 'system' })

/** A year of print that renews on 22/11/2027, bought at Stripe with this card or account. */
async function makeSubscription(
  number: string = stripeCards.paid,
  provider: 'stripe-card' | 'stripe-bacs' = 'stripe-card',
) {
  services.clock.set('2026-11-22T10:00:00Z')
  const shop = await open()
  const { placed, intent } = await order({ plan: '1PR25.00' }, provider, shop)
  stripe.pay(intent, number)
  expect(await confirmOrder(services.as(visitor), placed)).toMatchObject({ state: 'paid' })
  const { id, publisherId } = shop
  // Its notice is sent in time.
  services.clock.set('2027-10-23T05:00:00Z')
  await announceRenewals(system(), '2027-10-23')
  return {
    shop,
    runDay: async (day: string) => {
      services.clock.set(`${day}T05:00:00Z`)
      await announceRenewals(system(), day)
      return chargeDueRenewals(system(), day, { publicationId: id })
    },
    renewal: async () => (await rowsOf(services, 'renewals', id)).at(-1) as Record<string, unknown>,
    /** The attempts to renew, oldest first. */
    attempts: async () => (await rowsOf(services, 'orders', id)).filter((row) => row.renewal_id !== null),
    agreement: async () => (await rowsOf(services, 'payment_agreements', id)).at(-1) as Record<string, unknown>,
    /** The renewals that were charged at Stripe. */
    taken: () =>
      stripe.payments().filter(({ id: paymentId, status, metadata }) => {
        const { publication } = metadata as { publication?: string }
        return paymentId !== intent && publication === String(id) && (status === 'succeeded' || status === 'processing')
      }),
    lastIntent: async () => intentOf(Number((await rowsOf(services, 'orders', id)).at(-1)?.id)),
    audited: (action: string) =>
      services.db.query(`SELECT id FROM audit_log WHERE publisher_id = :publisherId AND action = :action`, {
        publisherId,
        action,
      }),
    send: (about: string, type: string, eventId: string, to = publisherId) =>
      receivePaymentEvent(services.as(visitor), {
        sender: 'stripe',
        publisherId: to,
        ...stripe.message({ about, type, id: eventId, at: services.clock.now }),
      }),
  }
}

const renewsOn = '2027-11-22'
const paidOnce = { state: 'paid', sub_start_on: '2027-11-23', sub_end_on: '2028-11-22' }

/** Enters another card through the emailed link of a renewal, as the browser does. */
function giveCardFor({ id, grace_until: until }: Record<string, unknown>) {
  const key = renewKey(services.settings.appSecret, { renewalId: Number(id), until: String(until) })
  return async (number: string) => {
    const [reference = ''] = (await startCardByLink(services.as(visitor), { key })).clientSecret.split('_secret_')
    stripe.pay(reference, number)
    return giveCardByLink(services.as(visitor), { key, reference })
  }
}

describe('a renewal by card at Stripe', () => {
  it('is charged off-session, once, as agreed', async () => {
    const { runDay, renewal, attempts, agreement, taken } = await makeSubscription()
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 1 })
    expect(await runDay(renewsOn)).toMatchObject({ charged: 0 })
    expect(await attempts()).toMatchObject([{ ...paidOnce, amount: 2500 }])
    expect(await renewal()).toMatchObject({ state: 'paid', attempts: 1 })
    const { customer_reference: customer, method_reference: method } = await agreement()
    expect(taken()).toMatchObject([{ amount: 2500, customer, payment_method: method }])
  })

  it('that is declined temporarily is retried, and once paid follows the old term', async () => {
    const { runDay, renewal, attempts, agreement, taken } = await makeSubscription(stripeCards.declinedLater)
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 0 })
    expect(await renewal()).toMatchObject({
      state: 'retrying',
      next_try_on: '2027-11-23',
      decline_code: 'insufficient_funds',
    })
    stripe.setCardNumber(String((await agreement()).method_reference), stripeCards.paid)
    expect(await runDay('2027-11-23')).toMatchObject({ charged: 1, paid: 1 })
    expect(await attempts()).toMatchObject([{ state: 'declined' }, paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it.each([
    [stripeCards.lostLater, 'lost_card'],
    [stripeCards.doNotTryAgainLater, 'generic_decline'],
  ])('that is declined for good (%s) waits for another card', async (number, code) => {
    const { runDay, renewal, attempts, taken } = await makeSubscription(number)
    await runDay(renewsOn)
    expect(await renewal()).toMatchObject({ state: 'waiting', next_try_on: null, decline_code: code })
    expect(await runDay('2027-11-30')).toMatchObject({ charged: 0 })
    expect(await attempts()).toHaveLength(1)
    expect(taken()).toEqual([])
  })

  it('that needs authentication stays open past the hour, and is paid by the reader within the grace period', async () => {
    const { runDay, renewal, attempts, agreement, lastIntent, send } = await makeSubscription(
      stripeCards.needsBuyerLater,
    )
    const before = await agreement()
    await runDay(renewsOn)
    expect(await renewal()).toMatchObject({ state: 'waiting', reason: expect.stringContaining('confirm') })
    services.clock.advance({ minutes: 61 })
    await sweep()
    services.clock.set('2027-12-10T12:00:00Z')
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
  ])('that %s is due at once with another card, and charged once', async (_, number, firstState) => {
    const { shop, runDay, renewal, attempts, agreement, lastIntent, taken } = await makeSubscription(number)
    await runDay(renewsOn)
    const firstPayment = await lastIntent()
    const { id: agreementId, buyer_id: buyerId } = await agreement()
    const reader = services.as({ kind: 'buyer', buyerId: Number(buyerId), publicationId: shop.id })
    const { clientSecret } = await startCardUpdate(reader, { agreementId })
    const [reference = ''] = clientSecret.split('_secret_')
    stripe.pay(reference, stripeCards.paid)
    await finishCardUpdate(reader, { agreementId, reference })
    expect(await agreement()).toMatchObject({ last_four: '4242', expires_on: '2034-12-31' })
    expect(await renewal()).toMatchObject({ state: 'retrying', next_try_on: renewsOn })
    expect(await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })).toMatchObject({
      charged: 1,
      paid: 1,
    })
    expect(await attempts()).toMatchObject([{ state: firstState }, paidOnce])
    expect(stripe.objects.get(firstPayment)).toMatchObject({ status: 'canceled' })
    expect(taken()).toMatchObject([{ payment_method: (await agreement()).method_reference }])
  })

  it('that its reader pays while entering another card is not charged again', async () => {
    const { shop, runDay, attempts, agreement, lastIntent, taken } = await makeSubscription(stripeCards.needsBuyerLater)
    await runDay(renewsOn)
    const { id: agreementId, buyer_id: buyerId } = await agreement()
    const reader = services.as({ kind: 'buyer', buyerId: Number(buyerId), publicationId: shop.id })
    const { clientSecret } = await startCardUpdate(reader, { agreementId })
    const [reference = ''] = clientSecret.split('_secret_')
    stripe.pay(reference, stripeCards.paid)
    await finishCardUpdate(reader, { agreementId, reference })
    stripe.pay(await lastIntent(), stripeCards.paid)
    expect(await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })).toMatchObject({ paid: 1 })
    expect(await attempts()).toMatchObject([paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it('that needs authentication is confirmed by an emailed link, with the card that was charged', async () => {
    const { runDay, renewal, attempts, agreement, lastIntent, taken } = await makeSubscription(
      stripeCards.needsBuyerLater,
    )
    await runDay(renewsOn)
    const card = (await agreement()).method_reference
    const { id, grace_until: until } = await renewal()
    const key = renewKey(services.settings.appSecret, { renewalId: Number(id), until: String(until) })
    const visitorCtx = services.as(visitor)
    expect(await renewalByLink(visitorCtx, { key })).toMatchObject({
      needsConfirmation: true,
      card: { provider: 'stripe' },
    })
    const step = await confirmByLink(visitorCtx, { key })
    if (step?.kind !== 'confirm') throw new Error('Nothing is to be confirmed')
    expect(step).toMatchObject({ cardReference: card, publishableKey: stripe.publishableKey })
    // Only Stripe's response counts.
    expect(await settleByLink(visitorCtx, { key })).toBe('unconfirmed')
    expect(() => stripe.confirm(step.clientSecret, String(card), 'failed')).toThrow('authenticate')
    expect(await settleByLink(visitorCtx, { key })).toBe('unconfirmed')
    expect(await renewalByLink(visitorCtx, { key })).toMatchObject({ state: 'due', needsConfirmation: true })
    // Confirmation can be requested again after the bank declined it.
    expect(await confirmByLink(visitorCtx, { key })).toEqual(step)
    // A bank that takes its time has not declined.
    stripe.setPayment(await lastIntent(), { status: 'processing' })
    expect(await settleByLink(visitorCtx, { key })).toBe('processing')
    stripe.setPayment(await lastIntent(), { status: 'requires_action' })
    stripe.confirm(step.clientSecret, String(card))
    expect(await settleByLink(visitorCtx, { key })).toBe('paid')
    expect(await settleByLink(visitorCtx, { key })).toBe('paid')
    expect(await attempts()).toMatchObject([paidOnce])
    expect(taken()).toHaveLength(1)
    expect(await agreement()).toMatchObject({ method_reference: card, renews_on: '2028-11-22' })
    expect(await confirmByLink(visitorCtx, { key })).toBeNull()
  })

  it('is not charged to the same lost card when it is entered again, by an emailed link or in the account', async () => {
    const { shop, runDay, renewal, agreement } = await makeSubscription(stripeCards.lostLater)
    await runDay(renewsOn)
    const payments = stripe.payments().length
    const giveCard = giveCardFor(await renewal())
    expect(await giveCard(stripeCards.lostLater)).toBe('declined')
    expect(await agreement()).toMatchObject({ card_stop_code: 'lost_card' })
    const { id: agreementId, buyer_id: buyerId } = await agreement()
    const reader = services.as({ kind: 'buyer', buyerId: Number(buyerId), publicationId: shop.id })
    const [reference = ''] = (await startCardUpdate(reader, { agreementId })).clientSecret.split('_secret_')
    stripe.pay(reference, stripeCards.lostLater)
    expect(await finishCardUpdate(reader, { agreementId, reference })).toEqual({ isNew: true })
    await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })
    expect(stripe.payments()).toHaveLength(payments)
    expect(await giveCard(stripeCards.paid)).toBe('paid')
    expect(await agreement()).toMatchObject({ card_stop_code: null, last_four: '4242' })
  })

  it('is charged at most twelve times to the same card number, entered again by an emailed link', async () => {
    const { runDay, renewal, attempts } = await makeSubscription(stripeCards.declinedLater)
    await runDay(renewsOn)
    const giveCard = giveCardFor(await renewal())
    for (let count = 2; count <= 14; count++) {
      services.clock.advance({ minutes: 61 })
      expect(await giveCard(stripeCards.declinedLater)).toBe('declined')
    }
    expect(await attempts()).toHaveLength(12)
    await chargeDueRenewals(system(), renewsOn)
    expect(await attempts()).toHaveLength(12)
    expect(await giveCard(stripeCards.paid)).toBe('paid')
  })

  it('whose payment was created but whose response was lost is charged once, by the next attempt', async () => {
    const { shop, runDay, renewal, attempts, taken } = await makeSubscription()
    // The library retries once on its own: both responses are lost.
    for (const _ of [1, 2]) stripe.dropNextResponse('/v1/payment_intents')
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 0 })
    expect(taken()).toEqual([])
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await renewal()).toMatchObject({ state: 'retrying', next_try_on: renewsOn })
    expect(await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })).toMatchObject({
      charged: 1,
      paid: 1,
    })
    expect(await attempts()).toMatchObject([{ state: 'cancelled' }, paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it('that was charged but whose response was lost is looked up, and never charged again', async () => {
    const { shop, runDay, renewal, attempts, taken } = await makeSubscription()
    const droppedConfirms = stripe.dropConfirms(2)
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 0 })
    expect(droppedConfirms.lost()).toBe(2)
    expect(await renewal()).toMatchObject({ state: 'charging' })
    expect(await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })).toMatchObject({ charged: 0 })
    services.clock.advance({ minutes: 11 })
    await sweep()
    expect(await attempts()).toMatchObject([paidOnce])
    expect(taken()).toHaveLength(1)
  })

  it('whose response arrives after it was cancelled and charged again takes no money a second time', async () => {
    const { shop, runDay, attempts, taken } = await makeSubscription()
    const heldResponse = stripe.holdNextResponse('/v1/payment_intents')
    const lateRun = runDay(renewsOn)
    await heldResponse.reached
    services.clock.advance({ minutes: 61 })
    await sweep()
    expect(await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })).toMatchObject({
      charged: 1,
      paid: 1,
    })
    heldResponse.release()
    expect(await lateRun).toMatchObject({ paid: 0 })
    await sweep()
    expect(await attempts()).toMatchObject([{ state: 'cancelled' }, paidOnce])
    expect(taken()).toHaveLength(1)
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
  })

  it('paid after a new order replaced its agreement moves the end of the new agreement, and a refund moves it back', async () => {
    const { shop, runDay, attempts, agreement } = await makeSubscription()
    const heldResponse = stripe.holdNextResponse('/v1/payment_intents')
    const lateRun = runDay(renewsOn)
    await heldResponse.reached
    const [buyer] = await rowsOf(services, 'buyers', shop.id)
    const actor = { kind: 'buyer', buyerId: Number(buyer?.id), publicationId: shop.id } as const
    const payment = { provider: 'demo', details: { cardNumber: '4242 4242 4242 4242' } }
    const form = orderForm(shop, { plan: '1PR25.00', email: String(buyer?.email), isSecondMeant: true, payment })
    expect(await placeOrder(services.as(actor), form)).toMatchObject({ state: 'paid' })
    expect(await agreement()).toMatchObject({ state: 'active', renews_on: '2028-11-22' })
    heldResponse.release()
    expect(await lateRun).toMatchObject({ paid: 1 })
    expect(await agreement()).toMatchObject({ state: 'active', renews_on: '2029-11-22', paid_end_on: null })
    // An edit that shortens the record does not shorten what was paid.
    const setEnd = (endOn: string) =>
      services.db.run(`UPDATE readers SET sub_end_on = :endOn WHERE publication_id = :id`, { id: shop.id, endOn })
    await runDay('2028-10-23')
    await setEnd('2029-05-22')
    await runDay('2029-04-22')
    expect(await agreement()).toMatchObject({ renews_on: '2029-11-22', paid_end_on: null })
    await setEnd('2029-11-22')
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    services.clock.set('2027-12-01T10:00:00Z')
    await refundOrder(staff, { id: Number((await attempts())[0]?.id), scope: 'whole', method: 'hand', reason: 'Twice' })
    expect(await agreement()).toMatchObject({ state: 'active', renews_on: '2028-11-22', paid_end_on: null })
  })

  it('that Stripe reports twice, days apart, is one sale', async () => {
    const { shop, runDay, lastIntent, send, attempts } = await makeSubscription()
    await runDay(renewsOn)
    const intent = await lastIntent()
    await send(intent, 'payment_intent.succeeded', 'evt_first')
    services.clock.set('2027-11-27T05:00:00Z')
    await send(intent, 'payment_intent.succeeded', 'evt_first')
    await send(intent, 'payment_intent.succeeded', 'evt_second')
    expect(await runSettling()).toBe(2)
    expect(await attempts()).toMatchObject([paidOnce])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(2)
  })
})

describe('keys that Stripe refuses', () => {
  it.each([
    ['wrong keys', { secretKey: 'sk_test_wrong' }],
    ['no keys', { secretKey: '' }],
    ['an account that cannot take live money', { refuse: { status: 400, code: 'testmode_charges_only' } }],
    ['keys that may not do it', { refuse: { status: 403, code: 'account_invalid' } }],
  ])(
    '(%s) are not a decline: due renewals wait, the publisher is notified once, and they are charged when the keys are right',
    async (_, wrong) => {
      const { shop, runDay, renewal, attempts, audited, taken } = await makeSubscription()
      if ('secretKey' in wrong)
        await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: wrong.secretKey })
      else stripe.failNext('/v1/payment_intents', wrong.refuse.status, 4, wrong.refuse)
      const staff = await actorOf(services, 'pubadmin', shop.publisherId)
      await runDay(renewsOn)
      const waitingState = { state: 'retrying', next_try_on: renewsOn, decline_code: 'keys_refused' }
      expect(await renewal()).toMatchObject(waitingState)
      for (const minutes of [5, 65]) {
        services.clock.advance({ minutes })
        await chargeDueRenewals(system(), renewsOn, { publicationId: shop.id })
        await sweep()
      }
      expect(await renewal()).toMatchObject({ ...waitingState, attempts: 1, told_on: null })
      expect(await attempts()).toMatchObject([{ state: 'pending' }])
      expect(await areKeysRefused(services.as(staff), {})).toBe(true)
      expect(await failedRenewals(services.as(staff), {})).toMatchObject({
        rows: [{ reason: 'Stripe refused this account’s API keys', state: 'retrying' }],
      })
      expect(await audited('keys-refused')).toHaveLength(1)
      const agreementId = Number((await renewal()).agreement_id)
      const cardLink = mailCardLink(services.as(staff), { agreementId, key: 'while-refused' })
      await expect(cardLink).rejects.toMatchObject({
        message: expect.stringContaining('Stripe refused the keys at the last charge'),
        hint: 'If they have been corrected, charge this renewal again first.',
      })
      expect(await queuedEmails(services, 'card-link')).toEqual([])
      expect(await retryRenewal(services.as(staff), { id: Number((await renewal()).id) })).toMatchObject({
        state: 'retrying',
        reason: 'Stripe refused this account’s API keys',
      })
      if ('secretKey' in wrong)
        await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: stripe.secretKey })
      expect(await runDay('2027-11-24')).toMatchObject({ charged: 1, paid: 1 })
      expect(await attempts()).toMatchObject([{ ...paidOnce, ordered_on: '2027-11-24' }])
      expect(await renewal()).toMatchObject({ state: 'paid', attempts: 1, decline_code: null })
      expect(await areKeysRefused(services.as(staff), {})).toBe(false)
      expect(taken()).toHaveLength(1)
    },
  )

  it('leave nothing for the reader to confirm, even when the renewal waits after a wrong end was corrected', async () => {
    const { shop, runDay, renewal, attempts } = await makeSubscription()
    const setEnd = (endOn: string) =>
      services.db.run(`UPDATE readers SET sub_end_on = :endOn WHERE publication_id = :id`, { id: shop.id, endOn })
    await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: 'sk_test_wrong' })
    await runDay(renewsOn)
    await setEnd('2037-11-22')
    await runDay('2027-11-23')
    expect(await renewal()).toMatchObject({ state: 'cancelled' })
    await setEnd(renewsOn)
    await runDay('2027-12-20')
    expect(await renewal()).toMatchObject({ state: 'waiting' })
    expect(await attempts()).toMatchObject([{ state: 'pending' }])
    const { id, grace_until: until } = await renewal()
    const key = renewKey(services.settings.appSecret, { renewalId: Number(id), until: String(until) })
    const visitorCtx = services.as(visitor)
    expect(await renewalByLink(visitorCtx, { key })).toMatchObject({ state: 'due', needsConfirmation: false })
    expect(await confirmByLink(visitorCtx, { key })).toBeNull()
    const notices = await queuedEmails(services, 'renewal-failed')
    const about = notices.find((notice) => notice.about.renewalId === Number(id))?.about ?? {}
    await mailSender('renewal-failed')(system(), about)
    const [notice] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(notice?.text).toContain('has not been taken yet')
    // Once the keys are right, staff can charge it.
    await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: stripe.secretKey })
    const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
    expect(await retryRenewal(staff, { id: Number(id) })).toMatchObject({ state: 'paid' })
    expect((await attempts()).map(({ state }) => state)).toEqual(['cancelled', 'paid'])
  })

  it('do not delay other publishers’ renewals, and are tried only once in a run', async () => {
    const { shop } = await makeSubscription()
    for (const [index, atShop] of [shop, shop, await open()].entries()) {
      services.clock.set('2026-11-22T10:00:00Z')
      const { placed, intent } = await order(
        { plan: '1PR25.00', email: `r${index}@example.com` },
        'stripe-card',
        atShop,
      )
      stripe.pay(intent)
      await confirmOrder(services.as(visitor), placed)
    }
    services.clock.set('2027-10-23T05:00:00Z')
    await announceRenewals(system(), '2027-10-23')
    await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: 'sk_test_wrong' })
    services.clock.set(`${renewsOn}T05:00:00Z`)
    expect(await chargeDueRenewals(system(), renewsOn)).toMatchObject({ paid: 1 })
    const requestsBefore = stripe.requests.length
    await chargeDueRenewals(system(), renewsOn)
    expect(stripe.requests).toHaveLength(requestsBefore + 1)
    await connectPayee(services, shop.publisherId, 'stripeDets', { secretKey: stripe.secretKey })
    expect(await chargeDueRenewals(system(), renewsOn)).toMatchObject({ paid: 3 })
  })
})

describe('a card updated by its network', () => {
  it('is shown with its new details, and an expired card’s renewals are due again, however often Stripe reports it', async () => {
    const { runDay, renewal, attempts, agreement, send, audited } = await makeSubscription(stripeCards.expiredLater)
    await runDay(renewsOn)
    expect(await renewal()).toMatchObject({ state: 'waiting', decline_code: 'expired_card' })
    const card = String((await agreement()).method_reference)
    // The update is reported although the card is unchanged, as for a changed billing address.
    await send(card, 'payment_method.automatically_updated', 'evt_same')
    await runSettling()
    expect(await renewal()).toMatchObject({ state: 'waiting' })
    stripe.renewCard(card, { exp_year: 2040 })
    stripe.setCardNumber(card, stripeCards.paid)
    services.clock.set('2027-11-24T10:00:00Z')
    await send(card, 'payment_method.automatically_updated', 'evt_new_day')
    expect(await runSettling()).toBe(1)
    expect(await agreement()).toMatchObject({ method_reference: card, expires_on: '2040-12-31' })
    expect(await renewal()).toMatchObject({
      state: 'retrying',
      next_try_on: '2027-11-24',
      decline_code: 'decline_resolved',
    })
    expect(await runDay('2027-11-24')).toMatchObject({ paid: 1 })
    services.clock.set('2027-11-29T10:00:00Z')
    await send(card, 'payment_method.automatically_updated', 'evt_new_day')
    await send(card, 'payment_method.automatically_updated', 'evt_new_day_again')
    await runSettling()
    expect(await attempts()).toMatchObject([{ state: 'declined' }, paidOnce])
    expect(await renewal()).toMatchObject({ state: 'paid' })
    expect(await audited('change-card')).toHaveLength(1)
  })

  it('with only a new expiry date is not charged again after another decline; with a new number it is', async () => {
    const { runDay, renewal, agreement, send } = await makeSubscription(stripeCards.lostLater)
    await runDay(renewsOn)
    const card = String((await agreement()).method_reference)
    stripe.renewCard(card, { exp_year: 2041 })
    await send(card, 'payment_method.automatically_updated', 'evt_lost_1')
    await runSettling()
    expect(await renewal()).toMatchObject({ state: 'waiting', decline_code: 'lost_card' })
    expect(await agreement()).toMatchObject({ expires_on: '2041-12-31', card_stop_code: 'lost_card' })
    stripe.renewCard(card, { last4: '7777' })
    await send(card, 'payment_method.automatically_updated', 'evt_lost_2')
    await runSettling()
    expect(await agreement()).toMatchObject({ last_four: '7777', card_stop_code: null })
    expect(await renewal()).toMatchObject({ state: 'retrying', next_try_on: renewsOn })
  })

  it('with only a new expiry date is not charged again beyond the limit of a cycle', async () => {
    const { runDay, renewal, attempts, agreement, send } = await makeSubscription(stripeCards.expiredLater)
    await runDay(renewsOn)
    const giveCard = giveCardFor(await renewal())
    for (let count = 2; count <= 12; count++) {
      services.clock.advance({ minutes: 61 })
      expect(await giveCard(stripeCards.expiredLater)).toBe('declined')
    }
    const card = String((await agreement()).method_reference)
    stripe.renewCard(card, { exp_year: 2043 })
    await send(card, 'payment_method.automatically_updated', 'evt_after_twelve')
    expect(await runSettling()).toBe(1)
    expect(await agreement()).toMatchObject({ expires_on: '2043-12-31' })
    expect(await renewal()).toMatchObject({ state: 'waiting', decline_code: 'expired_card' })
    await runDay('2027-11-24')
    expect(await attempts()).toHaveLength(12)
  })

  it('is charged where its renewal was cancelled because of a wrong end, once that is corrected', async () => {
    const { shop, runDay, renewal, agreement, send } = await makeSubscription(stripeCards.expiredLater)
    const setEnd = (endOn: string) =>
      services.db.run(`UPDATE readers SET sub_end_on = :endOn WHERE publication_id = :id`, { id: shop.id, endOn })
    await runDay(renewsOn)
    await setEnd('2037-11-22')
    await runDay('2027-12-14')
    await lapseRenewals(system(), '2027-12-14', { publicationId: shop.id })
    expect(await renewal()).toMatchObject({ state: 'cancelled', decline_code: 'expired_card' })
    const card = String((await agreement()).method_reference)
    stripe.renewCard(card, { exp_year: 2042 })
    stripe.setCardNumber(card, stripeCards.paid)
    await send(card, 'payment_method.automatically_updated', 'evt_while_cancelled')
    expect(await runSettling()).toBe(1)
    expect(await renewal()).toMatchObject({ state: 'cancelled' })
    await setEnd(renewsOn)
    expect(await runDay('2027-12-16')).toMatchObject({ paid: 1 })
    expect(await renewal()).toMatchObject({ state: 'paid', decline_code: null })
  })

  it('that is no longer stored at Stripe is not charged, and only its own publisher’s event removes it', async () => {
    const { runDay, renewal, agreement, send } = await makeSubscription()
    const otherShop = await open()
    const card = String((await agreement()).method_reference)
    stripe.detach(card)
    await send(card, 'payment_method.detached', 'evt_other', otherShop.publisherId)
    expect(await runSettling()).toBe(0)
    await send(card, 'payment_method.detached', 'evt_detached')
    expect(await runSettling()).toBe(1)
    expect(await agreement()).toMatchObject({ state: 'active', method_reference: null, last_four: null })
    await runDay(renewsOn)
    expect(await renewal()).toMatchObject({ state: 'waiting', decline_code: 'payment_method_missing' })
  })

  it('that was reported lost is not charged for a later cycle either', async () => {
    const { shop, runDay, renewal, attempts, taken } = await makeSubscription(stripeCards.lostLater)
    await runDay(renewsOn)
    // The reader orders a year on the storefront; the agreement continues after it.
    await services.db.run(`UPDATE readers SET sub_end_on = '2028-11-22' WHERE publication_id = :id`, { id: shop.id })
    await services.db.transaction(async () =>
      followTerm(system(), Number((await rowsOf(services, 'readers', shop.id))[0]?.id), {
        startOn: '2027-11-23',
        endOn: '2028-11-22',
        termMonths: 12,
      }),
    )
    await runDay('2028-10-23')
    const requestsBefore = stripe.requests.length
    await runDay('2028-11-22')
    expect(stripe.requests).toHaveLength(requestsBefore)
    expect(await attempts()).toMatchObject([{ state: 'declined' }, { state: 'declined' }])
    expect(await renewal()).toMatchObject({ state: 'waiting', decline_code: 'lost_card', attempts: 1 })
    expect(taken()).toEqual([])
    expect(await giveCardFor(await renewal())(stripeCards.paid)).toBe('paid')
    expect(taken()).toMatchObject([{ amount: 2500 }])
  })
})

describe('a renewal by direct debit at Stripe', () => {
  it.each(['refused', 'revoked'] as const)(
    'whose mandate the bank has %s ends, once, and the reader is notified',
    async (mandateStatus) => {
      const { runDay, renewal, agreement, send, audited } = await makeSubscription(stripeAccounts.right, 'stripe-bacs')
      const { mandate_reference: mandate, buyer_id: buyerId } = await agreement()
      stripe.setMandateStatus(String(mandate), 'accepted')
      await send(String(mandate), 'mandate.updated', `evt_${mandateStatus}_accepted`)
      expect(await runSettling()).toBe(1)
      expect(await agreement()).toMatchObject({ state: 'active' })
      stripe.setMandateStatus(String(mandate), mandateStatus)
      await send(String(mandate), 'mandate.updated', `evt_${mandateStatus}`)
      await runSettling()
      services.clock.set('2027-10-28T05:00:00Z')
      await send(String(mandate), 'mandate.updated', `evt_${mandateStatus}`)
      await send(String(mandate), 'mandate.updated', `evt_${mandateStatus}_again`)
      await runSettling()
      expect(await agreement()).toMatchObject({ state: 'ended', end_reason: 'mandate' })
      expect(await renewal()).toMatchObject({ state: 'cancelled', reason: expect.stringContaining('mandate') })
      const notices = (await queuedEmails(services)).filter(
        ({ mail, about }) => mail === 'buyer-notice' && (about as { buyerId?: unknown }).buyerId === buyerId,
      )
      expect(notices).toMatchObject([{ about: { kind: 'renewal-off' } }])
      expect(await audited('mandate-ended')).toHaveLength(1)
      expect(await runDay(renewsOn)).toMatchObject({ charged: 0 })
    },
  )

  it('is accepted while the bank processes it, and paid days later', async () => {
    const { runDay, attempts, renewal, lastIntent, taken } = await makeSubscription(stripeAccounts.right, 'stripe-bacs')
    expect(await runDay(renewsOn)).toMatchObject({ charged: 1, paid: 1 })
    expect(taken()).toMatchObject([{ status: 'processing' }])
    expect(await attempts()).toMatchObject([paidOnce])
    stripe.finishDebit(await lastIntent(), 'paid')
    services.clock.set('2027-11-26T05:00:00Z')
    await sweep()
    expect(await renewal()).toMatchObject({ state: 'paid' })
    expect(taken()).toMatchObject([{ status: 'succeeded' }])
  })

  it.each([
    ['insufficient_funds', { state: 'retrying', decline_code: 'insufficient_funds' }],
    ['debit_not_authorized', { state: 'waiting', next_try_on: null, decline_code: 'debit_not_authorized' }],
  ])('that the bank returns (%s) is reversed with its term, once', async (code, expectedRenewal) => {
    const { shop, runDay, renewal, attempts, lastIntent, send, taken } = await makeSubscription(
      stripeAccounts.right,
      'stripe-bacs',
    )
    await runDay(renewsOn)
    const intent = await lastIntent()
    stripe.finishDebit(intent, 'failed', code)
    services.clock.set('2027-11-26T05:00:00Z')
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
    expect(await renewal()).toMatchObject(expectedRenewal)
    const staff = await actorOf(services, 'pubadmin', shop.publisherId)
    expect(await failedRenewals(services.as(staff), {})).toMatchObject({ rows: [{ isDebit: true }] })
    expect(taken()).toEqual([])
    expect(stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
  })
})
