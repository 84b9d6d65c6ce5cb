import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logIn } from '#core/users/log-in.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { checkCoupon } from './check-coupon.ts'
import { completeSignup } from './complete-signup.ts'
import { registerPublisher } from './register-publisher.ts'
import { settleSignups } from './settle-signups.ts'
import { startSignup } from './start-signup.ts'

let stripe: StripeServer
let services: TestServices
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({
    PLATFORM_STRIPE_SECRET_KEY: stripe.secretKey,
    PLATFORM_STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_API_BASE: stripe.url,
  })
  stripe.coupons.set('QUAY20', { percent_off: 20, name: 'Quay' })
  stripe.coupons.set('ALL', { percent_off: 100 })
  stripe.coupons.set('FIRST', { percent_off: 100, duration: 'once' })
})

const newEmail = () => `press-${randomUUID()}@example.test`
const password = 'kite-under-harbour'

const registrationOf = (email: string, fields: object = {}) => ({
  firstName: 'Nell',
  lastName: 'Press',
  email,
  confirmEmail: email,
  password,
  password2: password,
  country: 'GB',
  companyName: 'Quayside Press',
  addressOne: '2 Custom House Quay',
  postZip: 'TR11 3JT',
  ...fields,
})

const start = (email: string, fields: object = {}) =>
  startSignup(services.as(visitor), { planKey: 'standard-3', email, name: 'Nell Press', priceType: 'VAT', ...fields })
const complete = (paymentIntentId: string, fields: object) =>
  completeSignup(services.as(visitor), { paymentIntentId, ...fields })
const pay = (paymentIntentId: string, amount: number) =>
  stripe.setPayment(paymentIntentId, { status: 'succeeded', amount_received: amount })

async function startAndPay(email: string, fields: object = {}) {
  const started = await start(email, fields)
  pay(started.paymentIntentId, started.amount)
  return started
}

async function signupOf(email: string) {
  const [row] = await services.db.query<Record<string, unknown>>(
    `SELECT * FROM signups WHERE email_key = :email ORDER BY id DESC`,
    { email },
  )
  return row
}

const usersWith = (email: string) => services.db.query(`SELECT id FROM users WHERE email_key = :email`, { email })
const auditOf = (action: string, id: number) =>
  services.db.query(`SELECT * FROM audit_log WHERE action = :action AND subject_id = :id`, { action, id })
const sweep = () => settleSignups(services.as(system), {})
const later = (minutes: number) => {
  services.clock.now = new Date(services.clock.now.getTime() + minutes * 60_000)
}

