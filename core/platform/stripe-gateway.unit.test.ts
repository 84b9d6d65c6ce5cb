import { beforeAll, describe, expect, it } from 'vitest'
import { isAppError } from '#core/kernel/errors.ts'
import type { GatewayPayment } from '#core/ports/payment-gateway.ts'
import { stripeAccounts, stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { makeStripeGateway } from './stripe-gateway.ts'

let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
})

const address = { title: '', companyName: '', addressOne: '', addressTwo: '', addressThree: '', city: '', state: '' }

function paymentOf(idempotencyKey: string, fields: Partial<GatewayPayment> = {}): GatewayPayment {
  const { secretKey, publishableKey, webhookSecret } = stripe
  return {
    orderNumber: `OD-${idempotencyKey}`,
    idempotencyKey,
    money: { amount: 2999, currency: 'GBP' },
    description: 'Harbour Light: Print, one year',
    publisherId: 1,
    publicationId: 1,
    payee: { secretKey, publishableKey, webhookSecret },
    buyer: {
      email: 'ann@example.test',
      mobile: '',
      billing: { ...address, firstName: 'Ann', lastName: 'Lee', postCode: '', country: 'GB' },
    },
    isRecurring: false,
    returnUrl: 'https://shop.test/ordersuccess',
    cancelUrl: 'https://shop.test/ordercancel',
    reference: null,
    chargeReference: null,
    storedMethod: null,
    wasPaid: false,
    details: {},
    ...fields,
  }
}

/** The error that a failing call throws, with everything that would be logged about it. */
async function failureOf(work: Promise<unknown>): Promise<{ kind: string; text: string }> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!isAppError(thrown)) throw new Error('It did not throw an AppError')
  return { kind: thrown.kind, text: JSON.stringify([thrown.message, thrown.detail, String(thrown.cause)]) }
}

describe('Stripe’s gateway', () => {
  it('times out, and makes one payment when it retries', async () => {
    const held = [stripe.holdNextResponse('/v1/payment_intents'), stripe.holdNextResponse('/v1/payment_intents')]
    const withShortTimeout = makeStripeGateway('card', stripe.url, 50)
    expect(await failureOf(withShortTimeout.begin(paymentOf('slow')))).toMatchObject({ kind: 'upstream' })
    for (const { release } of held) release()
    const started = await makeStripeGateway('card', stripe.url).begin(paymentOf('slow'))
    expect(started).toMatchObject({ state: 'requires-action' })
    expect(stripe.payments().filter(({ metadata }) => JSON.stringify(metadata).includes('OD-slow'))).toHaveLength(1)
  })

  it('logs a failure’s code, and never a key, a name or an address', async () => {
    const gateway = makeStripeGateway('card', stripe.url)
    const wrong = {
      ...paymentOf('wrong-key'),
      payee: { secretKey: 'sk_test_not_this_one', publishableKey: 'pk_test_x' },
    }
    const refused = await failureOf(gateway.begin(wrong))
    expect(refused.text).toContain('StripeAuthenticationError')
    stripe.failNext('/v1/payment_intents', 500, 2)
    const broken = await failureOf(gateway.begin(paymentOf('broken')))
    const unreachable = await failureOf(makeStripeGateway('card', 'http://127.0.0.1:9').begin(paymentOf('gone')))
    for (const { kind, text } of [refused, broken, unreachable]) {
      expect(kind).toBe('upstream')
      expect(text).not.toMatch(/sk_test|ann@|Lee/)
    }
  })

  it('without a publisher’s key refuses to begin, finds nothing to cancel, and reports the payment as pending', async () => {
    const gateway = makeStripeGateway('card', stripe.url)
    const withoutKey = paymentOf('no-key', { payee: {} })
    const calls = stripe.requests.length
    expect((await failureOf(gateway.begin(withoutKey))).kind).toBe('upstream')
    expect(await gateway.cancel(withoutKey)).toEqual({ state: 'unknown' })
    expect(await gateway.lookUp(withoutKey)).toEqual({ state: 'pending', reference: '', isOpen: true })
    expect(stripe.requests).toHaveLength(calls)
  })

  it('waits for a card that is processing, and accepts a debit that is', async () => {
    const card = makeStripeGateway('card', stripe.url)
    const debit = makeStripeGateway('bacs_debit', stripe.url)
    for (const [gateway, key, state] of [
      [card, 'working-card', { state: 'pending', isOpen: false }],
      [debit, 'working-debit', { state: 'accepted', money: { amount: 2999, currency: 'GBP' } }],
    ] as const) {
      const started = await gateway.begin(paymentOf(key))
      const reference = started.state === 'requires-action' ? started.reference : null
      stripe.setPayment(String(reference), { status: 'processing' })
      expect(await gateway.lookUp(paymentOf(key, { reference }))).toMatchObject(state)
      // A payment in progress cannot be cancelled.
      expect(await gateway.cancel(paymentOf(key, { reference }))).toMatchObject(state)
    }
  })
})

