import { beforeAll, describe, expect, it } from 'vitest'
import { isAppError } from '#core/kernel/errors.ts'
import type { PaymentAsk } from '#core/ports/payment-gateway.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { makeStripeGateway } from './stripe-gateway.ts'

let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
})

const address = { title: '', companyName: '', addressOne: '', addressTwo: '', addressThree: '', city: '', state: '' }

function askOf(idempotencyKey: string, fields: Partial<PaymentAsk> = {}): PaymentAsk {
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
    agreed: null,
    wasPaid: false,
    details: {},
    ...fields,
  }
}

/** What a failing call is thrown as, with all that would be logged of it. */
async function failureOf(work: Promise<unknown>): Promise<{ kind: string; text: string }> {
  const thrown = await work.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (!isAppError(thrown)) throw new Error('It did not fail, or in another kind')
  return { kind: thrown.kind, text: JSON.stringify([thrown.message, thrown.detail, String(thrown.cause)]) }
}

describe('Stripe’s gateway', () => {
  it('waits for an answer within a bound, and makes one payment though it asked again', async () => {
    const held = [stripe.holdAnswerTo('/v1/payment_intents'), stripe.holdAnswerTo('/v1/payment_intents')]
    const impatient = makeStripeGateway('card', stripe.url, 50)
    expect(await failureOf(impatient.begin(askOf('slow')))).toMatchObject({ kind: 'upstream' })
    for (const { release } of held) release()
    const begun = await makeStripeGateway('card', stripe.url).begin(askOf('slow'))
    expect(begun).toMatchObject({ state: 'next' })
    expect(stripe.payments().filter(({ metadata }) => JSON.stringify(metadata).includes('OD-slow'))).toHaveLength(1)
  })

  it('says of a failure what names it, and never a key, a name or an address', async () => {
    const gateway = makeStripeGateway('card', stripe.url)
    const wrong = { ...askOf('wrong-key'), payee: { secretKey: 'sk_test_not_this_one', publishableKey: 'pk_test_x' } }
    const refused = await failureOf(gateway.begin(wrong))
    expect(refused.text).toContain('StripeAuthenticationError')
    stripe.failNext('/v1/payment_intents', 500, 2)
    const broken = await failureOf(gateway.begin(askOf('broken')))
    const gone = await failureOf(makeStripeGateway('card', 'http://127.0.0.1:9').begin(askOf('gone')))
    for (const { kind, text } of [refused, broken, gone]) {
      expect(kind).toBe('upstream')
      expect(text).not.toMatch(/sk_test|ann@|Lee/)
    }
  })

  it('without a publisher’s key asks nobody, and lets go what nobody was ever told how to pay', async () => {
    const gateway = makeStripeGateway('card', stripe.url)
    const without = askOf('no-key', { payee: {} })
    expect((await failureOf(gateway.begin(without))).kind).toBe('upstream')
    expect(await gateway.cancel(without)).toEqual({ state: 'unknown' })
    expect(await gateway.lookUp(without)).toEqual({ state: 'pending', reference: '', isOpen: true })
  })

  it('waits for a card that is being worked on, and takes a debit that is', async () => {
    const [card, debit] = [makeStripeGateway('card', stripe.url), makeStripeGateway('bacs_debit', stripe.url)]
    for (const [gateway, key, state] of [
      [card, 'working-card', { state: 'pending', isOpen: false }],
      [debit, 'working-debit', { state: 'accepted', money: { amount: 2999, currency: 'GBP' } }],
    ] as const) {
      const begun = await gateway.begin(askOf(key))
      const reference = begun.state === 'next' ? begun.reference : null
      stripe.setPayment(String(reference), { status: 'processing' })
      expect(await gateway.lookUp(askOf(key, { reference }))).toMatchObject(state)
      // What is on its way cannot be let go.
      expect(await gateway.cancel(askOf(key, { reference }))).toMatchObject(state)
    }
  })
})
