import { beforeAll, describe, expect, it } from 'vitest'
import { planByKey } from '#core/pricing/publisher-plans.rules.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { makeStripePlanBilling } from './stripe-plan-billing.ts'

let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
})

const billing = (secretKey = stripe.secretKey, apiBase = stripe.url) =>
  makeStripePlanBilling({ secretKey, publishableKey: stripe.publishableKey, apiBase })

function request(idempotencyKey: string, fields: object = {}) {
  const plan = planByKey('standard-3')
  if (!plan) throw new Error('There is no plan standard-3')
  return {
    plan,
    email: 'nell@example.test',
    name: 'Nell Press',
    isTaxed: true,
    couponId: null,
    idempotencyKey,
    ...fields,
  }
}

const callsOf = (path: string, key: string) =>
  stripe.requests.filter((call) => call.path === path && call.idempotencyKey?.includes(key))

describe('plan billing through Stripe', () => {
  it('starts a subscription whose first payment includes VAT and carries the sign-up’s key in its metadata', async () => {
    const started = await billing().startSubscription(request('first'))
    expect(started).toMatchObject({
      amount: 16_200,
      payment: { clientSecret: expect.stringMatching(/^pi_\w+_secret_/) },
    })
    const [subscribed] = callsOf('/v1/subscriptions', 'first')
    expect(subscribed?.body).toMatchObject({
      items: [
        {
          price_data: {
            currency: 'gbp',
            product: 'masthead-standard',
            recurring: { interval: 'month' },
            unit_amount: '5400',
          },
          quantity: '3',
        },
      ],
      payment_behavior: 'default_incomplete',
      metadata: { signup: 'first' },
    })
    const id = started.payment?.paymentIntentId ?? ''
    const unpaid = {
      state: 'requires-payment-method',
      amount: 16_200,
      currency: 'GBP',
      metadata: { signup: 'first' },
      clientSecret: started.payment?.clientSecret,
    }
    expect(await billing().lookUpPayment(id)).toEqual(unpaid)
    stripe.setPayment(id, { status: 'processing' })
    expect(await billing().lookUpPayment(id)).toMatchObject({ state: 'processing' })
    stripe.setPayment(id, { status: 'succeeded', amount_received: 16_000 })
    expect(await billing().lookUpPayment(id)).toMatchObject({ state: 'succeeded', amount: 16_000 })
    stripe.setPayment(id, { status: 'canceled' })
    expect(await billing().lookUpPayment(id)).toMatchObject({ state: 'other' })
  })

  it('retries with the same idempotency keys after a lost response, and creates nothing twice', async () => {
    stripe.dropNextResponse('/v1/subscriptions')
    const first = await billing().startSubscription(request('lost'))
    expect(callsOf('/v1/subscriptions', 'lost').map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      'signup-lost-subscription',
      'signup-lost-subscription',
    ])
    expect(await billing().startSubscription(request('lost'))).toEqual(first)
    const created = [...stripe.objects.values()].filter(
      ({ metadata }) => (metadata as { signup?: string })?.signup === 'lost',
    )
    expect(created.map(({ object }) => object).sort()).toEqual(['customer', 'payment_intent', 'subscription'])
  })

  it('refuses a different plan under the same idempotency key', async () => {
    await billing().startSubscription(request('fixed'))
    await expect(
      billing().startSubscription(request('fixed', { plan: planByKey('standard-4') })),
    ).rejects.toMatchObject({
      kind: 'upstream',
      detail: { type: 'StripeIdempotencyError', statusCode: 400, requestId: expect.stringMatching(/^req_/) },
    })
  })

  it('applies a percentage discount, and needs no payment for a zero amount', async () => {
    stripe.coupons.set('QUAY20', { percent_off: 20, name: 'Quay' })
    stripe.coupons.set('GONE', { percent_off: 20, valid: false })
    stripe.coupons.set('FIVER', { percent_off: null, amount_off: 500 })
    stripe.coupons.set('ALL', { percent_off: 100, duration: 'once' })
    expect(await billing().findCoupon('QUAY20')).toEqual({
      id: 'QUAY20',
      name: 'Quay',
      percentOff: 20,
      isForever: true,
    })
    expect(await billing().findCoupon('ALL')).toEqual({ id: 'ALL', name: 'ALL', percentOff: 100, isForever: false })
    for (const code of ['GONE', 'FIVER', 'NONE', '../customers', 'a b'])
      expect(await billing().findCoupon(code)).toBeNull()
    expect(await billing().startSubscription(request('off', { couponId: 'QUAY20' }))).toMatchObject({ amount: 12_960 })
    expect(await billing().startSubscription(request('free', { couponId: 'ALL' }))).toMatchObject({
      amount: 0,
      payment: null,
    })
  })

  it('cancels a subscription, once', async () => {
    const { subscriptionReference } = await billing().startSubscription(request('stopped'))
    await billing().endSubscription(subscriptionReference)
    await billing().endSubscription(subscriptionReference)
    await billing().endSubscription('sub_nobody')
    expect(stripe.objects.get(subscriptionReference)).toMatchObject({ status: 'canceled' })
    expect(
      stripe.requests.filter(({ method, path }) => method === 'DELETE' && path.endsWith(subscriptionReference)),
    ).toHaveLength(1)
  })

  it('reports an unknown payment', async () => {
    expect(await billing().lookUpPayment('pi_nobody')).toMatchObject({ state: 'unknown' })
  })

  it('reports the same kind of error whether Stripe refuses or is down, and never reveals the key', async () => {
    const refused = await billing('sk_test_of_somebody_else')
      .findCoupon('QUAY20')
      .catch((error: unknown) => error)
    expect(refused).toMatchObject({ kind: 'upstream', detail: { type: 'StripeAuthenticationError', statusCode: 401 } })
    const unreachable = await billing(stripe.secretKey, 'http://127.0.0.1:1')
      .findCoupon('QUAY20')
      .catch((error: unknown) => error)
    expect(unreachable).toMatchObject({ kind: 'upstream' })
    for (const error of [refused, unreachable]) {
      const { detail, message } = error as { detail: unknown; message: string }
      expect(JSON.stringify([detail, message])).not.toContain('sk_test')
    }
  })
})
