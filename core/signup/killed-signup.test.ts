import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { receivePlanEvent } from '#core/plan-events/receive-plan-event.ts'
import { logIn } from '#core/users/log-in.ts'
import { actorOf, makeUser, system } from '#tests/support/factories.ts'
import { killedBeforeCommit, killedWhile } from '#tests/support/killed-process.ts'
import { newEmail, openSignUps, registrationOf, type SignUps, signUpPassword } from '#tests/support/sign-ups.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { runWorker } from '#tests/support/worker.ts'
import { refundSignup } from './refund-signup.ts'
import { settleSignups } from './settle-signups.ts'
import type { SignupStart } from './start-signup.ts'

let signUps: SignUps
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  signUps = await openSignUps({ MAIL_URL: mail.url })
})

/** Code that reports before and after each call of the provider and after each email, and sets the clock to the test's time. */
const reportingCode = (now: Date) => `
  const { planBilling, mail } = services
  for (const name of ['lookUpPayment', 'refundPayment']) {
    const call = planBilling[name]
    planBilling[name] = async (...args) => {
      tell({ at: 'before' })
      const answer = await call(...args)
      tell({ at: 'answered' })
      return answer
    }
  }
  const { send } = mail
  mail.send = async (...sent) => {
    const outcome = await send(...sent)
    tell({ at: 'mailed' })
    return outcome
  }
  clock.now = new Date(${JSON.stringify(now)})
`

interface Program {
  imports: string
  body: string
}

/** What happens after a payment, each as a separate process: the browser's return, the provider's message, and the sweep. */
const completions: Record<string, (started: SignupStart) => Program> = {
  return: ({ paymentIntentId, reference }) => ({
    imports: `import { finishSignup } from '#core/signup/finish-signup.ts'`,
    body: `await finishSignup(ctx, ${JSON.stringify({ paymentIntentId, reference })})
      tell({ at: 'registered' })`,
  }),
  message: () => ({
    imports: `import { handlePlanEvent } from '#core/plan-events/handle-plan-event.ts'`,
    body: `const [event] = await ctx.db.query('SELECT MAX(id) AS id FROM plan_events')
      await handlePlanEvent(ctx, { eventId: event.id })
      tell({ at: 'registered' })`,
  }),
  sweep: () => ({
    imports: `import { settleSignups } from '#core/signup/settle-signups.ts'`,
    body: `clock.now = new Date(clock.now.getTime() + 16 * 60_000)
      await settleSignups(ctx, {})
      tell({ at: 'registered' })`,
  }),
}

const kill = (program: Program, at: string) =>
  killedWhile(signUps.services, { ...processOptions(program), shouldKill: (report) => report.at === at })

function processOptions({ imports, body }: Program) {
  return { imports, body: reportingCode(signUps.services.clock.now) + body, env: signUps.env }
}

const points: [string, (program: Program) => Promise<void>][] = [
  ['before the provider is queried', (program) => kill(program, 'before')],
  ['after the provider has answered', (program) => kill(program, 'answered')],
  [
    'before the registration is committed',
    (program) => killedBeforeCommit(signUps.services, { ...processOptions(program), commit: 1 }),
  ],
  ['after the registration', (program) => kill(program, 'registered')],
]

/** Each case starts a process, so the normal run uses one point; `npm run test:faults` kills a sign-up at each of them. */
const pointsOfThisRun = points.filter(([where]) => process.env.TEST_FAULTS || where.includes('committed'))
const cases = Object.keys(completions).flatMap((by) => pointsOfThisRun.map(([where, die]) => ({ by, where, die })))

describe('a sign-up whose process is killed around its payment', () => {
  it.each(cases)('is one account, one charge and one welcome ($by, $where)', async ({ by, die }) => {
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    if (by === 'message') await reportPaid(started)
    await die((completions[by] as (typeof completions)[string])(started))
    await finishAll(started)
    await expectOneAccount(email)
  })

  it('is one account, even if its process is killed at each of the steps in turn', async () => {
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    for (const [, die] of points) await die((completions.return as (typeof completions)[string])(started))
    await finishAll(started)
    await expectOneAccount(email)
  })

  it('has its welcome under one Message-ID even if the worker dies before recording it', async () => {
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    const { id: userId } = await signUps.complete(started.paymentIntentId, { reference: started.reference })
    await kill(
      {
        imports: `import { sendMail } from '#core/emails/send-mail.ts'`,
        body: `await sendMail(ctx, { mail: 'welcome', about: { userId: ${userId} } })`,
      },
      'mailed',
    )
    expect(welcomesTo(email)).toHaveLength(1)
    await finishAll(started)
    await expectOneAccount(email, { copies: 2 })
  })
})

