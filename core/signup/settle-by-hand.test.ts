import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { userTypes } from '#core/access/user-types.ts'
import type { AppContext } from '#core/context.ts'
import { handlePlanEvent } from '#core/plan-events/handle-plan-event.ts'
import { receivePlanEvent } from '#core/plan-events/receive-plan-event.ts'
import { logIn } from '#core/users/log-in.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeUser, system } from '#tests/support/factories.ts'
import { newEmail, openSignUps, registrationOf, type SignUps, signUpPassword } from '#tests/support/sign-ups.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { closeSignup } from './close-signup.ts'
import { finishSignup } from './finish-signup.ts'
import { getSignup, listSignups } from './list-signups.query.ts'
import { refundSignup } from './refund-signup.ts'
import { registerSignup } from './register-signup.ts'
import { settlePaidSignup, settleSignup } from './settle-signup.ts'
import { settleSignups } from './settle-signups.ts'
import { Signups } from './signups.rows.ts'
import { startSignup } from './start-signup.ts'

let signUps: SignUps
let superuser: AppContext
let otherSuperuser: AppContext
beforeAll(async () => {
  signUps = await openSignUps()
  superuser = signUps.services.as(await actorOf(signUps.services, 'superuser'))
  otherSuperuser = signUps.services.as(await actorOf(signUps.services, 'superuser'))
})

/** Handles the provider’s message that a payment came through. */
const reportPaid = (payment: string, ctx = superuser) =>
  settlePaidSignup(ctx, { payment, invoice: null, subscription: null, customer: null })
const sweep = () => settleSignups(signUps.services.as(system), {})
const idOf = async (email: string) => Number((await signUps.signupOf(email))?.id)
const stateOf = async (id: number) => (await Signups.find(superuser, { id }))?.state
const listed = async (show = 'open') => (await listSignups(superuser, { show, size: 100 })).rows
const alreadySettled = {
  kind: 'conflict',
  message: expect.stringMatching(/settled in the meantime|can no longer be registered/),
}

/** A sign-up whose payment came through after its email had been taken. */
async function signUpWithTakenEmail() {
  const email = newEmail()
  const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
  await makeUser(signUps.services, { email })
  await expect(signUps.complete(started.paymentIntentId, { reference: started.reference })).rejects.toMatchObject({
    fields: { email: 'That email is already taken' },
  })
  return { ...started, email, id: await idOf(email) }
}

/** A sign-up that was paid by a program that never sent the registration. */
async function signUpWithoutDetails() {
  const email = newEmail()
  const started = await signUps.startAndPay(email)
  await reportPaid(started.paymentIntentId)
  return { ...started, email, id: await idOf(email) }
}

const personOf = (email: string, fields: object = {}) => ({
  firstName: 'Nell',
  lastName: 'Press',
  companyName: 'Quayside Press',
  country: 'GB',
  email,
  ...fields,
})
const refunds = (paymentIntentId: string) => signUps.stripe.refunds(paymentIntentId)
const isStopped = async (email: string) => signUps.subscriptionOf(await signUps.signupOf(email))?.status === 'canceled'
const usersLike = (email: string) => signUps.usersWith(email)

