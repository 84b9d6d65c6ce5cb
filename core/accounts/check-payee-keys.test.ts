import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { AppContext } from '#core/context.ts'
import { actorOf } from '#tests/support/factories.ts'
import { goodKeys, openPayPal, openSecureTrading, openStripe, type PayeeServer } from '#tests/support/payee-servers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { checkPayeeKeys } from './check-payee-keys.ts'
import { setPayeeKeys } from './set-payee-keys.ts'

let services: TestServices
let stripe: PayeeServer
let payPal: PayeeServer
let secureTrading: PayeeServer
let ctx: AppContext

beforeAll(async () => {
  stripe = await openStripe()
  payPal = await openPayPal()
  secureTrading = await openSecureTrading()
  services = await openTestServices({
    STRIPE_API_BASE: stripe.url,
    PAYPAL_API_BASE: payPal.url,
    SECURE_TRADING_BASE: secureTrading.url,
  })
})
afterAll(() => Promise.all([stripe, payPal, secureTrading].map((server) => server?.stop())))
beforeEach(async () => {
  ctx = services.as(await actorOf(services, 'publisher'))
  for (const server of [stripe, payPal, secureTrading]) server.requests.length = 0
})

const check = (provider: keyof typeof goodKeys, changes: Record<string, string> = {}) =>
  checkPayeeKeys(ctx, { provider, [provider]: { ...goodKeys[provider], ...changes } })

describe('checking keys at the provider', () => {
  it('Stripe: reports whose keys they are, and which of the two is wrong', async () => {
    expect(await check('stripeDets')).toMatchObject({
      result: 'works',
      mode: 'test',
      message: 'Stripe accepts these keys. They belong to Harbour Press. They are in test mode: no real money moves.',
    })
    expect(stripe.requests).toEqual(['GET /v1/account', 'POST /v1/tokens'])
    expect(await check('stripeDets', { secretKey: 'rk_test_51Standin0001' })).toMatchObject({ result: 'works' })
    expect(await check('stripeDets', { secretKey: 'sk_test_51Somebodyelse' })).toMatchObject({
      result: 'refused',
      message: 'Stripe refused the secret key: it does not recognise this key.',
    })
    expect(await check('stripeDets', { publishableKey: 'pk_test_51Somebodyelse' })).toMatchObject({
      result: 'refused',
      message: 'Stripe refused the publishable key: it does not recognise this key.',
    })
  })

  it('checks PayPal and Secure Trading keys', async () => {
    expect(await check('payPalDets')).toMatchObject({ result: 'works' })
    expect(await check('payPalDets', { secret: 'EF-standin-secret-0002' })).toMatchObject({ result: 'refused' })
    expect(await check('secureTradingDets')).toMatchObject({ result: 'works' })
    expect(await check('secureTradingDets', { pass: 'wrong' })).toMatchObject({
      result: 'refused',
      message: expect.stringContaining('web services password'),
    })
    expect(await check('secureTradingDets', { ref: 'test_another1' })).toMatchObject({
      result: 'refused',
      message: expect.stringContaining('site reference'),
    })
    expect(await check('secureTradingDets', { ref: 'test_outoforder' })).toMatchObject({ result: 'noAnswer' })
  })

  it('retries once, and does not call keys right or wrong when the provider does not respond', async () => {
    for (const [provider, server] of [
      ['stripeDets', stripe],
      ['payPalDets', payPal],
      ['secureTradingDets', secureTrading],
    ] as const) {
      server.fail(1, 0)
      expect(await check(provider), `${provider} after one broken line`).toMatchObject({ result: 'works' })
      server.fail(2, 503)
      expect(await check(provider), `${provider} out of order`).toMatchObject({
        result: 'noAnswer',
        message: expect.stringMatching(/did not respond.*Try again/),
      })
      server.fail(2, 0)
      expect(await check(provider), `${provider} gone`).toMatchObject({ result: 'noAnswer' })
      await services.db.run(`DELETE FROM rate_limits`)
    }
  })

  it('uses the stored keys when none are entered, and stores nothing', async () => {
    await expect(checkPayeeKeys(ctx, { provider: 'payPalDets' })).rejects.toMatchObject({
      fields: { 'payPalDets.payPalString': 'Required', 'payPalDets.secret': 'Required' },
    })
    expect(payPal.requests).toEqual([])
    await setPayeeKeys(ctx, { payPalDets: goodKeys.payPalDets, currentPassword: 'masthead' })
    expect(await checkPayeeKeys(ctx, { provider: 'payPalDets' })).toMatchObject({ result: 'works' })
    expect(await check('payPalDets', { secret: 'EF-standin-secret-0002' })).toMatchObject({ result: 'refused' })
    expect(await checkPayeeKeys(ctx, { provider: 'payPalDets' })).toMatchObject({ result: 'works' })
  })

  it('sends nothing that does not look like a key, and no live keys outside production', async () => {
    await expect(check('stripeDets', { secretKey: 'sk_test_1\r\nX-Evil: 1' })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(
      check('stripeDets', { secretKey: 'sk_live_51Standin0001', publishableKey: 'pk_live_51Standin0001' }),
    ).rejects.toMatchObject({ kind: 'invalid' })
    expect(stripe.requests).toEqual([])
  })

  it('is for the publisher, limited to ten times in ten minutes, and logged without a key', async () => {
    const pubadmin = services.as(await actorOf(services, 'pubadmin'))
    await expect(checkPayeeKeys(pubadmin, { provider: 'payPalDets' })).rejects.toMatchObject({ kind: 'denied' })
    for (let n = 0; n < 10; n++) await check('payPalDets')
    await expect(check('payPalDets')).rejects.toMatchObject({ kind: 'tooMany' })
    const audit = JSON.stringify(await services.db.query(`SELECT * FROM audit_log WHERE action = 'check-payee-keys'`))
    expect(audit).toContain('works')
    for (const key of Object.values(goodKeys).flatMap((keys) => Object.values(keys))) expect(audit).not.toContain(key)
  })
})
