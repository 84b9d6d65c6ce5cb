import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logIn } from '#core/users/log-in.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { newEmail, openSignUps, type SignUps, signUpPassword } from '#tests/support/sign-ups.ts'
import { deleteSignupDraft } from './delete-signup-draft.ts'
import { payDraft } from './pay-draft.ts'
import { settleSignups } from './settle-signups.ts'
import { getSignupDraft } from './signup-draft.query.ts'
import { signupOutcome } from './signup-outcome.ts'
import { storeBillingStep } from './store-billing-step.ts'
import { storeCompanyStep } from './store-company-step.ts'
import { storePlanStep } from './store-plan-step.ts'

let signUps: SignUps
beforeAll(async () => {
  signUps = await openSignUps()
})

const ctx = () => signUps.services.as(visitor)
const personOf = (email: string, fields: object = {}) => ({
  firstName: 'Nell',
  lastName: 'Press',
  email,
  confirmEmail: email,
  password: signUpPassword,
  password2: signUpPassword,
  ...fields,
})
const company = { companyName: 'Quayside Press', country: 'GB', addressOne: '2 Custom House Quay', postZip: 'TR11 3JT' }
const storePlan = (token: string, fields: object = {}) =>
  storePlanStep(ctx(), { token, intent: 'next', kind: 'standard', titles: '3', code: '', ...fields })

/** Answers all steps of a new draft, and returns its token. */
async function answerSteps(
  email: string,
  { plan = {}, billing = {} }: { plan?: object; billing?: object } = {},
): Promise<string> {
  const { token } = await storeCompanyStep(ctx(), personOf(email))
  await storeBillingStep(ctx(), { token, ...company, ...billing })
  await storePlan(token, plan)
  return token
}

/** Presses Pay, and returns what the browser needs to pay. */
async function startPayment(token: string) {
  const started = await payDraft(ctx(), { token })
  if (started.next !== 'pay') throw new Error(`Nothing to pay: ${JSON.stringify(started)}`)
  const intent = started.clientSecret.split('_secret_')[0] ?? ''
  return { ...started, intent }
}

async function signupsOf(email: string) {
  return signUps.services.db.query<{ id: number; state: string; reference: string; payment_intent: string | null }>(
    `SELECT id, state, reference, payment_intent FROM signups WHERE email_key = :email ORDER BY id`,
    { email },
  )
}

const outcome = (fields: object) => signupOutcome(ctx(), fields)

