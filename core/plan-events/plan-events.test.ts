import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { asJson } from '#core/database.ts'
import { cleanUp } from '#core/maintenance/clean-up.ts'
import { settleSignups } from '#core/signup/settle-signups.ts'
import { system } from '#tests/support/factories.ts'
import { newEmail, openSignUps, registrationOf, type SignUps } from '#tests/support/sign-ups.ts'
import type { StripeServer } from '#tests/support/stripe-server.ts'
import { handlePlanEvent } from './handle-plan-event.ts'
import { receivePlanEvent } from './receive-plan-event.ts'

let signUps: SignUps
beforeAll(async () => {
  signUps = await openSignUps()
})

type Message = Parameters<StripeServer['message']>[0]
const send = (message: Message, change: object = {}) =>
  receivePlanEvent(signUps.services.as(visitor), {
    ...signUps.stripe.message({ at: signUps.services.clock.now, ...message }),
    ...change,
  })
const refused = { kind: 'malformed', message: expect.stringContaining('signature') }
const storedEvents = () =>
  signUps.services.db.query<{ id: number; event_id: string; event_type: string; handled_at: unknown }>(
    `SELECT id, event_id, event_type, handled_at FROM plan_events ORDER BY id`,
  )

/** Runs the jobs that messages queued, and returns their number. */
async function runJobs(): Promise<number> {
  const { db } = signUps.services
  const jobs = await db.query<{ id: number; payload: unknown }>(
    `SELECT id, payload FROM jobs WHERE name = 'handle-plan-event' AND state = 'waiting'`,
  )
  for (const { id, payload } of jobs) {
    await handlePlanEvent(signUps.services.as(system), asJson<{ eventId: number }>(payload))
    await db.run(`UPDATE jobs SET state = 'done' WHERE id = :id`, { id })
  }
  return jobs.length
}

describe('a webhook message about a payment', () => {
  it('registers the sign-up before the browser is back, which then finds its publisher', async () => {
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    expect(await send({ about: started.paymentIntentId })).toEqual({ received: true })
    expect(await signUps.usersWith(email)).toHaveLength(0)
    expect(await runJobs()).toBe(1)
    const [user] = await signUps.usersWith(email)
    expect(await signUps.signupOf(email)).toMatchObject({ state: 'registered' })
    const publisher = await signUps.complete(started.paymentIntentId, { reference: started.reference })
    expect(publisher.id).toBe(Number(user?.id))
  })

  it('after the return and alongside the sweep makes no second publisher, however often it comes', async () => {
    const email = newEmail()
    const { paymentIntentId, reference } = await signUps.startAndPay(email, { registration: registrationOf(email) })
    const { clock } = signUps.services
    clock.advance({ minutes: 16 })
    await send({ about: paymentIntentId })
    await send({ about: paymentIntentId })
    await Promise.all([
      runJobs(),
      settleSignups(signUps.services.as(system), {}),
      signUps.complete(paymentIntentId, { reference }),
    ])
    expect(await signUps.usersWith(email)).toHaveLength(1)
    const [user] = await signUps.usersWith(email)
    expect(await signUps.auditOf('sign-up', Number(user?.id))).toHaveLength(1)
    const welcomes = await signUps.services.db.query(`SELECT id FROM jobs WHERE dedupe_key = :key`, {
      key: `welcome:${user?.id}`,
    })
    expect(welcomes).toHaveLength(1)
  })

  it('is stored once, even when it comes many times at once', async () => {
    const { paymentIntentId } = await signUps.startAndPay(newEmail())
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => send({ about: paymentIntentId, id: 'evt_plan_twice' })),
    )
    expect(sent).toEqual(Array(4).fill({ received: true }))
    expect((await storedEvents()).filter(({ event_id }) => event_id === 'evt_plan_twice')).toHaveLength(1)
    expect(await runJobs()).toBe(1)
    await send({ about: paymentIntentId, id: 'evt_plan_twice' })
    expect(await runJobs()).toBe(0)
  })

  it('without the person’s details marks the sign-up as paid and waiting, even an expired one', async () => {
    const email = newEmail()
    const late = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email)
    const expired = await signUps.start(late)
    await signUps.services.db.run(`UPDATE signups SET state = 'expired' WHERE payment_intent = :id`, {
      id: expired.paymentIntentId,
    })
    signUps.pay(expired.paymentIntentId, expired.amount)
    await send({ about: paymentIntentId })
    await send({ about: expired.paymentIntentId })
    await runJobs()
    for (const address of [email, late]) {
      const row = await signUps.signupOf(address)
      expect(row).toMatchObject({ state: 'paid-unregistered' })
      expect(await signUps.auditOf('sign-up-unregistered', Number(row?.id))).toHaveLength(1)
    }
  })

  it('is verified at Stripe: what Stripe does not confirm as paid is not paid', async () => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.start(email, { registration: registrationOf(email) })
    await send({ about: paymentIntentId })
    await runJobs()
    expect(await signUps.usersWith(email)).toHaveLength(0)
    expect(await signUps.signupOf(email)).toMatchObject({ state: 'started' })
  })

  it('is retried when Stripe did not respond', async () => {
    const email = newEmail()
    const { paymentIntentId } = await signUps.startAndPay(email, { registration: registrationOf(email) })
    await send({ about: paymentIntentId })
    signUps.stripe.failNext(`/v1/payment_intents/${paymentIntentId}`, 500, 2)
    await expect(runJobs()).rejects.toMatchObject({ kind: 'upstream' })
    expect((await storedEvents()).at(-1)).toMatchObject({ handled_at: null })
    expect(await runJobs()).toBe(1)
    expect(await signUps.usersWith(email)).toHaveLength(1)
    expect((await storedEvents()).at(-1)?.handled_at).not.toBeNull()
  })
})