describe('the list', () => {
  it('shows what was paid and not registered, and what is to be refunded, with who, what, why and the next step', async () => {
    const taken = await signUpWithTakenEmail()
    const unknown = await signUpWithoutDetails()
    const rows = await listed()
    expect(rows.find(({ id }) => id === taken.id)).toMatchObject({
      companyName: 'Quayside Press',
      name: 'Nell Press',
      email: taken.email,
      planName: 'Standard, 3 titles',
      money: { amount: 16_200, currency: 'GBP' },
      paymentReference: taken.paymentIntentId,
      paidAt: signUps.services.clock.now,
      settled: null,
      status: {
        label: 'To refund',
        why: expect.stringContaining('taken by another account'),
        canRegister: true,
        canRefund: true,
      },
      values: personOf(taken.email),
    })
    expect(rows.find(({ id }) => id === unknown.id)).toMatchObject({
      companyName: '',
      status: { label: 'Not registered', next: expect.stringContaining('11/12/2026'), canRegister: true },
    })
    expect(await listed('settled')).toEqual([])
  })

  it('shows one whose registration fails, until the sweep registers it', async () => {
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    const ctx = signUps.services.as(visitor)
    const broken = { ...ctx, jobs: { ...ctx.jobs, enqueue: () => Promise.reject(new Error('no room')) } }
    const registering = () =>
      finishSignup(broken, { paymentIntentId: started.paymentIntentId, reference: started.reference })
    await expect(registering()).rejects.toThrow('no room')
    expect(await usersLike(email)).toEqual([])
    const id = await idOf(email)
    expect(await getSignup(superuser, { id })).toMatchObject({
      status: { label: 'Not registered', why: expect.stringContaining('has failed so far') },
    })
    signUps.services.clock.advance({ minutes: 29 })
    await sweep()
    expect(await usersLike(email)).toHaveLength(1)
    expect((await listed()).map((row) => row.id)).not.toContain(id)
    await expect(getSignup(superuser, { id })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('keeps one that was paid after it expired and whose registration failed, until it is registered', async () => {
    const email = newEmail()
    const started = await signUps.start(email, { registration: registrationOf(email) })
    signUps.services.clock.advance({ days: 2 })
    await sweep()
    signUps.pay(started.paymentIntentId, started.amount)
    const signup = await Signups.find(superuser, { paymentIntent: started.paymentIntentId })
    if (!signup) throw new Error('The sign-up is gone')
    expect(signup.state).toBe('expired')
    const broken = { ...superuser, jobs: { ...superuser.jobs, enqueue: () => Promise.reject(new Error('no room')) } }
    await expect(settleSignup(broken, signup)).rejects.toThrow('no room')
    expect((await listed()).map(({ id }) => id)).toContain(signup.id)
    signUps.services.clock.advance({ days: 10 })
    await sweep()
    expect(await usersLike(email)).toHaveLength(1)
  })

  it('shows the amount paid if it differs', async () => {
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    signUps.stripe.setPayment(started.paymentIntentId, { amount_received: 16_000 })
    await reportPaid(started.paymentIntentId)
    expect(await getSignup(superuser, { id: await idOf(email) })).toMatchObject({
      money: { amount: 16_000, currency: 'GBP' },
      status: { why: '£160.00 was paid instead of £162.00.' },
    })
  })

  it('is only for superusers, with all its actions', async () => {
    const { id, email } = await signUpWithoutDetails()
    const others = await Promise.all(
      userTypes
        .filter((type) => type !== 'superuser')
        .map(async (type) => signUps.services.as(await actorOf(signUps.services, type))),
    )
    for (const ctx of [signUps.services.as(visitor), ...others])
      for (const attempt of [
        () => listSignups(ctx, {}),
        () => getSignup(ctx, { id }),
        () => registerSignup(ctx, { id, ...personOf(email) }),
        () => refundSignup(ctx, { id }),
        () => closeSignup(ctx, { id, note: 'Paid back' }),
      ])
        await expect(attempt()).rejects.toMatchObject({ kind: expect.stringMatching(/^(denied|unauthenticated)$/) })
    expect(await stateOf(id)).toBe('paid-unregistered')
  })
})

describe('manual registration', () => {
  it('with another email creates the publisher of that payment, with the chosen password', async () => {
    const taken = await signUpWithTakenEmail()
    const email = newEmail()
    await expect(registerSignup(superuser, { id: taken.id, ...personOf(taken.email) })).rejects.toMatchObject({
      fields: { email: 'That email is already taken' },
    })
    expect(await stateOf(taken.id)).toBe('refund-due')
    const { publisher, isNew } = await registerSignup(superuser, { id: taken.id, ...personOf(email) })
    expect([publisher, isNew]).toMatchObject([{ email, companyName: 'Quayside Press', planKey: 'standard-3' }, true])
    await expect(logIn(signUps.services.as(visitor), { email, password: signUpPassword })).resolves.toBeDefined()
    expect(await isStopped(taken.email)).toBe(false)
    expect(
      (await queuedEmails(signUps.services, 'welcome')).filter(({ about }) => about.userId === publisher.id),
    ).toHaveLength(1)
    expect(
      (await queuedEmails(signUps.services, 'invitation')).filter(({ about }) => about.userId === publisher.id),
    ).toEqual([])
    const [audit] = await signUps.auditOf('register-sign-up', publisher.id)
    expect(audit).toMatchObject({ actor_kind: 'staff' })
    const [settledRow] = await listed('settled')
    expect(settledRow).toMatchObject({
      id: taken.id,
      email,
      settled: { how: 'registered', at: signUps.services.clock.now },
    })
    // A person who returns from the payment finds the account.
    expect(await signUps.complete(taken.paymentIntentId, { reference: taken.reference })).toMatchObject({ email })
    signUps.services.clock.advance({ days: 22 })
    await sweep()
    expect(await isStopped(taken.email)).toBe(false)
  })

  it('without a password invites the person to set one', async () => {
    const { id, email } = await signUpWithoutDetails()
    const { publisher } = await registerSignup(superuser, { id, ...personOf(email) })
    for (const name of ['welcome', 'invitation'] as const)
      expect(
        (await queuedEmails(signUps.services, name)).filter(({ about }) => about.userId === publisher.id),
      ).toHaveLength(1)
  })

  it('creates one publisher, even if submitted twice, by two superusers, alongside the person, the webhook and the sweep', async () => {
    const { id, email, paymentIntentId } = await signUpWithoutDetails()
    const typed = [email, newEmail(), newEmail()]
    signUps.services.clock.advance({ minutes: 29 })
    const outcomes = await Promise.allSettled([
      registerSignup(superuser, { id, ...personOf(typed[0] ?? '') }),
      registerSignup(superuser, { id, ...personOf(typed[1] ?? '') }),
      registerSignup(otherSuperuser, { id, ...personOf(typed[2] ?? '') }),
      signUps.complete(paymentIntentId, { registration: registrationOf(email) }),
      reportPaid(paymentIntentId),
      sweep(),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    const users = await Promise.all(typed.map((typedEmail) => usersLike(typedEmail)))
    expect(users.flat()).toHaveLength(1)
    const repeated = await registerSignup(otherSuperuser, { id, ...personOf(newEmail()) })
    expect([repeated.isNew, repeated.publisher.id]).toEqual([false, Number(users.flat()[0]?.id)])
    const welcomes = await queuedEmails(signUps.services, 'welcome')
    expect(welcomes.filter(({ about }) => about.userId === repeated.publisher.id)).toHaveLength(1)
  })

  it('is refused for a country with another price, without its payment, and when it is too late', async () => {
    const { id, email, paymentIntentId } = await signUpWithoutDetails()
    await expect(registerSignup(superuser, { id, ...personOf(email, { country: 'IE' }) })).rejects.toMatchObject({
      fields: { country: expect.stringContaining('United Kingdom') },
    })
    signUps.stripe.setPayment(paymentIntentId, { metadata: {} })
    await expect(registerSignup(superuser, { id, ...personOf(email) })).rejects.toMatchObject({ kind: 'conflict' })
    signUps.services.clock.advance({ days: 22 })
    await sweep()
    expect(await isStopped(email)).toBe(true)
    expect(await getSignup(superuser, { id })).toMatchObject({
      status: { label: 'To refund', canRegister: false, canRefund: true, why: expect.stringContaining('21 days') },
    })
    await expect(registerSignup(superuser, { id, ...personOf(email) })).rejects.toMatchObject(alreadySettled)
    await expect(signUps.complete(paymentIntentId, { registration: registrationOf(email) })).rejects.toMatchObject({
      message: expect.stringContaining('refunded'),
    })
  })
})

describe('a refund', () => {
  it('returns the payment once and stops the subscription; who requested it stays visible for 90 days', async () => {
    const { id, email, paymentIntentId } = await signUpWithTakenEmail()
    const outcomes = await Promise.all([
      refundSignup(superuser, { id }),
      refundSignup(superuser, { id }),
      refundSignup(otherSuperuser, { id }),
    ])
    expect(new Set(outcomes.map(({ state }) => state))).toEqual(new Set(['refunded']))
    expect(refunds(paymentIntentId)).toMatchObject([{ amount: 16_200 }])
    expect(await isStopped(email)).toBe(true)
    expect(await refundSignup(otherSuperuser, { id })).toMatchObject({ state: 'refunded' })
    expect(refunds(paymentIntentId)).toHaveLength(1)
    expect(await signUps.auditOf('refund-sign-up', id)).toHaveLength(1)
    expect(await signUps.auditOf('sign-up-refunded', id)).toHaveLength(1)
    const found = await getSignup(superuser, { id })
    expect(found).toMatchObject({
      status: null,
      settled: { how: 'refunded', by: expect.stringContaining('Tester') },
    })
    expect(found.refundReference).toBe(refunds(paymentIntentId)[0]?.id)
    expect((await signUps.signupOf(email))?.password_hash).toBeNull()
    await expect(registerSignup(superuser, { id, ...personOf(newEmail()) })).rejects.toMatchObject(alreadySettled)
    signUps.services.clock.advance({ days: 91 })
    await sweep()
    expect(await signUps.signupOf(email)).toBeUndefined()
  })

  it('and a registration at the same time: only one of them is made', async () => {
    for (const order of [0, 1]) {
      const { id, email, paymentIntentId } = await signUpWithTakenEmail()
      const newAddress = newEmail()
      const attempts = [
        () => refundSignup(superuser, { id }),
        () => registerSignup(otherSuperuser, { id, ...personOf(newAddress) }),
      ]
      const outcomes = await Promise.allSettled((order ? attempts.toReversed() : attempts).map((attempt) => attempt()))
      const users = await usersLike(newAddress)
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      expect(users.length + refunds(paymentIntentId).length).toBe(1)
      expect(await stateOf(id)).toBe(users.length === 1 ? 'registered' : 'refunded')
      expect(await isStopped(email)).toBe(users.length === 0)
    }
  })

  it('alongside the person who registers, the webhook and the sweep: there is one refund or one publisher', async () => {
    const { id, email, paymentIntentId } = await signUpWithoutDetails()
    const outcomes = await Promise.allSettled([
      signUps.complete(paymentIntentId, { registration: registrationOf(email) }),
      refundSignup(superuser, { id }),
      reportPaid(paymentIntentId),
      sweep(),
    ])
    expect(outcomes.filter(({ status }) => status === 'rejected').length).toBe(1)
    expect((await usersLike(email)).length + refunds(paymentIntentId).length).toBe(1)
  })

  it('whose response is lost is looked up, not made again', async () => {
    const { id, email, paymentIntentId } = await signUpWithTakenEmail()
    // The client retries automatically.
    signUps.stripe.dropNextResponse('/v1/refunds')
    signUps.stripe.dropNextResponse('/v1/refunds')
    signUps.stripe.dropNextResponse('/v1/refunds')
    expect(await refundSignup(superuser, { id })).toMatchObject({ state: 'refunding' })
    expect(await getSignup(superuser, { id })).toMatchObject({
      status: { label: 'Refund requested', canRegister: false, canRefund: true, canClose: false },
    })
    await expect(registerSignup(superuser, { id, ...personOf(newEmail()) })).rejects.toMatchObject(alreadySettled)
    await expect(closeSignup(superuser, { id, note: 'By hand' })).rejects.toMatchObject({ kind: 'conflict' })
    signUps.services.clock.advance({ minutes: 29 })
    await Promise.all([sweep(), sweep(), refundSignup(otherSuperuser, { id })])
    expect(await stateOf(id)).toBe('refunded')
    expect(refunds(paymentIntentId)).toHaveLength(1)
    expect(await signUps.auditOf('sign-up-refunded', id)).toHaveLength(1)
    expect(await isStopped(email)).toBe(true)
  })

  it('made by hand at the provider is not repeated, and after a partial one the rest is refunded', async () => {
    const whole = await signUpWithTakenEmail()
    const part = await signUpWithTakenEmail()
    signUps.stripe.refund(whole.paymentIntentId)
    signUps.stripe.refund(part.paymentIntentId, 6_200)
    for (const { id } of [whole, part])
      expect(await refundSignup(superuser, { id })).toMatchObject({ state: 'refunded' })
    expect(refunds(whole.paymentIntentId)).toHaveLength(1)
    expect(refunds(part.paymentIntentId)).toMatchObject([{ amount: 6_200 }, { amount: 10_000 }])
  })

  it('that Stripe refuses, or that fails days later, has to be made again', async () => {
    const { id, paymentIntentId, email } = await signUpWithTakenEmail()
    signUps.stripe.failNext('/v1/refunds', 400)
    // It first queries whether the refund was made before.
    expect(await refundSignup(superuser, { id })).toMatchObject({ state: 'refunding' })
    const chargeOf = () =>
      signUps.stripe.objects.get(String(signUps.stripe.objects.get(paymentIntentId)?.latest_charge))
    Object.assign(chargeOf() ?? {}, { status: 'pending' })
    expect(await refundSignup(superuser, { id })).toMatchObject({
      state: 'refund-due',
      problem: 'This charge is not paid.',
    })
    expect(await getSignup(superuser, { id })).toMatchObject({
      status: { why: 'The payment provider refused the refund: This charge is not paid.', canRegister: false },
    })
    Object.assign(chargeOf() ?? {}, { status: 'succeeded' })
    expect(await refundSignup(superuser, { id })).toMatchObject({ state: 'refunded' })
    signUps.stripe.failRefund(String(refunds(paymentIntentId)[0]?.id))
    await receiveMessage('refund.failed', paymentIntentId)
    expect(await getSignup(superuser, { id })).toMatchObject({ status: { label: 'To refund', canClose: true } })
    expect(await refundSignup(superuser, { id })).toMatchObject({ state: 'refunded' })
    expect(refunds(paymentIntentId).map(({ status }) => status)).toEqual(['failed', 'succeeded'])
    expect(await isStopped(email)).toBe(true)
  })

  it('that takes time is refunded when the provider confirms it', async () => {
    const { id, paymentIntentId } = await signUpWithTakenEmail()
    signUps.stripe.setRefundStatus('pending')
    expect(await refundSignup(superuser, { id })).toMatchObject({ state: 'refunding' })
    signUps.stripe.setRefundStatus('succeeded')
    Object.assign(refunds(paymentIntentId)[0] ?? {}, { status: 'succeeded' })
    await receiveMessage('refund.updated', paymentIntentId)
    expect(await stateOf(id)).toBe('refunded')
  })

  it('is refused for a registered or unknown sign-up', async () => {
    const email = newEmail()
    const started = await signUps.startAndPay(email)
    await signUps.complete(started.paymentIntentId, { registration: registrationOf(email) })
    await expect(refundSignup(superuser, { id: await idOf(email) })).rejects.toMatchObject(alreadySettled)
    expect(refunds(started.paymentIntentId)).toEqual([])
    await expect(refundSignup(superuser, { id: 999_999 })).rejects.toMatchObject({ kind: 'notFound' })
  })

  /** Receives a signed message of Stripe about a refund, and handles the event that it stores. */
  async function receiveMessage(type: string, about: string): Promise<void> {
    const { services, stripe } = signUps
    await receivePlanEvent(services.as(visitor), stripe.message({ at: services.clock.now, type, about }))
    const [event] = await services.db.query<{ id: number }>(`SELECT id FROM plan_events ORDER BY id DESC LIMIT 1`)
    await handlePlanEvent(services.as(system), { eventId: event?.id })
  }
})

describe('settled elsewhere', () => {
  it('records a note, stops the subscription, and refunds nothing from here', async () => {
    const { id, email, paymentIntentId } = await signUpWithoutDetails()
    await expect(closeSignup(superuser, { id, note: ' ' })).rejects.toMatchObject({ fields: { note: 'Required' } })
    await closeSignup(superuser, { id, note: 'Bank transfer of 22 November' })
    expect(await getSignup(superuser, { id })).toMatchObject({
      settled: { how: 'closed', note: 'Bank transfer of 22 November' },
    })
    expect(await isStopped(email)).toBe(true)
    for (const attempt of [
      () => closeSignup(otherSuperuser, { id, note: 'Again' }),
      () => refundSignup(otherSuperuser, { id }),
      () => registerSignup(otherSuperuser, { id, ...personOf(email) }),
    ])
      await expect(attempt()).rejects.toMatchObject(alreadySettled)
    await expect(signUps.complete(paymentIntentId, { registration: registrationOf(email) })).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(refunds(paymentIntentId)).toEqual([])
    expect(await signUps.auditOf('close-sign-up', id)).toHaveLength(1)
  })
})

it('refunds and registers with the demo provider as well, and a refund ends the plan', async () => {
  const services = await openTestServices()
  const ctx = services.as(await actorOf(services, 'superuser'))
  const start = async () => {
    const email = newEmail()
    const input = { planKey: 'standard-2', email, name: 'Nell Press', priceType: 'VAT' }
    const { paymentIntentId } = await startSignup(services.as(visitor), input)
    await reportPaid(paymentIntentId, ctx)
    const signup = await Signups.find(ctx, { paymentIntent: paymentIntentId })
    return { email, id: signup?.id, subscription: signup?.answers.subscriptionReference ?? '' }
  }
  const refunded = await start()
  const registered = await start()
  expect(await refundSignup(ctx, { id: refunded.id })).toMatchObject({ state: 'refunded' })
  expect(await registerSignup(ctx, { id: registered.id, ...personOf(registered.email) })).toMatchObject({ isNew: true })
  const planState = async (reference: string) => (await services.planBilling?.lifecycle.lookUp(reference))?.state
  expect([await planState(refunded.subscription), await planState(registered.subscription)]).toEqual([
    'ended',
    'active',
  ])
  expect((await listSignups(ctx, {})).total).toBe(0)
  expect((await listSignups(ctx, { show: 'settled' })).rows.map(({ settled }) => settled?.how)).toEqual([
    'registered',
    'refunded',
  ])
})
