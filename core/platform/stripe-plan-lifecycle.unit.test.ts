import { beforeAll, describe, expect, it } from 'vitest'
import { type PublisherPlan, planByKey } from '#core/pricing/publisher-plans.rules.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { makeStripePlanBilling } from './stripe-plan-billing.ts'

const start = new Date('2026-11-01T09:00:00Z')
const midMonth = new Date('2026-11-16T09:00:00Z')

let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  stripe.useClock(() => start)
  stripe.coupons.set('QUAY20', { percent_off: 20, name: 'Quay' })
})

const billing = () => makeStripePlanBilling({ ...stripe, apiBase: stripe.url })

function plan(key: string): PublisherPlan {
  const found = planByKey(key)
  if (!found) throw new Error(`There is no plan ${key}`)
  return found
}

/** Starts a plan with VAT and pays its first month. */
async function startPaidPlan(key: string, planKey = 'standard-3', couponId: string | null = null) {
  const { subscriptionReference, customerReference, payment, amount } = await billing().startSubscription({
    plan: plan(planKey),
    email: 'nell@example.test',
    name: 'Nell Press',
    isTaxed: true,
    couponId,
    idempotencyKey: key,
  })
  stripe.setPayment(payment?.paymentIntentId ?? '', { status: 'succeeded', amount_received: amount })
  return { subscriptionReference, customerReference }
}

const changeTo = (subscriptionReference: string, key: string) => ({
  subscriptionReference,
  plan: plan(key),
  isTaxed: true,
  at: midMonth,
})