describe('a webhook message', () => {
  it('with a wrong signature, none, or an old one is refused and leaves nothing', async () => {
    const { paymentIntentId: about } = await signUps.startAndPay(newEmail())
    const before = (await storedEvents()).length
    const old = new Date(signUps.services.clock.now.getTime() - 301_000)
    await expect(send({ about, secret: 'whsec_other' })).rejects.toMatchObject(refused)
    await expect(send({ about, at: old })).rejects.toMatchObject(refused)
    await expect(send({ about }, { headers: {} })).rejects.toMatchObject(refused)
    await expect(send({ about }, { body: '{}' })).rejects.toMatchObject(refused)
    expect(await storedEvents()).toHaveLength(before)
    expect(await runJobs()).toBe(0)
  })

  it('is refused where payments for plans are not set up, and only the log says so', async () => {
    const message = signUps.stripe.message({
      about: (await signUps.startAndPay(newEmail())).paymentIntentId,
      at: signUps.services.clock.now,
    })
    const warnings: string[] = []
    const services = signUps.services.as(visitor)
    const log = { ...services.log, warn: (_: object, text: string) => void warnings.push(text) }
    await expect(receivePlanEvent({ ...services, planBilling: null, log }, message)).rejects.toMatchObject(refused)
    expect(warnings).toEqual(['a plan event was refused: payments for plans are not set up'])
  })

  it('of an irrelevant kind is stored, handled, and deleted after 90 days', async () => {
    const { paymentIntentId } = await signUps.startAndPay(newEmail())
    await send({ about: paymentIntentId, type: 'payment_intent.created', id: 'evt_plan_created' })
    expect((await storedEvents()).find(({ event_id }) => event_id === 'evt_plan_created')?.handled_at).not.toBeNull()
    expect(await runJobs()).toBe(0)
    const { clock } = signUps.services
    clock.advance({ days: 91 })
    await cleanUp(signUps.services.as(system), {})
    expect(await storedEvents()).toEqual([])
  })
})
