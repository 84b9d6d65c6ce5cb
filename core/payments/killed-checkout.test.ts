import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { makePromo } from '#tests/support/factories.ts'
import { bundled, processEnv } from '#tests/support/killed-process.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let stripe: StripeServer
let program: string
beforeAll(async () => {
  program = await bundled(`import { sellForever } from '#tests/support/checkout-process.ts'\nawait sellForever()`)
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
afterAll(() => rmSync(program))

const { open, sweep } = stripeShops(
  () => services,
  () => stripe,
)

/** Each kill starts a process, so most of them run only under `npm run test:faults`. */
const kills = process.env.TEST_FAULTS ? 40 : 8
/** Much longer than any of the processes lives. */
const timeoutMs = 60_000
/** Another seed kills at other points: `FAULT_SEED=7 npm run test:faults`. */
const { roll } = seededRandom(Number(process.env.FAULT_SEED ?? 20261122))

function startSelling(shop: { urlKey: string }): ChildProcess {
  return spawn(process.execPath, [program], {
    stdio: 'ignore',
    env: {
      ...processEnv(services),
      STRIPE_API_BASE: stripe.url,
      SHOP_URL_KEY: shop.urlKey,
      SHOP_PROMO: 'MANY',
    },
  })
}

/** Lets a process sell, and kills it after some of its calls to Stripe, at an arbitrary point. */
async function sellUntilKilled(shop: { urlKey: string }): Promise<void> {
  const calls = 1 + roll(7)
  const delayMs = roll(25)
  const child = startSelling(shop)
  const exited = once(child, 'exit')
  const lastCall = stripe.requests.length + calls
  const deadline = Date.now() + timeoutMs
  while (stripe.requests.length < lastCall && child.exitCode === null && Date.now() < deadline) await wait(2)
  await wait(delayMs)
  if (child.exitCode !== null) throw new Error('A process that sells ended by itself')
  child.kill('SIGKILL')
  await exited
}

it('a checkout that is killed repeatedly loses no payment and makes none twice', {
  timeout: 600_000,
}, async () => {
  const shop = await open()
  await makePromo(services, shop.id, 'MANY', { discountPercent: 10 })
  for (let killed = 0; killed < kills; killed += 2) await Promise.all([sellUntilKilled(shop), sellUntilKilled(shop)])

  services.clock.now = new Date(Date.now() + 61 * 60_000)
  // More rounds than it takes to poll every order, and one more that finds nothing to do.
  for (let round = 0; round < 5; round++) await sweep()
  expect(await sweep()).toEqual({ polled: 0, failed: 0 })

  const orders = await rowsOf(services, 'orders', shop.id)
  const paid = orders.filter(({ state }) => state === 'paid')
  const payments = stripe.payments()
  const succeeded = payments.filter(({ status }) => status === 'succeeded')
  expect(orders.length).toBeGreaterThanOrEqual(kills / 2)
  expect(orders.filter(({ state }) => state !== 'paid' && state !== 'cancelled')).toEqual([])
  const numberOf = ({ metadata }: Record<string, unknown>) => (metadata as { orderNumber: string }).orderNumber
  expect(succeeded.map(numberOf).sort()).toEqual(paid.map(({ order_number: number }) => String(number)).sort())
  expect(payments.filter(({ status }) => status !== 'succeeded' && status !== 'canceled')).toEqual([])
  expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(paid.length)
  expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(paid.length)
  expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: paid.length }])
})