describe('the steps', () => {
  it('store the answers behind a token, and the password only hashed', async () => {
    const email = newEmail()
    const token = await answerSteps(email, { plan: { kind: 'plus', titles: '4', code: 'QUAY20' } })
    const view = await getSignupDraft(ctx(), { token })
    expect(view).toMatchObject({
      openStep: 'pay',
      hasPassword: true,
      isEmailTaken: false,
      priceType: 'VAT',
      answers: {
        person: { firstName: 'Nell', email },
        company: { companyName: 'Quayside Press', addressTwo: '' },
        plan: { kind: 'plus', titles: 4 },
        coupon: { name: 'Quay', percentOff: 20 },
      },
    })
    expect(view.quotes.plus[3]).toEqual({
      titles: 4,
      perTitle: 14_000,
      net: 56_000,
      vat: 11_200,
      off: 13_440,
      total: 53_760,
    })
    expect(JSON.stringify(view)).not.toMatch(/argon2|kite-under/)
    const [row] = await signUps.services.db.query<Record<string, unknown>>(
      `SELECT * FROM signup_drafts ORDER BY id DESC LIMIT 1`,
    )
    expect(JSON.stringify(row)).not.toContain(signUpPassword)
    expect(JSON.stringify(row)).not.toContain(token)
    expect(row?.password_hash).toMatch(/^\$argon2id\$/)
    expect(await getSignupDraft(ctx(), { token: 'another' })).toMatchObject({ answers: null, openStep: 'company' })
  })

  it('report all wrong fields at once, with the specified texts', async () => {
    const { email: taken } = await makeUser(signUps.services, { email: newEmail() })
    const store = (fields: object) => storeCompanyStep(ctx(), personOf(newEmail(), fields))
    await expect(
      storeCompanyStep(ctx(), {
        firstName: '',
        lastName: '',
        email: '',
        confirmEmail: '',
        password: '',
        password2: '',
      }),
    ).rejects.toMatchObject({
      kind: 'invalid',
      fields: {
        firstName: 'Required',
        lastName: 'Required',
        email: 'Required',
        confirmEmail: 'Required',
        password: 'Required',
        password2: 'Required',
      },
    })
    await expect(
      store({ email: 'nobody', confirmEmail: 'somebody', password: 'abc', password2: 'abd' }),
    ).rejects.toMatchObject({
      fields: {
        email: 'Invalid email address',
        confirmEmail: 'Invalid email address',
        password: 'Must be greater than 6 characters',
        password2: 'Passwords must match',
      },
    })
    await expect(store({ confirmEmail: newEmail() })).rejects.toMatchObject({
      fields: { confirmEmail: 'Emails must match. Please re-enter' },
    })
    await expect(storeCompanyStep(ctx(), personOf(taken.toUpperCase()))).rejects.toMatchObject({
      fields: { email: 'That email is already taken' },
    })
    const { token } = await storeCompanyStep(ctx(), personOf(newEmail()))
    await expect(storeBillingStep(ctx(), { token, ...company, companyName: ' ' })).rejects.toMatchObject({
      fields: { companyName: 'Required' },
    })
    await expect(storePlan(token, { titles: '11' })).rejects.toMatchObject({
      fields: { titles: 'For more than 10 Publications, please Contact Us' },
    })
    for (const titles of ['0', '12', 'many', '1.5', ''])
      await expect(storePlan(token, { titles })).rejects.toMatchObject({ kind: 'invalid' })
  })

  it('keep the password when both boxes are left empty the second time, and accept another one', async () => {
    const email = newEmail()
    const { token } = await storeCompanyStep(ctx(), personOf(email))
    const secondAnswers = personOf(email, { token, firstName: 'Ada', password: '', password2: '' })
    expect(await storeCompanyStep(ctx(), secondAnswers)).toEqual({ token })
    expect(await getSignupDraft(ctx(), { token })).toMatchObject({
      hasPassword: true,
      answers: { person: { firstName: 'Ada' } },
    })
    await expect(storeCompanyStep(ctx(), { ...secondAnswers, password: 'only-one-box' })).rejects.toMatchObject({
      fields: { password2: 'Required' },
    })
  })

  it('keep the titles when the code is invalid, count guesses, and remove a code again', async () => {
    const { token } = await storeCompanyStep(ctx(), personOf(newEmail()))
    for (const code of ['NONE', 'FIRST'])
      await expect(storePlan(token, { titles: '7', code, intent: 'apply' })).rejects.toMatchObject({
        fields: { code: 'Promo code invalid or expired' },
      })
    expect(await getSignupDraft(ctx(), { token })).toMatchObject({ answers: { plan: { titles: 7 }, coupon: null } })
    await storePlan(token, { code: 'QUAY20', intent: 'apply' })
    expect(await getSignupDraft(ctx(), { token })).toMatchObject({ answers: { coupon: { id: 'QUAY20' } } })
    await storePlan(token, { intent: 'remove', code: '' })
    expect(await getSignupDraft(ctx(), { token })).toMatchObject({ answers: { coupon: null } })
    const guesser = { ...ctx(), origin: { entryPoint: 'web' as const, address: '198.51.100.9' } }
    const guess = (code: string) =>
      storePlanStep(guesser, { token, intent: 'apply', kind: 'standard', titles: '1', code })
    for (let n = 0; n < 30; n++) await guess(`GUESS${n}`).catch(() => {})
    await expect(guess('QUAY20')).rejects.toMatchObject({ kind: 'tooMany' })
  })

  it('keep what another tab stores meanwhile', async () => {
    const email = newEmail()
    const { token } = await storeCompanyStep(ctx(), personOf(email))
    const coupon = signUps.stripe.holdNextResponse('/v1/coupons/QUAY20')
    const plan = storePlan(token, { code: 'QUAY20' })
    await coupon.reached
    await storeBillingStep(ctx(), { token, ...company })
    coupon.release()
    await plan
    expect(await getSignupDraft(ctx(), { token })).toMatchObject({
      answers: { person: { email }, company: { companyName: 'Quayside Press' }, coupon: { id: 'QUAY20' } },
    })
  })

  it('come in order; a draft over a day old, or discarded, is gone', async () => {
    const { token } = await storeCompanyStep(ctx(), personOf(newEmail()))
    expect(await payDraft(ctx(), { token })).toEqual({ next: 'step', step: 'billing' })
    await deleteSignupDraft(ctx(), { token })
    await expect(payDraft(ctx(), { token })).rejects.toMatchObject({ kind: 'notFound' })
    const oldToken = await answerSteps(newEmail())
    const { clock } = signUps.services
    clock.advance({ hours: 25 })
    await expect(payDraft(ctx(), { token: oldToken })).rejects.toMatchObject({ kind: 'notFound' })
    await settleSignups(signUps.services.as(system), {})
    expect(
      await signUps.services.db.query(`SELECT id FROM signup_drafts WHERE expires_at < :now`, { now: clock.now }),
    ).toEqual([])
  })
})

