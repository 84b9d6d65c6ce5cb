import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { makeUser, system } from '#tests/support/factories.ts'
import { newEmail, openSignUps, registrationOf, type SignUps } from '#tests/support/sign-ups.ts'
import { finishSignup } from './finish-signup.ts'
import { settleSignups } from './settle-signups.ts'
import type { Person } from './signup.input.ts'
import { chosenPlan, couponOf, planBillingOf, startBilling, writeSignup } from './signup-billing.ts'

let signUps: SignUps
beforeAll(async () => {
  signUps = await openSignUps()
})

const sweep = () => settleSignups(signUps.services.as(system), {})
describe('the sweep', () => {
  it('completes paid sign-ups with a known registration, and marks the rest as waiting for it', async () => {
    const known = newEmail()
    const unknown = newEmail()
    const slow = newEmail()
    await signUps.startAndPay(known, { registration: registrationOf(known) })
    const waiting = await signUps.startAndPay(unknown)
    const processing = await signUps.start(slow)
    signUps.stripe.setPayment(processing.paymentIntentId, { status: 'processing' })
    await sweep()
    expect(await signUps.signupOf(known)).toMatchObject({ state: 'started' })
    signUps.services.clock.advance({ minutes: 16 })
    // Two processes may sweep in the same minute.
    expect(await Promise.all([sweep(), sweep()])).toMatchObject([{ failed: 0 }, { failed: 0 }])
    expect(await signUps.usersWith(known)).toHaveLength(1)
    const row = await signUps.signupOf(unknown)
    expect(row).toMatchObject({ state: 'paid-unregistered' })
    signUps.services.clock.advance({ hours: 25 })
    await sweep()
    expect(await signUps.auditOf('sign-up-unregistered', Number(row?.id))).toHaveLength(1)
    expect(await signUps.signupOf(slow)).toMatchObject({ state: 'started' })
    await expect(
      signUps.complete(waiting.paymentIntentId, { registration: registrationOf(unknown) }),
    ).resolves.toMatchObject({
      email: unknown,
    })
  })

  it('lets unpaid ones expire and deletes them a week later; a payment in between still counts', async () => {
    const gone = newEmail()
    const late = newEmail()
    await signUps.start(gone)
    const { paymentIntentId, amount } = await signUps.start(late)
    signUps.services.clock.advance({ hours: 23 })
    await sweep()
    expect(await signUps.signupOf(gone)).toMatchObject({ state: 'started' })
    signUps.services.clock.advance({ hours: 2 })
    await sweep()
    expect(await signUps.signupOf(gone)).toMatchObject({ state: 'expired' })
    signUps.pay(paymentIntentId, amount)
    await expect(signUps.complete(paymentIntentId, { registration: registrationOf(late) })).resolves.toMatchObject({
      email: late,
    })
    signUps.services.clock.advance({ days: 8 })
    await sweep()
    expect(await signUps.signupOf(gone)).toBeUndefined()
    expect(await signUps.signupOf(late)).toMatchObject({ state: 'registered' })
  })

  /** A sign-up whose code makes the plan free, of a process that died after starting its subscription. */
  const startFree = async (email: string) => {
    const ctx = signUps.services.as(visitor)
    const billing = planBillingOf(ctx)
    const { password: _, password2: __, confirmEmail: ___, ...person } = registrationOf(email)
    const written = await writeSignup(ctx, {
      plan: chosenPlan({ planKey: 'standard-3' }),
      priceType: 'VAT',
      coupon: await couponOf(billing, 'ALL'),
      email,
      name: 'Nell Press',
      person: person as unknown as Person,
      passwordHash: 'hash',
    })
    await startBilling(ctx, billing, written)
  }

  it('completes a free sign-up that has its subscription, and stops the subscription of a sign-up whose email was taken', async () => {
    const free = newEmail()
    const taken = newEmail()
    await startFree(free)
    await startFree(taken)
    await makeUser(signUps.services, { email: taken })
    await sweep()
    expect(await signUps.signupOf(free)).toMatchObject({ state: 'started' })
    signUps.services.clock.advance({ minutes: 16 })
    const { planBilling } = signUps.services
    if (!planBilling) throw new Error('Plan billing is not set up')
    const flaky = { ...planBilling, endSubscription: () => Promise.reject(new Error('down')) }
    const sweepWithFlakyBilling = () => settleSignups({ ...signUps.services.as(system), planBilling: flaky }, {})
    expect(await sweepWithFlakyBilling()).toMatchObject({ failed: 0 })
    expect(await signUps.usersWith(free)).toHaveLength(1)
    expect(await signUps.signupOf(free)).toMatchObject({ state: 'registered', password_hash: null })
    expect(signUps.subscriptionOf(await signUps.signupOf(free))).toMatchObject({ status: 'active' })
    expect(await signUps.signupOf(taken)).toMatchObject({ state: 'expired' })
    // Kept until its subscription is stopped, however long that takes.
    signUps.services.clock.advance({ days: 10 })
    await sweepWithFlakyBilling()
    const lost = await signUps.signupOf(taken)
    expect(signUps.subscriptionOf(lost)).toMatchObject({ status: 'active' })
    await sweep()
    expect(signUps.subscriptionOf(lost)).toMatchObject({ status: 'canceled' })
    expect(await signUps.signupOf(taken)).toBeUndefined()
    expect(signUps.subscriptionOf(await signUps.signupOf(free))).toMatchObject({ status: 'active' })
  })

  it('continues after one that fails, and later stops a subscription that could not be stopped at once', async () => {
    const broken = newEmail()
    const good = newEmail()
    const failing = await signUps.startAndPay(broken, { registration: registrationOf(broken) })
    await signUps.startAndPay(good, { registration: registrationOf(good) })
    const taken = newEmail()
    const lost = await signUps.startAndPay(taken)
    await makeUser(signUps.services, { email: taken })
    const { planBilling } = signUps.services
    if (!planBilling) throw new Error('Plan billing is not set up')
    const flaky = {
      ...planBilling,
      lookUpPayment: (id: string) =>
        id === failing.paymentIntentId ? Promise.reject(new Error('down')) : planBilling.lookUpPayment(id),
      endSubscription: () => Promise.reject(new Error('down')),
    }
    await expect(
      finishSignup(
        { ...signUps.services.as(visitor), planBilling: flaky },
        { paymentIntentId: lost.paymentIntentId, registration: registrationOf(taken) },
      ),
    ).rejects.toMatchObject({ kind: 'invalid' })
    signUps.services.clock.advance({ minutes: 16 })
    expect(await settleSignups({ ...signUps.services.as(system), planBilling: flaky }, {})).toMatchObject({ failed: 1 })
    expect(await signUps.usersWith(good)).toHaveLength(1)
    expect(await signUps.usersWith(broken)).toHaveLength(0)
    signUps.services.clock.advance({ minutes: 16 })
    expect(await sweep()).toMatchObject({ failed: 0 })
    expect(await signUps.usersWith(broken)).toHaveLength(1)
    signUps.services.clock.advance({ days: 22 })
    await settleSignups({ ...signUps.services.as(system), planBilling: flaky }, {})
    expect(signUps.subscriptionOf(await signUps.signupOf(taken))).not.toMatchObject({ status: 'canceled' })
    await sweep()
    expect(signUps.subscriptionOf(await signUps.signupOf(taken))).toMatchObject({ status: 'canceled' })
  })
})
