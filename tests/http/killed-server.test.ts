import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { dice } from '#tests/support/duplicates/dice.ts'
import { type KilledServer, killedServer } from '#tests/support/killed-servers.ts'
import { newEmail, openSignUps, type SignUps, signUpPassword } from '#tests/support/sign-ups.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { handlers } from '#worker/handlers/index.ts'
import '#tests/support/build-sources.ts'

const isLong = process.env.TEST_FAULTS !== undefined
/** Another seed kills elsewhere: `FAULT_SEED=7 npm run test:faults`. */
const first = Number(process.env.FAULT_SEED ?? 20261123)
const seeds = Array.from({ length: isLong ? 12 : 1 }, (_, index) => first + index)
/** How often the server is killed during each sign-up, and while the sweep settles the rest. */
const lives = isLong ? 2 : 1

/** What the person does once the payment is made at Stripe. `left`: closes the browser, and Stripe's webhook never comes. */
const ways = ['comes back', 'comes back in two tabs', 'is told of by Stripe', 'both', 'left'] as const
type Way = (typeof ways)[number]

let signUps: SignUps
let mail: MailServer
let server: KilledServer
beforeAll(async () => {
  mail = await startMailServer()
  signUps = await openSignUps({ MAIL_URL: mail.url })
  const { stripe, services } = signUps
  stripe.useClock(() => services.clock.now)
  server = await killedServer(services, {
    env: signUps.env,
    beforeEachLife: async () => {
      await services.db.run(`DELETE FROM rate_limits`)
      // A dead process keeps its jobs for two minutes, and a browser its sign-up for fifteen.
      later(16)
    },
    counted: /^\s*(INSERT INTO|UPDATE) (signups|users|accounts|emails|plan_events|platform_invoices)\b/,
  })
})

const later = (minutes: number) => {
  const { clock } = signUps.services
  clock.now = new Date(clock.now.getTime() + minutes * 60_000)
}

describe('sign-ups by Stripe whose server is killed repeatedly', () => {
  it.each(seeds)('have one account, one charge, one plan and one welcome each (seed %i)', async (seed) => {
    const { services } = signUps
    const { roll } = dice(seed)
    const moments = (count: number, most: number) => Array.from({ length: count }, () => 1 + roll(most))
    const publishers = ways.map((way) => ({ way, email: newEmail() }))
    const oneByOne = async () => {
      for (const publisher of publishers) {
        // Fewer points than there are, so that every kill interrupts something.
        server.killAfter(moments(lives, publisher.way === 'left' ? 4 : 9))
        await signUp(publisher)
      }
    }
    const before = server.kills()
    await server.liveUntil(oneByOne())
    server.killAfter(moments(lives, 9))
    const areWelcomed = () => publishers.every(({ email }) => mailsTo(email).length > 0)
    await server.liveUntil(vi.waitUntil(areWelcomed, waiting))
    expect(server.kills() - before).toBe((publishers.length + 1) * lives)
    await finish()
    for (const { email } of publishers) await expectOne(email)
    const numbers = await services.db.query<{ number: number }>(`SELECT number FROM platform_invoices ORDER BY number`)
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1))
  })
})

const waiting = { interval: 20, timeout: 120_000 }