describe('the refund of a sign-up whose process is killed', () => {
  it.each(pointsOfThisRun)('is made once (%s)', async (where, die) => {
    const { services } = signUps
    const email = newEmail()
    const started = await signUps.startAndPay(email, { registration: registrationOf(email) })
    await makeUser(services, { email })
    await finishAll(started, { isRefused: true })
    const id = Number((await signUps.signupOf(email))?.id)
    const superuser = services.as(await actorOf(services, 'superuser'))
    await die({
      imports: `import { refundSignup } from '#core/signup/refund-signup.ts'`,
      body: `await refundSignup({ ...ctx, actor: ${JSON.stringify(superuser.actor)} }, { id: ${id} })
        tell({ at: 'registered' })`,
    })
    // Killed before its first commit, the process requested nothing.
    if (where.includes('committed')) await refundSignup(superuser, { id })
    await runWorker(services, 16 * 60)
    await Promise.all([refundSignup(superuser, { id }), settleSignups(services.as(system), {})])
    expect(signUps.stripe.refunds(started.paymentIntentId)).toMatchObject([{ amount: 16_200, status: 'succeeded' }])
    expect(await signUps.signupOf(email)).toMatchObject({ state: 'refunded' })
    expect(signUps.subscriptionOf(await signUps.signupOf(email))).toMatchObject({ status: 'canceled' })
    expect(await signUps.auditOf('sign-up-refunded', id)).toHaveLength(1)
  })
})

/** Receives the provider’s message, which queues a job. */
const reportPaid = ({ paymentIntentId: about }: SignupStart) =>
  receivePlanEvent(signUps.services.as(visitor), signUps.stripe.message({ at: signUps.services.clock.now, about }))

/** Everything that may come after a process has died: the message again, a worker, the sweep, and the browser that reloads. */
async function finishAll(started: SignupStart, { isRefused = false } = {}): Promise<void> {
  const { services } = signUps
  await reportPaid(started)
  // A job that a dead worker had taken stays locked until that lock expires.
  await runWorker(services, 16 * 60)
  await settleSignups(services.as(system), {})
  const returned = signUps.complete(started.paymentIntentId, { reference: started.reference })
  if (isRefused) await expect(returned).rejects.toMatchObject({ kind: 'invalid' })
  else await returned
  await runWorker(services, 60)
}

const welcomesTo = (email: string) => mail.received.filter(({ to }) => [to].flat()[0]?.text === email)

async function expectOneAccount(email: string, { copies = 1 } = {}): Promise<void> {
  const { db } = signUps.services
  const users = await signUps.usersWith(email)
  expect(users).toHaveLength(1)
  expect(await db.query(`SELECT id FROM accounts WHERE user_id = :id`, { id: Number(users[0]?.id) })).toHaveLength(1)
  const signup = await signUps.signupOf(email)
  expect(signup).toMatchObject({ state: 'registered', password_hash: null })
  expect(await signUps.auditOf('sign-up', Number(users[0]?.id))).toHaveLength(1)
  const signupObjects = [...signUps.stripe.objects.values()].filter(
    ({ metadata }) => (metadata as { signup?: string })?.signup === signup?.reference,
  )
  expect(signupObjects.map(({ object, status }) => `${object} ${status ?? ''}`.trim()).sort()).toEqual([
    'customer',
    'payment_intent succeeded',
    'subscription active',
  ])
  const charges = [...signUps.stripe.objects.values()].filter(
    ({ object, payment_intent: intent }) => object === 'charge' && intent === signup?.payment_intent,
  )
  expect(charges).toMatchObject([{ amount: 16_200, amount_refunded: 0 }])
  const welcomes = welcomesTo(email)
  expect(welcomes).toHaveLength(copies)
  expect(new Set(welcomes.map(({ messageId }) => messageId)).size).toBe(1)
  await expect(logIn(signUps.services.as(visitor), { email, password: signUpPassword })).resolves.toBeDefined()
}