describe('a plan’s lifecycle at Stripe', () => {
  it('is looked up as a whole: plan, month, coupon, card and invoices', async () => {
    const { subscriptionReference, customerReference } = await startPaidPlan('look', 'standard-3', 'QUAY20')
    expect(await billing().lifecycle.lookUp(subscriptionReference)).toEqual({
      subscriptionReference,
      customerReference,
      planKey: 'standard-3',
      state: 'active',
      couponId: 'QUAY20',
      periodEndsAt: new Date('2026-12-01T09:00:00Z'),
      cancelsAtEnd: false,
      nextAmount: 12_960,
      cardLastFour: '4242',
      invoices: [
        {
          reference: expect.stringMatching(/^in_/),
          issuedAt: start,
          paidAt: start,
          state: 'paid',
          total: 12_960,
          lines: [{ text: 'Plan, a month', amount: 12_960 }],
        },
      ],
    })
    expect(await billing().lifecycle.lookUp('sub_nobody')).toBeNull()
  })

  it('is upgraded at the quoted price at once, and downgraded into credit', async () => {
    const { subscriptionReference } = await startPaidPlan('up')
    const { lifecycle } = billing()
    const upgrade = changeTo(subscriptionReference, 'plus-4')
    // 4 times 168 with VAT instead of 3 times 54, for half of the month.
    expect(await lifecycle.previewChange(upgrade)).toEqual({ total: 25_500, nextAmount: 67_200 })
    expect(await lifecycle.change({ ...upgrade, idempotencyKey: 'up' })).toEqual({ state: 'done' })
    const after = await lifecycle.lookUp(subscriptionReference)
    expect(after).toMatchObject({ planKey: 'plus-4', nextAmount: 67_200 })
    expect(after?.invoices.at(-1)).toMatchObject({ total: 25_500, state: 'paid' })
    const downgrade = changeTo(subscriptionReference, 'standard-1')
    expect(await lifecycle.previewChange(downgrade)).toEqual({ total: -29_700, nextAmount: 0 })
    await lifecycle.change({ ...downgrade, idempotencyKey: 'down' })
    expect((await lifecycle.lookUp(subscriptionReference))?.invoices.at(-1)).toMatchObject({
      total: -29_700,
      state: 'paid',
    })
  })

  it('is changed once, however often it is requested and whatever response is lost', async () => {
    const { subscriptionReference } = await startPaidPlan('once')
    const { lifecycle } = billing()
    const change = { ...changeTo(subscriptionReference, 'standard-5'), idempotencyKey: 'once' }
    stripe.dropNextResponse(`/v1/subscriptions/${subscriptionReference}`)
    expect(await lifecycle.change(change)).toEqual({ state: 'done' })
    expect(await lifecycle.change(change)).toEqual({ state: 'done' })
    expect(await lifecycle.change({ ...change, idempotencyKey: 'later' })).toEqual({ state: 'done' })
    expect((await lifecycle.lookUp(subscriptionReference))?.invoices).toHaveLength(2)
  })

  it('is unchanged when the card is declined, and can be changed with another card', async () => {
    const { subscriptionReference, customerReference } = await startPaidPlan('poor')
    const { lifecycle } = billing()
    stripe.giveCard(subscriptionReference, stripeCards.declinedLater)
    const upgrade = { ...changeTo(subscriptionReference, 'standard-5'), idempotencyKey: 'poor' }
    expect(await lifecycle.change(upgrade)).toEqual({ state: 'declined', reason: 'Your card was declined.' })
    expect(await lifecycle.lookUp(subscriptionReference)).toMatchObject({ planKey: 'standard-3', cardLastFour: '0341' })
    const page = await lifecycle.startCardUpdate({
      subscriptionReference,
      customerReference,
      idempotencyKey: 'card',
      returnUrl: 'https://shop.test/back?session={session}',
      cancelUrl: 'https://shop.test/cancel',
    })
    const request = stripe.requests.findLast(({ path }) => path === '/v1/checkout/sessions')
    expect(request?.body).toMatchObject({ success_url: 'https://shop.test/back?session={CHECKOUT_SESSION_ID}' })
    const session = page?.url.split('/').at(-1) ?? ''
    const finish = (subscription: string, customer = customerReference) =>
      lifecycle.finishCardUpdate({ subscriptionReference: subscription, customerReference: customer, session })
    expect(await finish(subscriptionReference)).toBe(false)
    stripe.finishSession(session, '5555555555554444')
    const otherPlan = await startPaidPlan('other')
    expect(await finish(otherPlan.subscriptionReference, otherPlan.customerReference)).toBe(false)
    expect(await finish(subscriptionReference)).toBe(true)
    expect(await lifecycle.lookUp(subscriptionReference)).toMatchObject({ cardLastFour: '4444' })
    expect(await lifecycle.change({ ...upgrade, idempotencyKey: 'rich' })).toEqual({ state: 'done' })
  })

  it('is past due while a month is unpaid, and pays open invoices once', async () => {
    const { subscriptionReference } = await startPaidPlan('due')
    const { lifecycle } = billing()
    stripe.giveCard(subscriptionReference, stripeCards.declinedLater)
    stripe.endMonth(subscriptionReference)
    const pastDue = await lifecycle.lookUp(subscriptionReference)
    expect(pastDue).toMatchObject({ state: 'past-due' })
    expect(pastDue?.invoices.at(-1)).toMatchObject({ state: 'open', issuedAt: new Date('2026-12-01T09:00:00Z') })
    expect(await lifecycle.payOpenInvoice(subscriptionReference)).toMatchObject({ state: 'declined' })
    stripe.giveCard(subscriptionReference, stripeCards.paid)
    const { reference = '' } = pastDue?.invoices.at(-1) ?? {}
    stripe.dropNextResponse(`/v1/invoices/${reference}/pay`)
    expect(await lifecycle.payOpenInvoice(subscriptionReference)).toEqual({ state: 'done' })
    expect(await lifecycle.payOpenInvoice(subscriptionReference)).toEqual({ state: 'done' })
    expect(await lifecycle.lookUp(subscriptionReference)).toMatchObject({ state: 'active' })
  })

  it('ends when cancelled unless that is undone; then it starts again on Stripe’s own page', async () => {
    const { subscriptionReference, customerReference } = await startPaidPlan('end')
    const { lifecycle } = billing()
    await lifecycle.setCancelling(subscriptionReference, true)
    expect(await lifecycle.lookUp(subscriptionReference)).toMatchObject({ cancelsAtEnd: true, nextAmount: null })
    await lifecycle.setCancelling(subscriptionReference, false)
    expect(await lifecycle.lookUp(subscriptionReference)).toMatchObject({ cancelsAtEnd: false, nextAmount: 16_200 })
    await lifecycle.setCancelling(subscriptionReference, true)
    stripe.endMonth(subscriptionReference)
    expect(await lifecycle.lookUp(subscriptionReference)).toMatchObject({ state: 'ended', nextAmount: null })
    const input = {
      plan: plan('standard-2'),
      isTaxed: false,
      customerReference,
      email: 'nell@example.test',
      name: 'Nell',
      returnUrl: 'https://shop.test/?s={session}',
      cancelUrl: 'https://shop.test/',
      cardNumber: '',
      couponId: 'QUAY20',
      percentOff: 20,
      idempotencyKey: 'again',
    }
    const started = await lifecycle.start(input)
    if (started.state !== 'redirect') throw new Error('Stripe has a page of its own')
    expect(await lifecycle.start(input)).toEqual(started)
    expect(await lifecycle.findCheckout(started.session)).toMatchObject({ state: 'open', url: started.url })
    stripe.finishSession(started.session, stripeCards.paid)
    const found = await lifecycle.findCheckout(started.session)
    if (found.state !== 'done') throw new Error('It was paid')
    expect(found.customerReference).toBe(customerReference)
    expect(await lifecycle.lookUp(found.subscriptionReference)).toMatchObject({
      planKey: 'standard-2',
      state: 'active',
      couponId: 'QUAY20',
      nextAmount: 7200,
    })
    await lifecycle.expireCheckout(started.session)
    expect(await lifecycle.findCheckout(started.session)).toMatchObject({ state: 'done' })
    const abandoned = await lifecycle.start({ ...input, idempotencyKey: 'left' })
    if (abandoned.state !== 'redirect') throw new Error('Stripe has a page of its own')
    await lifecycle.expireCheckout(abandoned.session)
    expect(await lifecycle.findCheckout(abandoned.session)).toEqual({ state: 'expired' })
    expect(await lifecycle.findCheckout('cs_nobody')).toEqual({ state: 'expired' })
  })
})
