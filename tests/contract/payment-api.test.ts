import { beforeAll, describe, expect, it } from 'vitest'
import { connectPayee } from '#tests/support/connect-payee.ts'
import { type ApiFixture, callApi, newIssueOrderBody, newOrderBody, openApiFixture } from './api-fixture.ts'

let fixture: ApiFixture
beforeAll(async () => {
  fixture = await openApiFixture()
  const { publishableKey, secretKey, webhookSecret } = fixture.stripe
  for (const { publisherId } of [fixture.mine, fixture.theirs])
    await connectPayee(fixture.services, publisherId, 'stripeDets', { publishableKey, secretKey, webhookSecret })
})

const post = (path: string, body: unknown) => callApi(fixture, 'POST', `/order/${path}`, { body })

interface StartedPayment {
  client_secret: string
  publishable_key: string
  orderNumber: string
  key: string
}

async function startPayment(
  suffix: string,
  fields: object = {},
): Promise<{ payment: StartedPayment; intent: string; body: object }> {
  const body = { ...newOrderBody(fixture.mine, `payment-api-${suffix}`), ...fields }
  const response = await post('paymentintent/card/', body)
  expect(response.status).toBe(201)
  const payment = (await response.json()) as StartedPayment
  return { payment, intent: payment.client_secret.split('_secret_')[0] ?? '', body }
}

describe('a payment begun by the API', () => {
  it('uses the server’s own amount, which one that is sent must equal, and the publisher’s own key', async () => {
    const wrong = { ...newOrderBody(fixture.mine, 'payment-api-own-amount'), amount: 1 }
    const refused = await post('paymentintent/card/', wrong)
    expect(refused.status).toBe(409)
    expect(await refused.json()).toMatchObject({
      amount: { message: 'The total is £45.00. Please check it and order again.' },
    })
    const { payment, intent } = await startPayment('priced', { amount: 4500, secret_key: 'sk_test_mine_please' })
    expect(payment).toMatchObject({ publishable_key: fixture.stripe.publishableKey, amount: '45.00', currency: 'GBP' })
    expect(fixture.stripe.objects.get(intent)).toMatchObject({ amount: 4500, currency: 'gbp' })
    const authorised = fixture.stripe.requests.at(-1)
    expect(JSON.stringify(authorised)).not.toContain('mine_please')
  })

  it('becomes one order, and only for the same email, however often and in whatever order the calls arrive', async () => {
    const { payment, intent, body } = await startPayment('named')
    const withIntent = { ...body, paymentIntentId: intent }
    const early = await post('createOrder', withIntent)
    expect(early.status).toBe(402)
    fixture.stripe.pay(intent)
    const answers = await Promise.all(Array.from({ length: 3 }, () => post('createOrder', withIntent)))
    for (const response of answers) {
      expect(response.status).toBe(201)
      expect(await response.json()).toMatchObject({ orderNumber: payment.orderNumber, state: 'paid', next: null })
    }
    for (const wrong of [
      { ...withIntent, email: 'somebody@else.test' },
      { ...withIntent, urlKey: fixture.theirs.urlKey },
      { ...withIntent, paymentIntentId: 'pi_of_nobody' },
    ]) {
      const refused = await post('createOrder', wrong)
      expect(refused.status).toBe(409)
      expect(await refused.text()).not.toContain(payment.orderNumber)
    }
  })

  it('can be cancelled with its key, and not without', async () => {
    const { payment, intent } = await startPayment('let-go')
    const wrongKey = await post('cancelOrder', { orderNumber: payment.orderNumber, key: 'guessed' })
    expect(wrongKey.status).toBe(404)
    const cancelled = await post('cancelOrder', { orderNumber: payment.orderNumber, key: payment.key })
    expect(await cancelled.json()).toEqual({ orderNumber: payment.orderNumber, state: 'cancelled' })
    expect(fixture.stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
  })

  it('is chosen by the specification’s numbers, for back issues too', async () => {
    const byCard = await post('createOrder', { ...newOrderBody(fixture.mine, 'payment-api-number'), payment: 2 })
    expect(await byCard.json()).toMatchObject({ state: 'pending', next: { kind: 'confirm', direct_debit: false } })
    const issues = await post('createBackIssueOrder', {
      ...newIssueOrderBody(fixture.mine, 'payment-api-issue'),
      payment: '2',
    })
    expect(await issues.json()).toMatchObject({ next: { client_secret: expect.stringMatching(/^pi_\w+_secret_/) } })
    const unknown = await post('createOrder', { ...newOrderBody(fixture.mine, 'payment-api-seven'), payment: 7 })
    expect(unknown.status).toBe(422)
    expect(await unknown.json()).toEqual({
      payment: { message: 'Must be a payment method that this storefront accepts, such as stripe-card or paypal' },
    })
  })
})

describe('a webhook', () => {
  const webhookPath = (publisherId: number) => `/webhooks/stripe/${publisherId}`

  it('is accepted as it was signed, whatever characters it contains, and queues one job', async () => {
    const { intent } = await startPayment('webhook', { lastName: 'Gwynedd ŵ “Ω”' })
    fixture.stripe.setPayment(intent, { description: 'Ŵ “Ω” 𝛑' })
    const message = fixture.stripe.message({ about: intent, at: fixture.services.clock.now })
    for (let time = 0; time < 2; time++) {
      const response = await callApi(fixture, 'POST', webhookPath(fixture.mine.publisherId), message)
      expect(await response.json()).toEqual({ received: true })
    }
    const jobs = await fixture.services.db.query(`SELECT id FROM jobs WHERE name = 'settle-order'`)
    expect(jobs).toHaveLength(1)
  })

  it('is refused when a byte of it differs, whoever sends it, and when it is far too long', async () => {
    const { intent } = await startPayment('refused')
    const { body, headers } = fixture.stripe.message({ about: intent, at: fixture.services.clock.now })
    const changedBody = await callApi(fixture, 'POST', webhookPath(fixture.mine.publisherId), {
      body: body.replace('{', '{ '),
      headers,
    })
    expect(changedBody.status).toBe(400)
    const token = fixture.tokens.superuser
    expect((await callApi(fixture, 'POST', webhookPath(fixture.mine.publisherId), { body: '{}', token })).status).toBe(
      400,
    )
    const longMessage = await callApi(fixture, 'POST', webhookPath(fixture.mine.publisherId), {
      body: 'x'.repeat(1100 * 1024),
      headers,
    })
    expect(longMessage.status).toBe(413)
    expect(await longMessage.json()).toEqual({ message: expect.stringContaining('1024 kB') })
    expect((await callApi(fixture, 'POST', webhookPath(424_242), { body, headers })).status).toBe(400)
    expect((await callApi(fixture, 'POST', '/webhooks/stripe/abc', { body, headers })).status).toBe(404)
  })
})
