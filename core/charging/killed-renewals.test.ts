import { Redis } from 'ioredis'
import { beforeEach, describe, expect, inject, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { queueName, startBullWorker } from '#core/platform/queue/bull-worker.ts'
import { startEmbeddedWorker } from '#core/platform/queue/embedded-worker.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { killedWorkers } from '#tests/support/killed-workers.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { type MailServer, startMailServer } from '#tests/support/smtp-server.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { handlers } from '#worker/handlers/index.ts'

const isLong = process.env.TEST_FAULTS !== undefined
const redisUrl = inject('redisUrl')
const queues = ['embedded', 'bull'] as const
/**
 * A different seed kills the workers at different points: `FAULT_SEED=7 npm run test:faults`. The normal run has one seed, on the queue
 * used with its database (SQLite: embedded, PostgreSQL: Bull).
 */
const firstSeed = Number(process.env.FAULT_SEED ?? 20261123)
const runs = isLong
  ? queues.flatMap((queue) => [firstSeed, firstSeed + 1, firstSeed + 2].map((seed) => ({ queue, seed })))
  : [{ queue: process.env.TEST_DIALECT === 'postgres' ? ('bull' as const) : ('embedded' as const), seed: firstSeed }]
/** How many pairs of workers are killed on each of the two days, and how many readers subscribe. */
const [pairs, readers] = isLong ? [5, 24] : [1, 6]

let services: TestServices
let stripe: StripeServer
let mail: MailServer
// Each test has its own Stripe server, mail server and database: the idempotency keys contain the same ids in each, and Stripe would
// recognise a repeated key.
beforeEach(async () => {
  stripe = await startStripeServer()
  mail = await startMailServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url, MAIL_URL: mail.url })
})