describe('a paid sign-up', () => {
  it('makes the publisher with the titles of its plan, who can log in', async () => {
    const email = newEmail()
    const { paymentIntentId } = await startAndPay(email, { planKey: 'standard-4', hasApp: 'true', couponId: 'QUAY20' })
    const publisher = await complete(paymentIntentId, { registration: registrationOf(email), planKey: 'standard-4' })
    expect(publisher).toMatchObject({ email, companyName: 'Quayside Press', titlesAllowed: 4, planKey: 'plus-4' })
    const [account] = await services.db.query<Record<string, unknown>>(
      `SELECT a.*, u.user_type FROM accounts a JOIN users u ON u.id = a.user_id WHERE user_id = :id`,
      { id: publisher.id },
    )
    expect(account).toMatchObject({
      user_type: 'publisher',
      number_of_publications: 4,
      plan_key: 'plus-4',
      plan_customer_reference: expect.stringMatching(/^cus_/),
      address_one: '2 Custom House Quay',
      country: 'GB',
      email_address: email,
    })
    await expect(logIn(services.as(visitor), { email, password })).resolves.toBeDefined()
    // 4 titles with the app: 4 x 140 pounds, VAT, a fifth off.
    expect(stripe.objects.get(paymentIntentId)).toMatchObject({ amount: 53_760, currency: 'gbp' })
    const [audit] = await auditOf('sign-up', publisher.id)
    expect(audit).toMatchObject({ subject_type: 'user' })
    expect(Number((audit as { publisher_id: unknown }).publisher_id)).toBe(publisher.id)
    const jobs = await services.db.query(`SELECT id FROM jobs WHERE dedupe_key = :key`, {
      key: `welcome:${publisher.id}`,
    })
    expect(jobs).toHaveLength(1)
  })

  it('gives the same publisher again, also to two calls at once, and changes nothing by the second', async () => {
    const email = newEmail()
    const { paymentIntentId } = await startAndPay(email)
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((companyName) =>
        complete(paymentIntentId, { registration: registrationOf(email, { companyName }) }),
      ),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(new Set(answers.map(({ companyName }) => companyName)).size).toBe(1)
    const again = await complete(paymentIntentId, {
      registration: registrationOf(email, {
        companyName: 'Other',
        password: 'other-password',
        password2: 'other-password',
      }),
    })
    expect(again).toEqual(answers[0])
    expect(await usersWith(email)).toHaveLength(1)
    expect(await auditOf('sign-up', again.id)).toHaveLength(1)
    await expect(logIn(services.as(visitor), { email, password })).resolves.toBeDefined()
  })

  it('is nobody else’s: another e-mail, another reference and an unknown payment are one answer', async () => {
    const [email, other] = [newEmail(), newEmail()]
    const { paymentIntentId } = await startAndPay(email)
    const theirs = await start(other)
    const tries = [
      () => complete(paymentIntentId, { registration: registrationOf(other) }),
      () => complete(paymentIntentId, { reference: theirs.reference }),
      () => complete('pi_nobody', { registration: registrationOf(email) }),
    ]
    for (const isUsed of [false, true]) {
      if (isUsed) await complete(paymentIntentId, { registration: registrationOf(email) })
      for (const attempt of tries)
        await expect(attempt()).rejects.toMatchObject({ kind: 'notFound', message: 'The payment was not found' })
    }
    expect(await usersWith(other)).toHaveLength(0)
  })

  it('completes by its reference where it was started with the registration, whose password is kept as a hash alone', async () => {
    const email = newEmail()
    const { paymentIntentId, reference } = await startAndPay(email, { registration: registrationOf(email) })
    const row = await signupOf(email)
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
    expect(JSON.stringify(row?.answers)).not.toContain(password)
    expect(JSON.stringify(row?.answers)).not.toContain('argon2')
    const publisher = await complete(paymentIntentId, { reference })
    expect(publisher).toMatchObject({ email, companyName: 'Quayside Press' })
    expect(await complete(paymentIntentId, { reference })).toEqual(publisher)
    await expect(logIn(services.as(visitor), { email, password })).resolves.toBeDefined()
    const done = await signupOf(email)
    expect(done).toMatchObject({ state: 'registered', password_hash: null })
    expect(JSON.stringify(done?.answers)).not.toContain('Custom House')
  })
})