describe('a renewal at Stripe', () => {
  type Method = 'card' | 'bacs_debit'

  /** Pays a first order with this card or account, and prepares the payment of its renewal. */
  async function preparedRenewal(key: string, number: string = stripeCards.paid, method: Method = 'card') {
    const gateway = makeStripeGateway(method, stripe.url)
    const firstPayment = await gateway.begin(paymentOf(`${key}-first`, { isRecurring: true }))
    const firstId = String(firstPayment.state === 'requires-action' ? firstPayment.reference : '')
    stripe.pay(firstId, number)
    const paid = await gateway.lookUp(paymentOf(`${key}-first`, { isRecurring: true, reference: firstId }))
    const {
      customerReference = null,
      methodReference = null,
      mandateReference = null,
    } = 'facts' in paid ? (paid.facts ?? {}) : {}
    const payment = paymentOf(key, {
      isRecurring: true,
      storedMethod: { customerReference, methodReference, mandateReference },
    })
    const reference = await gateway.prepareRenewal?.(payment)
    if (typeof reference !== 'string') throw new Error('It was not prepared')
    const renewal = { ...payment, reference }
    const charge = (isNew = true) => gateway.chargeRenewal?.(renewal, { isNew })
    return { gateway, payment, renewal, reference, charge, intent: () => stripe.objects.get(reference) }
  }

  it('is created without moving money, once for its key, and charged once, however often it is requested', async () => {
    const { gateway, payment, renewal, reference, charge, intent } = await preparedRenewal('renewal')
    expect(intent()).toMatchObject({ status: 'requires_payment_method', amount: 2999, latest_charge: null })
    expect(await gateway.prepareRenewal?.(payment)).toBe(reference)
    expect(await gateway.lookUp(renewal)).toEqual({ state: 'pending', reference, isOpen: true })
    const paid = {
      state: 'paid',
      reference,
      money: { amount: 2999, currency: 'GBP' },
      facts: { accountLastFour: '4242' },
    }
    expect(await charge()).toMatchObject(paid)
    expect(await charge()).toMatchObject(paid)
    expect(await charge(false)).toMatchObject(paid)
    expect(await gateway.cancel(renewal)).toMatchObject(paid)
    expect(
      [...stripe.objects.values()].filter(
        (stored) => stored.object === 'charge' && stored.payment_intent === reference,
      ),
    ).toHaveLength(1)
  })

  it('whose response was lost was charged, and is found when looked up', async () => {
    const { gateway, renewal, reference, charge } = await preparedRenewal('lost-confirm')
    for (const _ of [1, 2]) stripe.dropNextResponse(`/v1/payment_intents/${reference}/confirm`)
    const before = stripe.requests.length
    // The library retries with the same key, and that response is lost as well.
    expect((await failureOf(charge() ?? Promise.resolve())).kind).toBe('upstream')
    expect(stripe.requests.slice(before).map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      Array(2).fill('order-lost-confirm-confirm'),
    )
    expect(await gateway.lookUp(renewal)).toMatchObject({ state: 'paid', reference })
  })

  it.each([
    [stripeCards.declinedLater, { code: 'insufficient_funds', isFinal: false }],
    [stripeCards.lostLater, { code: 'lost_card', isFinal: true }],
    [stripeCards.doNotTryAgainLater, { code: 'generic_decline', isFinal: true }],
  ])('on a card that declines (%s) is declined with its code, and cannot be paid later', async (number, decline) => {
    const { gateway, renewal, reference, charge, intent } = await preparedRenewal(`declined-${number}`, number)
    const declined = { state: 'declined', reference, reason: 'Your card was declined.', ...decline }
    expect(await charge()).toEqual(declined)
    expect(intent()).toMatchObject({ status: 'canceled' })
    // Every later query, by any path, gets the same answer.
    for (const result of [gateway.lookUp(renewal), gateway.cancel(renewal), charge(false)]) {
      expect(await result).toEqual(declined)
    }
  })

  it('that requires authentication stays open, and is confirmed by the buyer with a card of their choice', async () => {
    const { gateway, renewal, reference, charge, intent } = await preparedRenewal(
      'needs-buyer',
      stripeCards.needsBuyerLater,
    )
    const open = { state: 'pending', reference, isOpen: true, needsBuyer: true }
    expect(await charge()).toEqual(open)
    expect(await gateway.begin(renewal)).toMatchObject({
      state: 'requires-action',
      step: { kind: 'confirm', clientSecret: intent()?.client_secret },
    })
    // Their first card is refused: that does not decline the renewal.
    expect(() => stripe.pay(reference, stripeCards.insufficientFunds)).toThrow('insufficient')
    expect(await gateway.lookUp(renewal)).toEqual(open)
    stripe.pay(reference)
    expect(await gateway.lookUp(renewal)).toMatchObject({
      state: 'paid',
      facts: { methodReference: intent()?.payment_method, customerReference: renewal.storedMethod?.customerReference },
    })
  })

  it('left to its buyer can be cancelled', async () => {
    const { gateway, renewal, charge, intent } = await preparedRenewal('let-go', stripeCards.needsBuyerLater)
    await charge()
    expect(await gateway.cancel(renewal)).toEqual({ state: 'unknown' })
    expect(intent()).toMatchObject({ status: 'canceled' })
    expect(await gateway.lookUp(renewal)).toEqual({ state: 'unknown' })
  })

  it('that was never attempted can be cancelled, with its id and without', async () => {
    const { gateway, payment, renewal, charge, intent } = await preparedRenewal('unasked')
    // The buyer has another card meanwhile: the payment is still found by its key.
    const storedMethod = {
      customerReference: null,
      mandateReference: null,
      ...payment.storedMethod,
      methodReference: 'pm_another',
    }
    expect(await gateway.cancel({ ...payment, storedMethod })).toEqual({ state: 'unknown' })
    expect(intent()).toMatchObject({ status: 'canceled' })
    expect(await gateway.cancel(renewal)).toEqual({ state: 'unknown' })
    expect(await charge(false)).toEqual({ state: 'unknown' })
  })

  it('on a method unknown to Stripe is declined for good, before or after its payment is created', async () => {
    const { payment, renewal, charge, intent } = await preparedRenewal('gone')
    stripe.objects.delete(String(payment.storedMethod?.methodReference))
    expect(await charge()).toMatchObject({ state: 'declined', code: 'resource_missing', isFinal: true })
    expect(intent()).toMatchObject({ status: 'canceled' })
    const gateway = makeStripeGateway('card', stripe.url)
    const storedMethod = { customerReference: 'cus_gone', methodReference: 'pm_gone', mandateReference: null }
    expect(await gateway.prepareRenewal?.({ ...renewal, idempotencyKey: 'gone-customer', storedMethod })).toMatchObject(
      {
        state: 'declined',
        code: 'resource_missing',
        isFinal: true,
      },
    )
    expect(
      await gateway.prepareRenewal?.({ ...payment, storedMethod: { ...storedMethod, methodReference: null } }),
    ).toMatchObject({
      state: 'declined',
      code: 'payment_method_missing',
      isFinal: true,
    })
  })

  it('by direct debit is accepted, and paid or failed days later', async () => {
    const debit = (key: string) => preparedRenewal(key, stripeAccounts.right, 'bacs_debit')
    const good = await debit('debit-good')
    const bad = await debit('debit-bad')
    for (const { charge, renewal, reference, intent, gateway } of [good, bad]) {
      expect(renewal.storedMethod?.mandateReference).toMatch(/^mandate_/)
      expect(await charge()).toMatchObject({ state: 'accepted', reference, facts: { accountLastFour: '2345' } })
      expect(intent()).toMatchObject({ mandate: renewal.storedMethod?.mandateReference })
      expect(await gateway.lookUp(renewal)).toMatchObject({ state: 'accepted' })
    }
    stripe.finishDebit(good.reference, 'paid')
    expect(await good.gateway.lookUp(good.renewal)).toMatchObject({ state: 'paid' })
    stripe.finishDebit(bad.reference, 'failed')
    const failed = { state: 'failed', code: 'debit_not_authorized', isFinal: true }
    expect(await bad.gateway.lookUp({ ...bad.renewal, wasPaid: true })).toMatchObject(failed)
    expect(bad.intent()).toMatchObject({ status: 'canceled' })
    expect(await bad.gateway.lookUp({ ...bad.renewal, wasPaid: true })).toMatchObject(failed)
  })

  it('by an inactive mandate is declined for good', async () => {
    const { charge, renewal, intent } = await preparedRenewal('no-mandate', stripeAccounts.right, 'bacs_debit')
    Object.assign(stripe.objects.get(String(renewal.storedMethod?.mandateReference)) ?? {}, { status: 'inactive' })
    expect(await charge()).toMatchObject({ state: 'declined', code: 'payment_intent_mandate_invalid', isFinal: true })
    expect(intent()).toMatchObject({ status: 'canceled' })
  })
})
