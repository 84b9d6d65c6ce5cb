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
/** Another seed kills at other points: `FAULT_SEED=7 npm run test:faults`. The normal run has one, on the queue that belongs to its database. */
const first = Number(process.env.FAULT_SEED ?? 20261123)
const runs = isLong
  ? queues.flatMap((queue) => [first, first + 1, first + 2].map((seed) => ({ queue, seed })))
  : [{ queue: process.env.TEST_DIALECT === 'postgres' ? ('bull' as const) : ('embedded' as const), seed: first }]
/** Pairs of workers that are killed on each of the two days, and subscriptions. */
const [pairs, readers] = isLong ? [5, 24] : [1, 6]

let services: TestServices
let stripe: StripeServer
let mail: MailServer
// Each test has its own world: keys contain the same ids in every world, and Stripe recognises a repeated key.
beforeEach(async () => {
  stripe = await startStripeServer()
  mail = await startMailServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url, MAIL_URL: mail.url })
})

const at = (moment: string) => {
  services.clock.now = new Date(moment)
}
const later = (minutes: number) => {
  services.clock.now = new Date(services.clock.now.getTime() + minutes * 60_000)
}

describe.each(runs)('renewals whose workers are killed at random (seed $seed, $queue queue)', ({ queue, seed }) => {
  it('are charged once each, on one order, for one term, and each email has one Message-ID', {
    timeout: 600_000,
  }, async () => {
    const shop = await subscribe()
    const env = {
      ...{ STRIPE_API_BASE: stripe.url, MAIL_URL: mail.url },
      ...(queue === 'bull' ? { REDIS_URL: redisUrl } : {}),
    }
    const workers = await killedWorkers(services, {
      ...{ env, random: seededRandom(seed) },
      progress: () => stripe.seen.length + mail.received.length,
    })
    const declined = (await rowsOf(services, 'payment_agreements', shop.id)).slice(0, 2)
    for (const day of ['2027-10-23', '2027-11-22']) {
      at(`${day}T05:00:00Z`)
      for (let pair = 0; pair < pairs; pair++) {
        await workers.kill(2)
        // Jobs of a dead worker stay leased to it for two minutes; every five minutes there is another job that charges.
        later(6)
      }
      await finish(queue)
    }
    // Two had no money on the day; they have it the day after.
    for (const { method_reference: card } of declined) stripe.setCardNumber(String(card), stripeCards.paid)
    at('2027-11-23T05:00:00Z')
    await finish(queue)
    expect(workers.kills()).toBe(pairs * 4)

    const renewals = await rowsOf(services, 'renewals', shop.id)
    expect(renewals.map(({ state, cycle_on: cycle }) => `${state} ${cycle}`)).toEqual(
      Array(readers).fill('paid 2027-11-22'),
    )
    const orders = await rowsOf(services, 'orders', shop.id)
    const paid = orders.filter(({ state, renewal_id: of }) => of !== null && state === 'paid')
    expect(paid.map(({ renewal_id: of }) => Number(of)).toSorted(ascending)).toEqual(
      renewals.map(({ id }) => Number(id)),
    )
    const others = orders.filter(({ state }) => state !== 'paid').map(({ state }) => state)
    expect(others.filter((state) => state === 'declined')).toHaveLength(declined.length)
    expect(others.filter((state) => state !== 'declined' && state !== 'cancelled')).toEqual([])
    // At Stripe: the first order and one renewal of each, of these orders, and no money under way.
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
    expect(agreements.map(({ renews_on: on, state }) => `${state} ${on}`)).toEqual(
      Array(readers).fill('active 2028-11-22'),
    )

    const sent = await services.db.query<{ template: string; message_id: string; to_address: string }>(
      `SELECT template, message_id, to_address FROM emails WHERE state = 'sent'`,
    )
    const counts: Record<string, number> = {}
    for (const { template } of sent) counts[template] = (counts[template] ?? 0) + 1
    expect(counts).toEqual({
      ...{ 'order-receipt': 2 * readers, 'order-notice': readers, 'renewal-notice': readers },
      'renewal-failed': declined.length,
    })
    const received = mail.received
    const idsOf = (mails: readonly { to: string; id: string }[]) =>
      [...new Set(mails.map(({ to, id }) => `${to} ${id}`))].toSorted()
    expect(
      idsOf(received.map(({ messageId, to }) => ({ id: String(messageId), to: String([to].flat()[0]?.text) }))),
    ).toEqual(idsOf(sent.map(({ message_id: id, to_address: to }) => ({ id, to }))))
    // An email may arrive twice if a worker was killed between the server's acceptance and our mark: each worker sends ten concurrently.
    expect(received.length - sent.length).toBeLessThanOrEqual(10 * workers.kills())
  })
})

const ascending = (one: number, other: number) => one - other

/** Subscriptions of a year, bought at Stripe on 22/11/2026; the first two have no money by then. */
async function subscribe(): Promise<{ id: number }> {
  at('2026-11-22T10:00:00Z')
  const { open, order } = stripeShops(
    () => services,
    () => stripe,
  )
  const shop = await open()
  for (let reader = 0; reader < readers; reader++) {
    const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-card', shop)
    stripe.pay(intent, reader < 2 ? stripeCards.declinedLater : stripeCards.paid)
    expect(await confirmOrder(services.as(visitor), placed)).toEqual({ state: 'paid' })
  }
  return shop
}

/**
 * Runs a worker until all work that was begun is done: attempts that were sent are queried, an attempt that was never sent to the provider is
 * cancelled after an hour, and charged again.
 */
async function finish(queue: (typeof queues)[number]): Promise<void> {
  for (const minutes of [16, 61, 6]) {
    later(minutes)
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
