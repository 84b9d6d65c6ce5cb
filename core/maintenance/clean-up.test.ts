import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { Emails } from '#core/emails/emails.rows.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { settleOrder } from '#core/orders/settle-order.ts'
import { demoCards } from '#core/payment-methods/demo-cards.rules.ts'
import { countAttempt } from '#core/rate-limits/rate-limit.ts'
import { RemovedReaders, removedReaderDays } from '#core/readers/removed-readers.rows.ts'
import { logIn } from '#core/users/log-in.ts'
import { makePublication, makeUser, system } from '#tests/support/factories.ts'
import { makeShop, orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { cleanUp } from './clean-up.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

it('deletes jobs that are done, expired sessions and rate limits, and keeps waiting and failed jobs', async () => {
  const user = await makeUser(services)
  await logIn(services.as(visitor), { email: user.email, password: 'masthead' })
  await countAttempt(services.as(visitor), 'some-key', { hits: 5, windowSeconds: 60 })
  for (const state of ['done', 'failed', 'waiting']) {
    await services.db.run(
      `INSERT INTO jobs (name, payload, state, run_at, created_at, finished_at) VALUES ('clean-up', '{}', :state, :now, :now, :now)`,
      { state, now: services.now() },
    )
  }
  services.clock.advance({ days: 3 })
  expect(await cleanUp(services.as(system), {})).toMatchObject({ jobs: 0, sessions: 0 })
  services.clock.advance({ days: 13 })
  expect(await cleanUp(services.as(system), {})).toMatchObject({ jobs: 1, sessions: 1 })
  expect(await services.db.query(`SELECT state FROM jobs ORDER BY state`)).toEqual([
    { state: 'failed' },
    { state: 'waiting' },
  ])
  expect(await services.db.query(`SELECT id FROM rate_limits`)).toEqual([])
  await expect(cleanUp(services.as(visitor), {})).rejects.toMatchObject({ kind: 'unauthenticated' })
})

it('empties the emails of each reader that it deletes, also of one that expires while it runs', async () => {
  const { id: publicationId } = await makePublication(services)
  const start = services.now().getTime()
  const limit = start - removedReaderDays * 86_400_000
  for (let second = 0; second < 60; second++) {
    const readerId = 900_000 + second
    await Emails.insert(services, {
      emailKey: `clean-up:${second}`,
      template: 'order-receipt',
      publicationId,
      readerId,
      subject: 'x',
      toAddress: 'ann@example.test',
      messageId: `<clean-up.${second}@x>`,
      state: 'sent',
    })
    await RemovedReaders.insert(services, {
      publicationId,
      readerId,
      record: { id: readerId },
      actorKind: 'operator',
      removedAt: new Date(limit + second * 1000),
    })
  }
  let calls = 0
  await cleanUp({ ...services.as(system), now: () => new Date(start + ++calls * 1000) }, {})
  const count = async (sql: string) => Number((await services.db.query<{ n: number }>(sql))[0]?.n)
  const deleted = `NOT EXISTS (SELECT 1 FROM removed_readers g WHERE g.reader_id = e.reader_id)`
  const emails = `SELECT COUNT(*) AS n FROM emails e WHERE email_key LIKE 'clean-up:%'`
  expect(await count(`${emails} AND ${deleted}`)).toBeGreaterThan(0)
  expect(await count(`${emails} AND ${deleted} AND to_address <> ''`)).toBe(0)
})

it('deletes the buyer’s data of an order a month after it was cancelled or declined, and never that of an open one', async () => {
  const shop = await makeShop(services)
  const place = async () => {
    const payment = { details: { cardNumber: demoCards.needsAction } }
    const { orderId } = await placeOrder(services.as(visitor), orderForm(shop, { payment }))
    return orderId
  }
  const settle = (orderId: number, result: Parameters<typeof settleOrder>[1]['result']) =>
    settleOrder(services.as(system), { orderId, result })
  const hasDraft = async (orderId: number) => (await Orders.find(services, { id: orderId }))?.buyerDraft !== null
  const cancelled = await place()
  const declined = await place()
  const open = await place()
  const cancelledLate = await place()
  await settle(cancelled, { state: 'unknown' })
  await settle(declined, { state: 'declined', reference: 'demo_declined', reason: 'The card was declined' })
  services.clock.advance({ days: 29 })
  expect(await cleanUp(services.as(system), {})).toMatchObject({ drafts: 0 })
  await settle(cancelledLate, { state: 'unknown' })
  services.clock.advance({ days: 2 })
  expect(await cleanUp(services.as(system), {})).toMatchObject({ drafts: 2 })
  expect(await Promise.all([cancelled, declined, open, cancelledLate].map(hasDraft))).toEqual([
    false,
    false,
    true,
    true,
  ])
  // A payment that arrives even later still completes the order.
  const money = { amount: 2999, currency: 'GBP' } as const
  expect(await settle(cancelled, { state: 'paid', reference: 'demo_late', money })).toBe('paid')
  expect(await rowsOf(services, 'readers', shop.id)).toHaveLength(1)
})
