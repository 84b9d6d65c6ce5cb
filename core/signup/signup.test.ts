import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logIn } from '#core/users/log-in.ts'
import { newEmail, openSignUps, registrationOf, type SignUps, signUpPassword } from '#tests/support/sign-ups.ts'
import { checkCoupon } from './check-coupon.ts'
import { registerPublisher } from './register-publisher.ts'
import { startSignup } from './start-signup.ts'

let signUps: SignUps
beforeAll(async () => {
  signUps = await openSignUps()
})

describe('a paid sign-up', () => {
  it('creates the publisher with the titles of its plan, who can log in', async () => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email, {
      planKey: 'standard-4',
      hasApp: 'true',
      couponId: 'QUAY20',
    })
    const publisher = await signUps.complete(paymentIntentId, {
      registration: registrationOf(email),
      planKey: 'standard-4',
    })
    expect(publisher).toMatchObject({ email, companyName: 'Quayside Press', titlesAllowed: 4, planKey: 'plus-4' })
    const [account] = await signUps.services.db.query<Record<string, unknown>>(
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
    await expect(logIn(signUps.services.as(visitor), { email, password: signUpPassword })).resolves.toBeDefined()
    // 4 titles with the app: 4 x 140 pounds, plus VAT, less a fifth.
    expect(signUps.stripe.objects.get(paymentIntentId)).toMatchObject({ amount: 53_760, currency: 'gbp' })
    const [audit] = await signUps.auditOf('sign-up', publisher.id)
    expect(audit).toMatchObject({ subject_type: 'user' })
    expect(Number((audit as { publisher_id: unknown }).publisher_id)).toBe(publisher.id)
    const jobs = await signUps.services.db.query(`SELECT id FROM jobs WHERE dedupe_key = :key`, {
      key: `welcome:${publisher.id}`,
    })
    expect(jobs).toHaveLength(1)
  })

  it('returns the same publisher to concurrent and later calls, and none of them changes it', async () => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email)
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((companyName) =>
        signUps.complete(paymentIntentId, { registration: registrationOf(email, { companyName }) }),
      ),
    )
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
    expect(new Set(answers.map(({ companyName }) => companyName)).size).toBe(1)
    const repeated = await signUps.complete(paymentIntentId, {
      registration: registrationOf(email, {
        companyName: 'Other',
        password: 'other-password',
        password2: 'other-password',
      }),
    })
    expect(repeated).toEqual(answers[0])
    expect(await signUps.usersWith(email)).toHaveLength(1)
    expect(await signUps.auditOf('sign-up', repeated.id)).toHaveLength(1)
    await expect(logIn(signUps.services.as(visitor), { email, password: signUpPassword })).resolves.toBeDefined()
  })

  it('gives the same answer for another email, another reference and an unknown payment', async () => {
    const email = newEmail()
    const other = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email)
    const theirs = await signUps.start(other)
    const attempts = [
      () => signUps.complete(paymentIntentId, { registration: registrationOf(other) }),
      () => signUps.complete(paymentIntentId, { reference: theirs.reference }),
      () => signUps.complete('pi_nobody', { registration: registrationOf(email) }),
    ]
    for (const isUsed of [false, true]) {
      if (isUsed) await signUps.complete(paymentIntentId, { registration: registrationOf(email) })
      for (const attempt of attempts)
        await expect(attempt()).rejects.toMatchObject({ kind: 'notFound', message: 'The payment was not found' })
    }
    expect(await signUps.usersWith(other)).toHaveLength(0)
  })

  it('completes by its reference if it was started with the registration, whose password is stored only hashed', async () => {
    const email = newEmail()
    const { paymentIntentId, reference } = await signUps.startAndPay(email, { registration: registrationOf(email) })
    const row = await signUps.signupOf(email)
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
    expect(JSON.stringify(row?.answers)).not.toContain(signUpPassword)
    expect(JSON.stringify(row?.answers)).not.toContain('argon2')
    const publisher = await signUps.complete(paymentIntentId, { reference })
    expect(publisher).toMatchObject({ email, companyName: 'Quayside Press' })
    expect(await signUps.complete(paymentIntentId, { reference })).toEqual(publisher)
    await expect(logIn(signUps.services.as(visitor), { email, password: signUpPassword })).resolves.toBeDefined()
    const registered = await signUps.signupOf(email)
    expect(registered).toMatchObject({ state: 'registered', password_hash: null })
    expect(JSON.stringify(registered?.answers)).not.toContain('Custom House')
  })
})