describe('a payment', () => {
  it.each([
    [{ status: 'processing' }, 'Your payment is processing.'],
    [{ status: 'requires_payment_method' }, 'Your payment was not successful, please try again.'],
    [{ status: 'canceled' }, 'Something went wrong.'],
    [
      { status: 'succeeded', amount_received: 16_199 },
      'The payment is not the price of this plan. Please contact us: nothing is lost.',
    ],
    [
      { status: 'succeeded', amount_received: 16_200, currency: 'usd' },
      'The payment is not the price of this plan. Please contact us: nothing is lost.',
    ],
  ])('of %j makes no publisher', async (fields, message) => {
    const email = newEmail()
    const { paymentIntentId } = await start(email)
    stripe.setPayment(paymentIntentId, fields)
    await expect(complete(paymentIntentId, { registration: registrationOf(email) })).rejects.toMatchObject({
      kind: 'conflict',
      message,
    })
    expect(await usersWith(email)).toHaveLength(0)
    stripe.setPayment(paymentIntentId, { status: 'succeeded', amount_received: 16_200, currency: 'gbp' })
    await expect(complete(paymentIntentId, { registration: registrationOf(email) })).resolves.toMatchObject({ email })
  })

  it('that names another sign-up is not this one’s', async () => {
    const email = newEmail()
    const { paymentIntentId } = await startAndPay(email)
    stripe.setPayment(paymentIntentId, { metadata: { signup: 'another' } })
    await expect(complete(paymentIntentId, { registration: registrationOf(email) })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('is not handed out where the provider works out another amount', async () => {
    stripe.coupons.set('ODD', { percent_off: 10 })
    const email = newEmail()
    const billing = services.planBilling
    if (!billing) throw new Error('The test runs with Stripe')
    const startSubscription: typeof billing.startSubscription = async (request) => ({
      ...(await billing.startSubscription(request)),
      amount: 1,
    })
    const ctx = { ...services.as(visitor), planBilling: { ...billing, startSubscription } }
    await expect(
      startSignup(ctx, { planKey: 'plus-1', email, name: 'Nell', priceType: 'TAXFREE', couponId: 'ODD' }),
    ).rejects.toMatchObject({ kind: 'upstream', detail: { ours: 17_550, theirs: 1 } })
  })
})

describe('what is typed', () => {
  it('is told at once, field by field, in the given words', async () => {
    const attempt = complete('', {
      registration: registrationOf('nobody', {
        firstName: '',
        companyName: ' ',
        confirmEmail: 'somebody',
        password: 'abc',
        password2: 'abd',
        country: 'XX',
      }),
    })
    await expect(attempt).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        paymentIntentId: 'Required',
        'registration.firstName': 'Required',
        'registration.companyName': 'Required',
        'registration.email': 'Invalid email address',
        'registration.confirmEmail': 'Emails must match. Please re-enter',
        'registration.password': 'Must be greater than 6 characters',
        'registration.password2': 'Passwords must match',
        'registration.country': 'Choose a country from the list',
      },
    })
    const common = registrationOf(newEmail(), { password: 'password', password2: 'password' })
    await expect(complete('pi_1', { registration: common })).rejects.toMatchObject({
      fields: { 'registration.password': expect.stringMatching(/people use most/) },
    })
    await expect(registerPublisher(services.as(visitor), {})).rejects.toMatchObject({
      fields: { planKey: 'Required', 'registration.companyName': 'Required', 'registration.password': 'Required' },
    })
    await expect(complete('pi_1', {})).rejects.toMatchObject({ fields: { 'registration.firstName': 'Required' } })
  })

  it('of a taken e-mail is refused in any case of it, before anybody is asked for money', async () => {
    const { email } = await makeUser(services, { email: newEmail() })
    const before = stripe.seen.length
    const fields = { email: 'That email is already taken' }
    await expect(start(email.toUpperCase())).rejects.toMatchObject({ kind: 'invalid', fields })
    const registration = registrationOf(email.toUpperCase())
    await expect(
      registerPublisher(services.as(visitor), { planKey: 'standard-1', registration, couponId: 'ALL' }),
    ).rejects.toMatchObject({ kind: 'invalid', fields: { 'registration.email': 'That email is already taken' } })
    expect(stripe.seen).toHaveLength(before)
  })

  it.each([
    [{ planKey: 'standard-11' }, { planKey: 'Choose one of the plans' }],
    [{ planKey: 'plus-2', hasApp: false }, { hasApp: expect.stringMatching(/mobile app/) }],
    [{ priceType: 'NONE' }, { priceType: 'Must be VAT or TAXFREE' }],
    [{ priceType: 'TAXFREE', country: 'gb' }, { priceType: 'The price for this country is VAT' }],
    [{ priceType: 'VAT', country: 'IE' }, { priceType: 'The price for this country is TAXFREE' }],
    [{ couponId: 'NONE' }, { couponId: 'Promo code invalid or expired' }],
    [{ couponId: 'FIRST' }, { couponId: 'Promo code invalid or expired' }],
    [{ couponId: 'ALL' }, { couponId: expect.stringMatching(/nothing to pay/) }],
  ])('of %j is refused', async (fields, problems) => {
    await expect(start(newEmail(), fields)).rejects.toMatchObject({ kind: 'invalid', fields: problems })
  })

  it('of a country whose price was not paid, or another plan, is refused', async () => {
    const email = newEmail()
    const { paymentIntentId } = await startAndPay(email, { priceType: 'TAXFREE' })
    const registration = registrationOf(email)
    await expect(complete(paymentIntentId, { registration })).rejects.toMatchObject({
      fields: { 'registration.country': expect.stringMatching(/without VAT/) },
    })
    const irish = registrationOf(email, { country: 'IE' })
    await expect(complete(paymentIntentId, { registration: irish, planKey: 'standard-10' })).rejects.toMatchObject({
      fields: { planKey: 'This is not the plan that was paid for' },
    })
    await expect(complete(paymentIntentId, { registration: irish })).resolves.toMatchObject({ titlesAllowed: 3 })
  })
})