describe('the payment', () => {
  it('registers the publisher on return, who can log in with the password of the first step', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const { intent, amount } = await startPayment(token)
    expect(amount).toBe(16_200)
    signUps.pay(intent, amount)
    const done = { state: 'registered', text: 'Payment succeeded!', email }
    expect(await outcome({ token, paymentIntentId: intent })).toEqual(done)
    // Reloaded, and opened without the payment in the address.
    expect(await outcome({ token, paymentIntentId: intent })).toEqual(done)
    expect(await outcome({ token })).toEqual(done)
    expect(await signUps.usersWith(email)).toHaveLength(1)
    await expect(logIn(ctx(), { email, password: signUpPassword })).resolves.toBeDefined()
    // Back from there: nothing is paid twice.
    expect(await payDraft(ctx(), { token })).toEqual({ next: 'done', paymentIntentId: intent })
    const [account] = await signUps.services.db.query<Record<string, unknown>>(
      `SELECT company_name, plan_key FROM accounts a JOIN users u ON u.id = a.user_id WHERE u.email_key = :email`,
      { email },
    )
    expect(account).toEqual({ company_name: 'Quayside Press', plan_key: 'standard-3' })
  })

  it('submitted twice, in two tabs and after Back is one payment, with the current details', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const [first, second] = await Promise.all([startPayment(token), startPayment(token)])
    expect(second.intent).toBe(first.intent)
    await storeBillingStep(ctx(), { token, ...company, companyName: 'Quayside and Daughters' })
    const third = await startPayment(token)
    expect(third.intent).toBe(first.intent)
    expect(await signupsOf(email)).toHaveLength(1)
    signUps.pay(third.intent, third.amount)
    await outcome({ token, paymentIntentId: third.intent })
    const [account] = await signUps.services.db.query(
      `SELECT company_name FROM accounts a JOIN users u ON u.id = a.user_id WHERE u.email_key = :email`,
      { email },
    )
    expect(account).toEqual({ company_name: 'Quayside and Daughters' })
  })

  it('for another plan stops the previous one, which can no longer be charged', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const before = await startPayment(token)
    await storePlan(token, { kind: 'plus', titles: '2' })
    const after = await startPayment(token)
    expect(after.intent).not.toBe(before.intent)
    expect(after.amount).toBe(33_600)
    const [replaced, current] = await signupsOf(email)
    expect([replaced?.state, current?.state]).toEqual(['replaced', 'started'])
    expect(signUps.subscriptionOf(replaced)).toMatchObject({ status: 'canceled' })
    expect(signUps.subscriptionOf(current)).toMatchObject({ status: 'incomplete' })
    signUps.pay(after.intent, after.amount)
    expect(await outcome({ token, paymentIntentId: after.intent })).toMatchObject({ state: 'registered' })
  })

  it('that came through in another tab at the last moment is marked for refund, and there is one account', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const before = await startPayment(token)
    await storePlan(token, { titles: '5' })
    const after = await startPayment(token)
    signUps.pay(before.intent, before.amount)
    signUps.pay(after.intent, after.amount)
    expect(await outcome({ paymentIntentId: before.intent, clientSecret: before.clientSecret })).toMatchObject({
      state: 'refund',
    })
    expect(await outcome({ token, paymentIntentId: after.intent })).toMatchObject({ state: 'registered' })
    expect((await signupsOf(email)).map(({ state }) => state)).toEqual(['refund-due', 'registered'])
    expect(await signUps.usersWith(email)).toHaveLength(1)
  })

  it('made before the plan was changed counts: no other payment is requested', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const { intent, amount } = await startPayment(token)
    signUps.pay(intent, amount)
    await storePlan(token, { titles: '9' })
    expect(await payDraft(ctx(), { token })).toEqual({ next: 'done', paymentIntentId: intent })
    expect((await signupsOf(email)).map(({ state }) => state)).toEqual(['registered'])
  })

  it('is not started for an email taken since the first step, nor with an expired coupon', async () => {
    const email = newEmail()
    const otherEmail = newEmail()
    const token = await answerSteps(email)
    await makeUser(signUps.services, { email })
    const calls = signUps.stripe.requests.length
    await expect(payDraft(ctx(), { token })).rejects.toMatchObject({ fields: { email: 'That email is already taken' } })
    expect(signUps.stripe.requests).toHaveLength(calls)
    expect(await storeBillingStep(ctx(), { token, ...company })).toEqual({ isEmailTaken: true })
    signUps.stripe.coupons.set('BRIEF', { percent_off: 10 })
    const briefToken = await answerSteps(otherEmail, { plan: { code: 'BRIEF' } })
    signUps.stripe.coupons.set('BRIEF', { percent_off: 10, valid: false })
    await expect(payDraft(ctx(), { token: briefToken })).rejects.toMatchObject({
      fields: { couponId: 'Promo code invalid or expired' },
    })
    expect(await signupsOf(otherEmail)).toEqual([])
  })

  it('for an email taken at the last moment is marked for refund, and says so', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const { intent, amount } = await startPayment(token)
    await makeUser(signUps.services, { email })
    signUps.pay(intent, amount)
    expect(await outcome({ token, paymentIntentId: intent })).toMatchObject({ state: 'refund' })
    expect((await signupsOf(email)).map(({ state }) => state)).toEqual(['refund-due'])
  })

  it('is not needed if a code makes the plan free', async () => {
    const email = newEmail()
    const token = await answerSteps(email, { plan: { code: 'ALL' } })
    expect(await payDraft(ctx(), { token })).toEqual({ next: 'done', paymentIntentId: null })
    expect(await outcome({ token })).toEqual({ state: 'registered', text: '', email })
    expect(await signUps.usersWith(email)).toHaveLength(1)
  })

  it('has no VAT outside the United Kingdom', async () => {
    const token = await answerSteps(newEmail(), { billing: { country: 'IE', postZip: '' } })
    expect((await startPayment(token)).amount).toBe(13_500)
  })

  it('is resumed as the same payment after Stripe was down', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    signUps.stripe.failNext('/v1/subscriptions', 500, 2)
    await expect(payDraft(ctx(), { token })).rejects.toMatchObject({ kind: 'upstream' })
    expect((await startPayment(token)).amount).toBe(16_200)
    expect(await signupsOf(email)).toHaveLength(1)
  })
})