describe.each(runs)('renewals whose workers are killed at random (seed $seed, $queue queue)', ({ queue, seed }) => {
  it('are each charged once, on one order, for one term, and each email has one Message-ID', {
    timeout: 600_000,
  }, async () => {
    const shop = await subscribe()
    const env = {
      STRIPE_API_BASE: stripe.url,
      MAIL_URL: mail.url,
      ...(queue === 'bull' ? { REDIS_URL: redisUrl } : {}),
    }
    const workers = await killedWorkers(services, {
      env,
      random: seededRandom(seed),
      progress: () => stripe.requests.length + mail.received.length,
    })
    const declined = (await rowsOf(services, 'payment_agreements', shop.id)).slice(0, 2)
    for (const day of ['2027-10-23', '2027-11-22']) {
      services.clock.set(`${day}T05:00:00Z`)
      for (let pair = 0; pair < pairs; pair++) {
        await workers.kill(2)
        // Jobs of a dead worker stay leased to it for two minutes; every five minutes another `charge-renewals` job is due.
        services.clock.advance({ minutes: 6 })
      }
      await finish(queue)
    }
    // Two cards had insufficient funds on the due day; they have funds the day after.
    for (const { method_reference: card } of declined) stripe.setCardNumber(String(card), stripeCards.paid)
    services.clock.set('2027-11-23T05:00:00Z')
    await finish(queue)
    expect(workers.kills()).toBe(pairs * 4)

    const renewals = await rowsOf(services, 'renewals', shop.id)
    expect(renewals.map(({ state, cycle_on: cycle }) => `${state} ${cycle}`)).toEqual(
      Array(readers).fill('paid 2027-11-22'),
    )
    const orders = await rowsOf(services, 'orders', shop.id)
    const paid = orders.filter(({ state, renewal_id: renewalId }) => renewalId !== null && state === 'paid')
    expect(paid.map(({ renewal_id: renewalId }) => Number(renewalId)).toSorted(ascending)).toEqual(
      renewals.map(({ id }) => Number(id)),
    )
    const unpaidStates = orders.filter(({ state }) => state !== 'paid').map(({ state }) => state)
    expect(unpaidStates.filter((state) => state === 'declined')).toHaveLength(declined.length)
    expect(unpaidStates.filter((state) => state !== 'declined' && state !== 'cancelled')).toEqual([])
    // At Stripe: one successful payment for each paid order (the first order and the renewal of each subscription).
    const taken = stripe.payments().filter(({ status }) => status === 'succeeded')
    const numberOf = ({ metadata }: Record<string, unknown>) => (metadata as { orderNumber: string }).orderNumber
    const allPaid = orders.filter(({ state }) => state === 'paid')
    expect(taken.map(numberOf).toSorted()).toEqual(allPaid.map(({ order_number: number }) => String(number)).toSorted())
    expect(taken.map(({ amount }) => amount)).toEqual(Array(2 * readers).fill(2500))

    const entries = await rowsOf(services, 'ledger_entries', shop.id)
    expect(entries.map(({ kind, amount }) => `${kind} ${amount}`)).toEqual(Array(2 * readers).fill('sale 2500'))
    expect(new Set(entries.map(({ order_id: order }) => order)).size).toBe(2 * readers)
    const ends = (await rowsOf(services, 'readers', shop.id)).map(({ sub_end_on: end }) => end)
    expect(ends).toEqual(Array(readers).fill('2028-11-22'))
    const agreements = await rowsOf(services, 'payment_agreements', shop.id)
    expect(agreements.map(({ renews_on: renewsOn, state }) => `${state} ${renewsOn}`)).toEqual(
      Array(readers).fill('active 2028-11-22'),
    )

    const sent = await services.db.query<{ template: string; message_id: string; to_address: string }>(
      `SELECT template, message_id, to_address FROM emails WHERE state = 'sent'`,
    )
    const counts: Record<string, number> = {}
    for (const { template } of sent) counts[template] = (counts[template] ?? 0) + 1
    expect(counts).toEqual({
      'order-receipt': 2 * readers,
      'order-notice': readers,
      'renewal-notice': readers,
      'renewal-failed': declined.length,
    })
    const received = mail.received
    const idsOf = (emails: readonly { to: string; id: string }[]) =>
      [...new Set(emails.map(({ to, id }) => `${to} ${id}`))].toSorted()
    expect(
      idsOf(received.map(({ messageId, to }) => ({ id: String(messageId), to: String([to].flat()[0]?.text) }))),
    ).toEqual(idsOf(sent.map(({ message_id: id, to_address: to }) => ({ id, to }))))
    // An email may arrive twice if a worker was killed after the mail server accepted it and before it was marked as sent. Each worker
    // sends ten emails at once.
    expect(received.length - sent.length).toBeLessThanOrEqual(10 * workers.kills())
  })
})

const ascending = (left: number, right: number) => left - right

/** One-year subscriptions, paid through Stripe on 22/11/2026; the first two cards are declined at the renewal. */
async function subscribe(): Promise<{ id: number }> {
  services.clock.set('2026-11-22T10:00:00Z')
  const { open, order } = stripeShops(
    () => services,
    () => stripe,
  )
  const shop = await open()
  for (let reader = 0; reader < readers; reader++) {
    const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-card', shop)
    stripe.pay(intent, reader < 2 ? stripeCards.declinedLater : stripeCards.paid)
    expect(await confirmOrder(services.as(visitor), placed)).toMatchObject({ state: 'paid' })
  }
  return shop
}

/**
 * Runs a worker until all work in progress is finished: the provider is queried about attempts that were sent; one that was never sent is
 * cancelled after an hour, and the renewal is charged again.
 */
async function finish(queue: (typeof queues)[number]): Promise<void> {
  for (const minutes of [16, 61, 6]) {
    services.clock.advance({ minutes })
    const loop =
      queue === 'bull'
        ? startBullWorker(services, handlers, redisUrl, services.databaseUrl, 20)
        : startEmbeddedWorker(services, handlers)
    await loop.idle()
    await loop.stop()
  }
  if (queue === 'bull') await emptyQueue()
}

async function emptyQueue(): Promise<void> {
  const redis = new Redis(redisUrl)
  const keys = await redis.keys(`bull:${queueName(services.databaseUrl)}:*`)
  if (keys.length > 0) await redis.del(...keys)
  redis.disconnect()
}