describe('two sign-ups with one e-mail', () => {
  it('the first to complete wins; the other is told, marked for its refund and charged no second month', async () => {
    const email = newEmail()
    const [first, second] = [await startAndPay(email), await startAndPay(email, { planKey: 'plus-1' })]
    const publisher = await complete(first.paymentIntentId, { registration: registrationOf(email) })
    const late = () => complete(second.paymentIntentId, { registration: registrationOf(email) })
    for (let n = 0; n < 2; n++) {
      await expect(late()).rejects.toMatchObject({
        kind: 'invalid',
        fields: { 'registration.email': 'That email is already taken' },
      })
    }
    const lost = await signupOf(email)
    expect(lost).toMatchObject({ state: 'refund-due', payment_intent: second.paymentIntentId, user_id: null })
    const [audit, ...more] = await auditOf('sign-up-refund-due', Number(lost?.id))
    expect(more).toEqual([])
    expect(JSON.stringify((audit as { facts: unknown }).facts)).toContain(second.paymentIntentId)
    const subscriptions = [...stripe.objects.values()].filter(
      ({ object, metadata }) =>
        object === 'subscription' && (metadata as { signup: string }).signup === lost?.reference,
    )
    expect(subscriptions).toMatchObject([{ status: 'canceled' }])
    expect(publisher.planKey).toBe('standard-3')
  })

  it('at once: one publisher, one refund', async () => {
    const email = newEmail()
    const payments = [await startAndPay(email), await startAndPay(email)]
    const answers = await Promise.allSettled(
      payments.map(({ paymentIntentId }) => complete(paymentIntentId, { registration: registrationOf(email) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const states = await services.db.query<{ state: string }>(
      `SELECT state FROM signups WHERE email_key = :email ORDER BY state`,
      { email },
    )
    expect(states.map(({ state }) => state)).toEqual(['refund-due', 'registered'])
  })
})

describe('without a payment', () => {
  it('nobody registers where plans are paid for, but with a code that makes the plan free, which the provider counts', async () => {
    const email = newEmail()
    const register = (fields: object) =>
      registerPublisher(services.as(visitor), { planKey: 'standard-2', registration: registrationOf(email), ...fields })
    await expect(register({})).rejects.toMatchObject({ kind: 'conflict' })
    await expect(register({ couponId: 'QUAY20' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(register({ couponId: 'FIRST' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await usersWith(email)).toHaveLength(0)
    await expect(register({ couponId: 'ALL' })).resolves.toMatchObject({ email, titlesAllowed: 2 })
    const subscribed = stripe.seen.findLast(({ path }) => path === '/v1/subscriptions')
    expect(subscribed?.body).toMatchObject({ discounts: [{ coupon: 'ALL' }] })
    expect(await signupOf(email)).toMatchObject({ state: 'registered', payment_intent: null })
  })
})

describe('a coupon', () => {
  it('is found by its code, and one that is no good is none', async () => {
    const check = (code: string) => checkCoupon(services.as(visitor), { code })
    expect(await check(' QUAY20 ')).toMatchObject({ id: 'QUAY20', name: 'Quay', percentOff: 20 })
    for (const code of ['NONE', 'FIRST']) await expect(check(code)).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('cannot be guessed without end from one address', async () => {
    const ctx = { ...services.as(visitor), origin: { door: 'api' as const, address: '198.51.100.7' } }
    for (let n = 0; n < 60; n++) await checkCoupon(ctx, { code: `GUESS${n}` }).catch(() => {})
    await expect(checkCoupon(ctx, { code: 'QUAY20' })).rejects.toMatchObject({ kind: 'tooMany' })
    await expect(startSignup(ctx, {})).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('the sweep', () => {
  it('completes what was paid where the registration is known, and marks the rest as waiting for it', async () => {
    const [known, unknown, slow] = [newEmail(), newEmail(), newEmail()]
    await startAndPay(known, { registration: registrationOf(known) })
    const waiting = await startAndPay(unknown)
    const processing = await start(slow)
    stripe.setPayment(processing.paymentIntentId, { status: 'processing' })
    await sweep()
    expect(await signupOf(known)).toMatchObject({ state: 'started' })
    later(16)
    expect(await sweep()).toMatchObject({ failed: 0 })
    expect(await usersWith(known)).toHaveLength(1)
    const row = await signupOf(unknown)
    expect(row).toMatchObject({ state: 'paid-unregistered' })
    later(25 * 60)
    await sweep()
    expect(await auditOf('sign-up-unregistered', Number(row?.id))).toHaveLength(1)
    expect(await signupOf(slow)).toMatchObject({ state: 'started' })
    await expect(complete(waiting.paymentIntentId, { registration: registrationOf(unknown) })).resolves.toMatchObject({
      email: unknown,
    })
  })

  it('lets what was never paid expire and clears it away a week later; money that comes in between still counts', async () => {
    const [gone, late] = [newEmail(), newEmail()]
    await start(gone)
    const { paymentIntentId, amount } = await start(late)
    later(23 * 60)
    await sweep()
    expect(await signupOf(gone)).toMatchObject({ state: 'started' })
    later(2 * 60)
    await sweep()
    expect(await signupOf(gone)).toMatchObject({ state: 'expired' })
    pay(paymentIntentId, amount)
    await expect(complete(paymentIntentId, { registration: registrationOf(late) })).resolves.toMatchObject({
      email: late,
    })
    later(8 * 24 * 60)
    await sweep()
    expect(await signupOf(gone)).toBeUndefined()
    expect(await signupOf(late)).toMatchObject({ state: 'registered' })
  })

  it('stops no other sign-up by one that fails, and stops a subscription later that could not be stopped at once', async () => {
    const [broken, good] = [newEmail(), newEmail()]
    const first = await startAndPay(broken, { registration: registrationOf(broken) })
    await startAndPay(good, { registration: registrationOf(good) })
    const taken = newEmail()
    const lost = await startAndPay(taken)
    await makeUser(services, { email: taken })
    const { planBilling } = services
    if (!planBilling) throw new Error('The test runs with Stripe')
    const flaky = {
      ...planBilling,
      lookUpPayment: (id: string) =>
        id === first.paymentIntentId ? Promise.reject(new Error('down')) : planBilling.lookUpPayment(id),
      endSubscription: () => Promise.reject(new Error('down')),
    }
    await expect(
      completeSignup(
        { ...services.as(visitor), planBilling: flaky },
        { paymentIntentId: lost.paymentIntentId, registration: registrationOf(taken) },
      ),
    ).rejects.toMatchObject({ kind: 'invalid' })
    later(16)
    expect(await settleSignups({ ...services.as(system), planBilling: flaky }, {})).toMatchObject({ failed: 1 })
    expect(await usersWith(good)).toHaveLength(1)
    expect(await usersWith(broken)).toHaveLength(0)
    later(16)
    expect(await sweep()).toMatchObject({ failed: 0 })
    expect(await usersWith(broken)).toHaveLength(1)
    const { reference } = (await signupOf(taken)) ?? {}
    const subscription = [...stripe.objects.values()].find(
      ({ object, metadata }) => object === 'subscription' && (metadata as { signup: string }).signup === reference,
    )
    expect(subscription).toMatchObject({ status: 'canceled' })
  })
})