/** The pages of a sign-up as a browser sends them, each repeated after a lost response, and the payment at Stripe. */
async function signUp({ way, email }: { way: Way; email: string }): Promise<void> {
  const { stripe, services } = signUps
  const cookies = new Map<string, string>()
  const ask = async (path: string, form?: Record<string, string>) => {
    const page = await server.ask(path, {
      headers: { Origin: server.url, Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
    })
    for (const line of page.cookies) {
      const [name = '', value = ''] = (line.split(';')[0] ?? '').split('=')
      cookies.set(name, value)
    }
    return page
  }
  const person = { firstName: 'Nell', lastName: 'Press', email, confirmEmail: email }
  const steps: [string, Record<string, string>, string][] = [
    ['/signup', { ...person, password: signUpPassword, password2: signUpPassword }, '/signup/billing'],
    ['/signup/billing', { companyName: 'Quayside Press', country: 'GB' }, '/signup/plan'],
    ['/signup/plan', { kind: 'standard', titles: '2', intent: 'next' }, '/signup/pay'],
  ]
  for (const [path, form, next] of steps) {
    const page = await ask(path, form)
    expect([page.status, page.location, page.status === 302 ? '' : page.text]).toEqual([302, next, ''])
  }
  const begin = async () => {
    const { text } = await ask('/signup/begin', {})
    const begun = JSON.parse(text) as { clientSecret?: string }
    expect(begun).toMatchObject({ clientSecret: expect.stringContaining('_secret_') })
    return String(begun.clientSecret)
  }
  const secrets = await Promise.all(way === 'comes back in two tabs' ? [begin(), begin()] : [begin()])
  expect(new Set(secrets).size).toBe(1)
  const secret = String(secrets[0])
  const intent = secret.split('_secret_')[0] ?? ''
  stripe.pay(intent)
  const comeBack = async () => {
    const asked = new URLSearchParams({ payment_intent: intent, payment_intent_client_secret: secret })
    // "Your account is on its way" is right too, and so is polling again.
    await vi.waitUntil(async () => (await ask(`/success?${asked}`)).text.includes('Thank you for signing up'), waiting)
  }
  const hear = async () => {
    const { body, headers } = stripe.message({ about: intent, id: `evt_${intent}`, at: services.clock.now })
    return (await server.ask('/api/webhooks/stripe', { method: 'POST', body, headers })).status
  }
  // Stripe retries a webhook until it is accepted, and sometimes sends it twice.
  const told = async () => {
    // One whose response was lost is signed again: by then it is too old.
    for (let times = 0; times < 2; times++) await vi.waitUntil(async () => (await hear()) === 200, waiting)
    await vi.waitUntil(async () => (await signUps.usersWith(email)).length > 0, waiting)
  }
  if (way === 'comes back') await comeBack()
  if (way === 'comes back in two tabs') await Promise.all([comeBack(), comeBack()])
  if (way === 'is told of by Stripe') await told()
  if (way === 'both') await Promise.all([told(), comeBack()])
}

/** Does what is left: retries what a dead process had claimed, and sweeps twice more, which finds nothing. */
async function finish(): Promise<void> {
  for (const minutes of [16, 61, 6]) {
    later(minutes)
    const loop = startEmbeddedWorker(signUps.services, handlers)
    await loop.idle()
    await loop.stop()
  }
}

const mailsTo = (email: string) => mail.received.filter(({ to }) => [to].flat()[0]?.text === email)

async function expectOne(email: string): Promise<void> {
  const { stripe, services } = signUps
  const [user, ...others] = await signUps.usersWith(email)
  expect(others).toEqual([])
  const userId = Number(user?.id)
  const signups = await services.db.query<{ state: string; reference: string; user_id: number }>(
    `SELECT state, reference, user_id FROM signups WHERE email_key = :email`,
    { email },
  )
  expect(signups.map(({ state, user_id: id }) => [state, Number(id)])).toEqual([['registered', userId]])
  const atStripe = (kind: string) =>
    [...stripe.objects.values()].filter(
      ({ object, metadata }) => object === kind && (metadata as { signup?: string })?.signup === signups[0]?.reference,
    )
  expect(atStripe('customer')).toHaveLength(1)
  expect(atStripe('payment_intent')).toMatchObject([{ status: 'succeeded', amount_received: 10_800 }])
  expect(atStripe('subscription')).toMatchObject([{ status: 'active' }])
  const accounts = await services.db.query(
    `SELECT plan_state, plan_key, plan_subscription_reference FROM accounts WHERE user_id = :userId`,
    { userId },
  )
  const plan = { plan_state: 'active', plan_key: 'standard-2' }
  expect(accounts).toEqual([{ ...plan, plan_subscription_reference: atStripe('subscription')[0]?.id }])
  expect(
    await services.db.query(`SELECT total, state FROM platform_invoices WHERE publisher_id = :userId`, { userId }),
  ).toEqual([{ total: 10_800, state: 'paid' }])
  expect(await signUps.auditOf('sign-up', userId)).toHaveLength(1)
  // One may arrive twice for a server that was killed between the mail server's acceptance and our record.
  const received = mailsTo(email)
  expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(1)
  expect(new Set(received.map(({ subject }) => subject)).size).toBe(1)
  expect(await services.db.query(`SELECT template, state FROM emails WHERE to_address = :email`, { email })).toEqual([
    { template: 'welcome', state: 'sent' },
  ])
}
