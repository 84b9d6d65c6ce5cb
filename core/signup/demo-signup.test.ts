import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { readEnv } from '#core/platform/env.ts'
import { makePlanBilling } from '#core/platform/plan-billing.ts'
import { mailSender } from '#tests/support/emails.ts'
import { system } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { finishSignup } from './finish-signup.ts'
import { plansOnSale } from './plans-on-sale.ts'
import { registerPublisher } from './register-publisher.ts'
import { startSignup } from './start-signup.ts'

const sendWelcome = mailSender('welcome')

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const registration = {
  firstName: 'Nell',
  lastName: 'Press',
  password: 'kite-under-harbour',
  password2: 'kite-under-harbour',
  country: 'IE',
  companyName: 'Quayside Press',
}

it('signs a publisher up outside production without a charge, and sends one welcome', async () => {
  const email = 'demo@example.test'
  const ctx = services.as(visitor)
  expect((await plansOnSale(ctx, {})).publishableKey).toBe('pk_demo')
  const started = await startSignup(ctx, {
    planKey: 'standard-2',
    email,
    name: 'Nell Press',
    priceType: 'TAXFREE',
    couponId: 'save99',
  })
  expect(started).toMatchObject({ amount: 90, clientSecret: expect.stringContaining('_secret_') })
  const { id } = await finishSignup(ctx, {
    paymentIntentId: started.paymentIntentId,
    registration: { ...registration, email },
  })
  expect(await sendWelcome(services.as(system), { userId: id })).toBe(true)
  expect(await sendWelcome(services.as(system), { userId: id })).toBe(false)
  const emails = (await services.mail.devMailbox?.list(10)) ?? []
  expect(emails).toMatchObject([{ to: email, subject: 'Welcome to Masthead: Quayside Press is signed up' }])
  expect(emails[0]?.text).toContain('Standard, 2 titles')
  await expect(sendWelcome(ctx, { userId: id })).rejects.toMatchObject({ kind: 'unauthenticated' })
})

it('registers without a payment when none is required', async () => {
  const email = 'older@example.test'
  await expect(
    registerPublisher(services.as(visitor), { planKey: 'plus-5', registration: { ...registration, email } }),
  ).resolves.toMatchObject({ email, titlesAllowed: 5, planKey: 'plus-5' })
})

it('closes sign-up in production without keys', async () => {
  const secret = { APP_SECRET: 'test-secret-test-secret-test-secret', NODE_ENV: 'production' }
  const env = readEnv({ ...secret, ALLOW_DEMO_PAYMENTS: '1' })
  expect(makePlanBilling(services.db, env, services.now)).toBeNull()
  const ctx = { ...services.as(visitor), planBilling: null }
  const email = 'closed@example.test'
  const fullRegistration = { ...registration, email }
  const attempts = [
    () => startSignup(ctx, { planKey: 'standard-1', email, name: 'Nell', priceType: 'VAT' }),
    () => registerPublisher(ctx, { planKey: 'standard-1', registration: fullRegistration }),
    () => registerPublisher(ctx, { planKey: 'standard-1', couponId: 'FREE100', registration: fullRegistration }),
  ]
  for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ kind: 'conflict' })
  expect((await plansOnSale(ctx, {})).publishableKey).toBeNull()
})

it('accepts two keys of one mode, and live ones in production only', () => {
  const secret = 'sk_test_1'
  const publishable = 'pk_test_1'
  const read = (PLATFORM_STRIPE_SECRET_KEY: string, PLATFORM_STRIPE_PUBLISHABLE_KEY: string, NODE_ENV = 'test') =>
    readEnv({
      APP_SECRET: 'test-secret-test-secret-test-secret',
      PLATFORM_STRIPE_SECRET_KEY,
      PLATFORM_STRIPE_PUBLISHABLE_KEY,
      NODE_ENV,
    }).planStripeKeys
  expect(read(secret, publishable)).toEqual({ secretKey: secret, publishableKey: publishable, webhookSecret: null })
  expect(read('', '')).toBeNull()
  expect(read('sk_live_1', 'pk_live_1', 'production')).toMatchObject({ secretKey: 'sk_live_1' })
  expect(() => read(secret, '')).toThrow(/only one of PLATFORM_STRIPE_SECRET_KEY/)
  expect(() => read(secret, 'pk_live_1')).toThrow(/test key/)
  expect(() => read('sk_live_1', 'pk_live_1')).toThrow(/live key outside production/)
  expect(() => read(publishable, secret)).toThrow(/must begin with sk_test_/)
})