describe('a payment', () => {
  it.each([
    [{ status: 'processing' }, 'Your payment is processing.'],
    [{ status: 'requires_payment_method' }, 'Your payment was not successful, please try again.'],
    [{ status: 'canceled' }, 'Something went wrong.'],
    [
      { status: 'succeeded', amount_received: 16_199 },
      'The amount paid is not the price of this plan. Please contact us: nothing is lost.',
    ],
    [
      { status: 'succeeded', amount_received: 16_200, currency: 'usd' },
      'The amount paid is not the price of this plan. Please contact us: nothing is lost.',
    ],
  ])('of %j creates no publisher', async (fields, message) => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.start(email)
    signUps.stripe.setPayment(paymentIntentId, fields)
    await expect(signUps.complete(paymentIntentId, { registration: registrationOf(email) })).rejects.toMatchObject({
      kind: 'conflict',
      message,
    })
    expect(await signUps.usersWith(email)).toHaveLength(0)
    signUps.stripe.setPayment(paymentIntentId, { status: 'succeeded', amount_received: 16_200, currency: 'gbp' })
    await expect(signUps.complete(paymentIntentId, { registration: registrationOf(email) })).resolves.toMatchObject({
      email,
    })
  })

  it('of another sign-up is refused', async () => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email)
    signUps.stripe.setPayment(paymentIntentId, { metadata: { signup: 'another' } })
    await expect(signUps.complete(paymentIntentId, { registration: registrationOf(email) })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('is not offered if the provider calculates another amount', async () => {
    signUps.stripe.coupons.set('ODD', { percent_off: 10 })
    const email = newEmail()
    const billing = signUps.services.planBilling
    if (!billing) throw new Error('Plan billing is not set up')
    const startSubscription: typeof billing.startSubscription = async (request) => ({
      ...(await billing.startSubscription(request)),
      amount: 1,
    })
    const ctx = { ...signUps.services.as(visitor), planBilling: { ...billing, startSubscription } }
    await expect(
      startSignup(ctx, { planKey: 'plus-1', email, name: 'Nell', priceType: 'TAXFREE', couponId: 'ODD' }),
    ).rejects.toMatchObject({ kind: 'upstream', detail: { ours: 17_550, theirs: 1 } })
  })
})

describe('without a payment', () => {
  it('nobody registers when plans cost money, except with a code that makes the plan free, which the provider counts', async () => {
    const email = newEmail()
    const register = (fields: object) =>
      registerPublisher(signUps.services.as(visitor), {
        planKey: 'standard-2',
        registration: registrationOf(email),
        ...fields,
      })
    await expect(register({})).rejects.toMatchObject({ kind: 'conflict' })
    await expect(register({ couponId: 'QUAY20' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(register({ couponId: 'FIRST' })).rejects.toMatchObject({ kind: 'invalid' })
    expect(await signUps.usersWith(email)).toHaveLength(0)
    await expect(register({ couponId: 'ALL' })).resolves.toMatchObject({ email, titlesAllowed: 2 })
    const subscribed = signUps.stripe.requests.findLast(({ path }) => path === '/v1/subscriptions')
    expect(subscribed?.body).toMatchObject({ discounts: [{ coupon: 'ALL' }] })
    expect(await signUps.signupOf(email)).toMatchObject({ state: 'registered', payment_intent: null })
  })
})

describe('a coupon', () => {
  it('is found by its code, and an invalid one is not', async () => {
    const check = (code: string) => checkCoupon(signUps.services.as(visitor), { code })
    expect(await check(' QUAY20 ')).toMatchObject({ id: 'QUAY20', name: 'Quay', percentOff: 20 })
    for (const code of ['NONE', 'FIRST']) await expect(check(code)).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('cannot be guessed without limit from one address', async () => {
    const visitorAt = (address: string) => ({
      ...signUps.services.as(visitor),
      origin: { entryPoint: 'api' as const, address },
    })
    const ctx = visitorAt('198.51.100.7')
    for (let n = 0; n < 30; n++)
      await expect(checkCoupon(ctx, { code: `GUESS${n}` })).rejects.toMatchObject({ kind: 'notFound' })
    await expect(checkCoupon(ctx, { code: 'QUAY20' })).rejects.toMatchObject({ kind: 'tooMany' })
    expect(await checkCoupon(visitorAt('198.51.100.8'), { code: 'QUAY20' })).toMatchObject({ id: 'QUAY20' })
    // Somebody else at that address can still sign up.
    const form = { planKey: 'standard-1', email: newEmail(), name: 'Nell', priceType: 'VAT' }
    expect(await startSignup(ctx, form)).toMatchObject({ amount: 7800 })
  })
})
