import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { newEmail, openSignUps, registrationOf, type SignUps } from '#tests/support/sign-ups.ts'
import { registerPublisher } from './register-publisher.ts'
import { settleSignups } from './settle-signups.ts'

let signUps: SignUps
beforeAll(async () => {
  signUps = await openSignUps()
})

describe('the input', () => {
  it('is validated at once, field by field, with the specified texts', async () => {
    const attempt = signUps.complete('', {
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
    await expect(signUps.complete('pi_1', { registration: common })).rejects.toMatchObject({
      fields: { 'registration.password': expect.stringMatching(/most common passwords/) },
    })
    await expect(registerPublisher(signUps.services.as(visitor), {})).rejects.toMatchObject({
      fields: { planKey: 'Required', 'registration.companyName': 'Required', 'registration.password': 'Required' },
    })
    await expect(signUps.complete('pi_1', {})).rejects.toMatchObject({
      fields: { 'registration.firstName': 'Required' },
    })
  })

  it('with a taken email, in upper or lower case, is refused before any payment', async () => {
    const { email } = await makeUser(signUps.services, { email: newEmail() })
    const before = signUps.stripe.requests.length
    const fields = { email: 'That email is already taken' }
    await expect(signUps.start(email.toUpperCase())).rejects.toMatchObject({ kind: 'invalid', fields })
    const registration = registrationOf(email.toUpperCase())
    await expect(
      registerPublisher(signUps.services.as(visitor), { planKey: 'standard-1', registration, couponId: 'ALL' }),
    ).rejects.toMatchObject({ kind: 'invalid', fields: { 'registration.email': 'That email is already taken' } })
    expect(signUps.stripe.requests).toHaveLength(before)
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
    await expect(signUps.start(newEmail(), fields)).rejects.toMatchObject({ kind: 'invalid', fields: problems })
  })

  it('for a country with another price, or another plan, is refused', async () => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email, { priceType: 'TAXFREE' })
    const registration = registrationOf(email)
    await expect(signUps.complete(paymentIntentId, { registration })).rejects.toMatchObject({
      fields: { 'registration.country': expect.stringMatching(/without VAT/) },
    })
    const irish = registrationOf(email, { country: 'IE' })
    await expect(
      signUps.complete(paymentIntentId, { registration: irish, planKey: 'standard-10' }),
    ).rejects.toMatchObject({
      fields: { planKey: 'This is not the plan that was paid for' },
    })
    await expect(signUps.complete(paymentIntentId, { registration: irish })).resolves.toMatchObject({
      titlesAllowed: 3,
    })
  })
})

describe('two sign-ups with one email', () => {
  it('the first to complete wins; the other is refused, marked for refund, and stopped once it can no longer be registered', async () => {
    const email = newEmail()
    const first = await signUps.startAndPay(email)
    const second = await signUps.startAndPay(email, { planKey: 'plus-1' })
    const publisher = await signUps.complete(first.paymentIntentId, { registration: registrationOf(email) })
    const completeSecond = () => signUps.complete(second.paymentIntentId, { registration: registrationOf(email) })
    for (let n = 0; n < 2; n++) {
      await expect(completeSecond()).rejects.toMatchObject({
        kind: 'invalid',
        fields: { 'registration.email': 'That email is already taken' },
      })
    }
    const lost = await signUps.signupOf(email)
    expect(lost).toMatchObject({ state: 'refund-due', payment_intent: second.paymentIntentId, user_id: null })
    const [audit, ...otherAudits] = await signUps.auditOf('sign-up-refund-due', Number(lost?.id))
    expect(otherAudits).toEqual([])
    expect(JSON.stringify((audit as { facts: unknown }).facts)).toContain(second.paymentIntentId)
    const { clock } = signUps.services
    const sweepAfter = async (days: number) => {
      clock.advance({ days })
      await settleSignups(signUps.services.as(system), {})
    }
    await sweepAfter(20)
    expect(signUps.subscriptionOf(lost)).not.toMatchObject({ status: 'canceled' })
    await sweepAfter(2)
    expect(signUps.subscriptionOf(lost)).toMatchObject({ status: 'canceled' })
    expect(publisher.planKey).toBe('standard-3')
  })

  it('at once: one publisher, one refund', async () => {
    const email = newEmail()
    const payments = [await signUps.startAndPay(email), await signUps.startAndPay(email)]
    const answers = await Promise.allSettled(
      payments.map(({ paymentIntentId }) => signUps.complete(paymentIntentId, { registration: registrationOf(email) })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const states = await signUps.services.db.query<{ state: string }>(
      `SELECT state FROM signups WHERE email_key = :email ORDER BY state`,
      { email },
    )
    expect(states.map(({ state }) => state)).toEqual(['refund-due', 'registered'])
  })
})
