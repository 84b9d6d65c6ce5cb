import { expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { receivePlanEvent } from '#core/plan-events/receive-plan-event.ts'
import { logIn } from '#core/users/log-in.ts'
import { newEmail, openSignUps, registrationOf, signUpPassword } from '#tests/support/sign-ups.ts'
import { startMailServer } from '#tests/support/smtp-server.ts'
import { runWorker } from '#tests/support/worker.ts'

/** How a mail server is down: it accepts no connection, or connections but no email. */
const outages = {
  'no longer listens': { begin: 'stop', end: 'restart' },
  'answers that it is full': { begin: 'refuse', end: 'accept' },
} as const

it.each(Object.entries(outages))(
  'a mail server that %s for an hour loses no sign-up and no welcome',
  async (_, { begin, end }) => {
    const mail = await startMailServer()
    const controls = { ...mail, refuse: () => mail.refuse(true), accept: () => mail.refuse(false) }
    const signUps = await openSignUps({ MAIL_URL: mail.url })
    const { services, stripe } = signUps
    const { clock, db } = services
    const downAt = clock.now.getTime()
    const upAt = downAt + 3_600_000
    await controls[begin]()

    const byReturn = newEmail()
    const byMessage = newEmail()
    const returnSignUp = await signUps.startAndPay(byReturn, { registration: registrationOf(byReturn) })
    await signUps.complete(returnSignUp.paymentIntentId, { reference: returnSignUp.reference })
    const messageSignUp = await signUps.startAndPay(byMessage, { registration: registrationOf(byMessage) })
    await receivePlanEvent(
      services.as(visitor),
      stripe.message({ at: clock.now, about: messageSignUp.paymentIntentId }),
    )
    await runWorker(services)
    for (const email of [byReturn, byMessage]) {
      expect(await signUps.signupOf(email)).toMatchObject({ state: 'registered' })
      await expect(logIn(services.as(visitor), { email, password: signUpPassword })).resolves.toBeDefined()
    }

    const welcomes = () =>
      db.query<{ state: string; attempts: number; run_at: Date | string }>(
        `SELECT state, attempts, run_at FROM jobs WHERE dedupe_key LIKE 'welcome:%' ORDER BY run_at`,
      )
    /** When the next welcome is tried. */
    const nextTry = async () => new Date((await welcomes())[0]?.run_at ?? 0).getTime()
    for (let tryAt = await nextTry(); tryAt < upAt; tryAt = await nextTry()) {
      expect(tryAt).toBeGreaterThan(clock.now.getTime())
      await runWorker(services, (tryAt - clock.now.getTime()) / 1000)
    }
    const tried = await welcomes()
    expect(tried.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    expect(Math.min(...tried.map(({ attempts }) => attempts))).toBeGreaterThan(3)
    expect(mail.received).toEqual([])

    await controls[end]()
    clock.now = new Date(upAt)
    // Pauses between attempts double up to an hour.
    await runWorker(services, 3600)
    await runWorker(services, 3600)
    expect((await welcomes()).map(({ state }) => state)).toEqual(['done', 'done'])
    expect(mail.received.map(({ to }) => [to].flat()[0]?.text).sort()).toEqual([byReturn, byMessage].sort())
    expect(new Set(mail.received.map(({ messageId }) => messageId)).size).toBe(2)
    const sent = await db.query<{ message_id: string; state: string }>(`SELECT message_id, state FROM emails`)
    expect(sent.map(({ state }) => state)).toEqual(['sent', 'sent'])
    expect(sent.map(({ message_id: id }) => id).sort()).toEqual(mail.received.map(({ messageId }) => messageId).sort())
  },
)