describe('the page after the payment', () => {
  it.each([
    [{ status: 'processing' }, { state: 'processing', text: 'Your payment is processing.' }],
    [
      { status: 'requires_payment_method' },
      { state: 'unpaid', text: 'Your payment was not successful, please try again.' },
    ],
    [{ status: 'canceled' }, { state: 'unknown', text: 'Something went wrong.' }],
    [
      { status: 'succeeded', amount_received: 1 },
      { state: 'paid', text: 'Payment succeeded!' },
    ],
  ])('shows the state for %j', async (fields, expected) => {
    const email = newEmail()
    const token = await answerSteps(email)
    const { intent } = await startPayment(token)
    signUps.stripe.setPayment(intent, fields)
    expect(await outcome({ token, paymentIntentId: intent })).toMatchObject(expected)
    expect(await signUps.usersWith(email)).toHaveLength(0)
  })

  it('gives the same answer for a foreign, used or made-up payment', async () => {
    const email = newEmail()
    const otherEmail = newEmail()
    const token = await answerSteps(email)
    const { intent, amount, clientSecret } = await startPayment(token)
    const stranger = await answerSteps(otherEmail)
    const unknown = { state: 'unknown', text: 'Something went wrong.', email: null }
    const strangerRequests = [
      { token: stranger, paymentIntentId: intent },
      { paymentIntentId: intent },
      { paymentIntentId: intent, clientSecret: `${intent}_secret_guess` },
      { token: stranger, paymentIntentId: 'pi_made_up' },
    ]
    for (const isPaid of [false, true]) {
      if (isPaid) signUps.pay(intent, amount)
      for (const fields of strangerRequests) expect(await outcome(fields)).toEqual(unknown)
    }
    expect(await outcome({ token: stranger })).toEqual({ state: 'none', text: '', email: null })
    // In another browser, to which the bank's app returned: by the secret that Stripe gave to the payer.
    expect(await outcome({ paymentIntentId: intent, clientSecret })).toMatchObject({ state: 'registered', email })
    for (const fields of strangerRequests) expect(await outcome(fields)).toEqual(unknown)
    expect(await signUps.usersWith(otherEmail)).toHaveLength(0)
  })

  it('shows the payment as processing while Stripe is down', async () => {
    const email = newEmail()
    const token = await answerSteps(email)
    const { intent, amount } = await startPayment(token)
    signUps.pay(intent, amount)
    signUps.stripe.failNext(`/v1/payment_intents/${intent}`, 500, 2)
    expect(await outcome({ token, paymentIntentId: intent })).toMatchObject({ state: 'processing' })
    expect(await outcome({ token, paymentIntentId: intent })).toMatchObject({ state: 'registered' })
  })
})
