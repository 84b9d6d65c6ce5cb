import { beforeAll, describe, expect, it, vi } from 'vitest'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { type KilledServer, killedServer } from '#tests/support/killed-servers.ts'
import { newEmail, openSignUps, type SignUps, signUpPassword } from '#tests/support/sign-ups.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { handlers } from '#worker/handlers/index.ts'
import '#tests/support/build-sources.ts'

const isLong = process.env.TEST_FAULTS !== undefined
/** Another seed kills at other points: `FAULT_SEED=7 npm run test:faults`. */
const firstSeed = Number(process.env.FAULT_SEED ?? 20261123)
const seeds = Array.from({ length: isLong ? 12 : 1 }, (_, index) => firstSeed + index)
/** The number of kills during each sign-up, and while the sweep settles the rest. */
const killsPerSignUp = isLong ? 2 : 1

/** The events after the payment is made at Stripe. `abandoned`: the user closes the browser, and Stripe's webhook never arrives. */
const endings = ['returns', 'returns in two tabs', 'webhook', 'both', 'abandoned'] as const
type Ending = (typeof endings)[number]

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
    beforeEachStart: async () => {
      await services.db.run(`DELETE FROM rate_limits`)
      // The claim of a dead process on its jobs expires after two minutes, that of a browser on its sign-up after fifteen.
      signUps.services.clock.advance({ minutes: 16 })
    },
    counted: /^\s*(INSERT INTO|UPDATE) (signups|users|accounts|emails|plan_events|platform_invoices)\b/,
  })
})

describe('sign-ups through Stripe while the server is killed repeatedly', () => {
  it.each(seeds)('create one account, one charge, one plan and one welcome email each (seed %i)', async (seed) => {
    const { services } = signUps
    const { roll } = seededRandom(seed)
    const killPoints = (count: number, max: number) => Array.from({ length: count }, () => 1 + roll(max))
    const publishers = endings.map((ending) => ({ ending, email: newEmail() }))
    const signUpAll = async () => {
      for (const publisher of publishers) {
        // The maximum is below the number of kill points that are reached, so that every kill happens.
        server.killAfter(killPoints(killsPerSignUp, publisher.ending === 'abandoned' ? 4 : 9))
        await signUp(publisher)
      }
    }
    const killsBefore = server.kills()
    await server.runUntil(signUpAll())
    server.killAfter(killPoints(killsPerSignUp, 9))
    const areWelcomed = () => publishers.every(({ email }) => emailsTo(email).length > 0)
    await server.runUntil(vi.waitUntil(areWelcomed, polling))
    expect(server.kills() - killsBefore).toBe((publishers.length + 1) * killsPerSignUp)
    await settleRest()
    for (const { email } of publishers) await expectOneAccount(email)
    const numbers = await services.db.query<{ number: number }>(`SELECT number FROM platform_invoices ORDER BY number`)
    expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1))
  })
})

const polling = { interval: 20, timeout: 120_000 }

/** Submits the pages of a sign-up as a browser does, each again after a lost response, and pays at Stripe. */
async function signUp({ ending, email }: { ending: Ending; email: string }): Promise<void> {
  const { stripe, services } = signUps
  const cookies = new Map<string, string>()
  const submit = async (path: string, form?: Record<string, string>) => {
    const page = await server.request(path, {
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
    const page = await submit(path, form)
    expect([page.status, page.location, page.status === 302 ? '' : page.text]).toEqual([302, next, ''])
  }
  const beginPayment = async () => {
    const { text } = await submit('/signup/begin', {})
    const started = JSON.parse(text) as { clientSecret?: string }
    expect(started).toMatchObject({ clientSecret: expect.stringContaining('_secret_') })
    return String(started.clientSecret)
  }
  const secrets = await Promise.all(
    ending === 'returns in two tabs' ? [beginPayment(), beginPayment()] : [beginPayment()],
  )
  expect(new Set(secrets).size).toBe(1)
  const secret = String(secrets[0])
  const intent = secret.split('_secret_')[0] ?? ''
  stripe.pay(intent)
  const returnToSite = async () => {
    const query = new URLSearchParams({ payment_intent: intent, payment_intent_client_secret: secret })
    // "Your account is on its way" is a valid response too: the page polls again.
    await vi.waitUntil(
      async () => (await submit(`/success?${query}`)).text.includes('Thank you for signing up'),
      polling,
    )
  }
  const postWebhook = async () => {
    const { body, headers } = stripe.message({ about: intent, id: `evt_${intent}`, at: services.clock.now })
    return (await server.request('/api/webhooks/stripe', { method: 'POST', body, headers })).status
  }
  // Stripe retries a webhook until it is accepted, and sometimes delivers it twice.
  const deliverWebhook = async () => {
    // Each attempt is signed again: the signature of the previous one may be too old by then.
    for (let delivery = 0; delivery < 2; delivery++)
      await vi.waitUntil(async () => (await postWebhook()) === 200, polling)
    await vi.waitUntil(async () => (await signUps.usersWith(email)).length > 0, polling)
  }
  if (ending === 'returns') await returnToSite()
  if (ending === 'returns in two tabs') await Promise.all([returnToSite(), returnToSite()])
  if (ending === 'webhook') await deliverWebhook()
  if (ending === 'both') await Promise.all([deliverWebhook(), returnToSite()])
}

/** Completes the rest: retries jobs that a dead process had claimed, and sweeps twice more, which finds nothing. */
async function settleRest(): Promise<void> {
  for (const minutes of [16, 61, 6]) {
    signUps.services.clock.advance({ minutes })
    const worker = startEmbeddedWorker(signUps.services, handlers)
    await worker.idle()
    await worker.stop()
  }
}

const emailsTo = (email: string) => mail.received.filter(({ to }) => [to].flat()[0]?.text === email)

async function expectOneAccount(email: string): Promise<void> {
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
  // The email may arrive twice if the server is killed after the mail server has accepted it and before that is recorded.
  const received = emailsTo(email)
  expect(new Set(received.map(({ messageId }) => messageId)).size).toBe(1)
  expect(new Set(received.map(({ subject }) => subject)).size).toBe(1)
  expect(await services.db.query(`SELECT template, state FROM emails WHERE to_address = :email`, { email })).toEqual([
    { template: 'welcome', state: 'sent' },
  ])
}
