import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Actor } from '#core/access/actor.ts'
import { actorOf, makeUser } from '#tests/support/factories.ts'
import { orderForm, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { visitor } from '../access/actor.ts'
import { placeOrder } from '../orders/place-order.ts'
import { refundOrder } from '../orders/refund-order.ts'
import { createPublication } from '../publications/create-publication.ts'
import { removePublication } from '../publications/remove-publication.ts'
import { updatePublication } from '../publications/update-publication.ts'
import { changeAccount } from '../users/accounts.rows.ts'
import { changeFirstRun, recordPreview } from './change-first-run.ts'
import { firstRun } from './first-run.query.ts'
import { listTestOrders } from './list-test-orders.query.ts'
import { makeExample } from './make-example.ts'
import { placeTestOrder, removeTestOrder } from './place-test-order.ts'

let services: TestServices
let publisher: Actor
let publisherId: number
let titlesMade = 0
beforeAll(async () => {
  services = await openTestServices()
})
beforeEach(async () => {
  publisherId = (await makeUser(services, { firstName: 'Ada', lastName: 'Lee' })).id
  publisher = await actorOf(services, 'publisher', publisherId)
  await changeAccount(services.as(publisher), publisherId, { takesDemoPayments: false, numberOfPublications: 3 })
})

const ctx = () => services.as(publisher)
const fields = {
  publicationName: 'The Gardener',
  issuesPerYear: '10',
  emailAddress: 'hello@gardener.example',
  orderEmailAddress: 'orders@gardener.example',
}
const addTitle = (more: object = { printPriceOneYear: '29.99' }) =>
  createPublication(ctx(), { ...fields, urlKey: `gardener-${++titlesMade}`, ...more })
const doneSteps = async (actor: Actor = publisher) =>
  (await firstRun(services.as(actor), {})).items.flatMap(({ step, isDone }) => (isDone ? [step] : []))
const firstRunState = async () => (await firstRun(ctx(), {})).state
const form = ({ id, urlKey }: { id: number; urlKey: string }, fields: Record<string, unknown> = {}) =>
  orderForm({ id, urlKey, publisherId }, fields)
const countRows = async (table: string) =>
  Number((await services.db.query<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))[0]?.n)

describe('the list of first steps', () => {
  it('detects that steps are done, one after the other, and ends with a line that is shown once', async () => {
    expect(await doneSteps()).toEqual([])
    const title = await addTitle({})
    expect(await doneSteps()).toEqual(['title'])
    const prices: Record<string, unknown> = { printPriceOneYear: '29.99' }
    await updatePublication(ctx(), { ...fields, ...prices, id: title.id })
    expect(await doneSteps()).toEqual(['title', 'prices'])
    await changeAccount(ctx(), publisherId, { stripeSecretKey: 'sealed' })
    expect(await doneSteps()).toEqual(['title', 'prices'])
    await changeAccount(ctx(), publisherId, { stripePublishableKey: 'pk_test_1' })
    expect(await doneSteps()).toEqual(['title', 'prices', 'keys'])
    await recordPreview(ctx(), { publicationId: title.id })
    expect(await doneSteps()).toEqual(['title', 'prices', 'keys', 'preview'])
    await placeTestOrder(ctx(), form(title))
    expect(await doneSteps()).toEqual(['title', 'prices', 'keys', 'preview', 'test'])
    expect(await firstRunState()).toBe('open')
    await changeFirstRun(ctx(), { change: 'shared' })
    expect(await firstRun(ctx(), {})).toMatchObject({
      state: 'done',
      doneCount: 6,
      minutesLeft: 0,
      storefront: { urlKey: title.urlKey },
    })
    await changeFirstRun(ctx(), { change: 'finish' })
    expect(await firstRunState()).toBe('over')
  })

  it('asks for no keys when everything is free', async () => {
    await addTitle({ digitalIsFree: 'on' })
    expect(await doneSteps()).toEqual(['title', 'prices', 'keys'])
  })

  it('reopens the steps of a title that is removed, also for the next one', async () => {
    await changeAccount(ctx(), publisherId, { takesDemoPayments: true })
    const doAll = async () => {
      const title = await addTitle()
      await recordPreview(ctx(), { publicationId: title.id })
      await placeTestOrder(ctx(), form(title))
      await changeFirstRun(ctx(), { change: 'shared' })
      expect(await firstRunState()).toBe('done')
      return title
    }
    const savedNow = services.clock.now
    const { id } = await doAll()
    await removePublication(ctx(), { id })
    expect(await doneSteps()).toEqual(['keys'])
    services.clock.now = new Date(savedNow.getTime() + 86_400_000)
    const next = await addTitle()
    expect(await doneSteps()).toEqual(['title', 'prices', 'keys'])
    await removePublication(ctx(), { id: next.id })
    await doAll()
    services.clock.now = savedNow
  })

  it('is hidden and shown again, and cannot be finished early', async () => {
    await changeFirstRun(ctx(), { change: 'hide' })
    expect(await firstRunState()).toBe('hidden')
    await changeFirstRun(ctx(), { change: 'show' })
    expect(await firstRunState()).toBe('open')
    await expect(changeFirstRun(ctx(), { change: 'finish' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(changeFirstRun(ctx(), { change: 'shared' })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('ends with the first sale, also if that is refunded', async () => {
    await changeAccount(ctx(), publisherId, { takesDemoPayments: true })
    const title = await addTitle()
    const { orderId } = await placeOrder(services.as(visitor), form(title))
    expect(await firstRunState()).toBe('over')
    await refundOrder(ctx(), { id: orderId, scope: 'whole' })
    expect(await rowsOf(services, 'orders', title.id)).toMatchObject([{ state: 'refunded' }])
    expect(await firstRunState()).toBe('over')
  })

  it('belongs to one publisher only', async () => {
    const title = await addTitle()
    const otherPublisher = await actorOf(services, 'publisher', (await makeUser(services)).id)
    await changeFirstRun(ctx(), { change: 'shared' })
    expect(await doneSteps(otherPublisher)).toEqual(['keys'])
    await expect(recordPreview(services.as(otherPublisher), { publicationId: title.id })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(placeTestOrder(services.as(otherPublisher), form(title))).rejects.toMatchObject({ kind: 'notFound' })
    await expect(listTestOrders(services.as(otherPublisher), { publicationId: title.id })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })

  it('shows an administrator who may enter the keys, and is refused to others', async () => {
    await addTitle()
    const pubadmin = await actorOf(services, 'pubadmin', publisherId)
    const { items } = await firstRun(services.as(pubadmin), {})
    expect(items.find(({ step }) => step === 'keys')).toMatchObject({ to: null, whoMay: 'Ada Lee' })
    expect(items.filter(({ whoMay }) => whoMay !== null)).toHaveLength(1)
    for (const type of ['admin', 'mailer', 'superuser'] as const) {
      const stranger = services.as(await actorOf(services, type, type === 'superuser' ? undefined : publisherId))
      await expect(firstRun(stranger, {})).rejects.toMatchObject({ kind: 'denied' })
      await expect(changeFirstRun(stranger, { change: 'hide' })).rejects.toMatchObject({ kind: 'denied' })
    }
  })

  it('counts no step done on the example', async () => {
    const { id } = await makeExample(ctx(), {})
    await recordPreview(ctx(), { publicationId: id })
    await placeTestOrder(ctx(), form({ id, urlKey: `example-${publisherId}` }, { plan: '1PN54.00' }))
    expect(await doneSteps()).toEqual([])
  })
})

describe('a test order', () => {
  const countedTables = [
    'orders',
    'order_items',
    'payments',
    'demo_charges',
    'ledger_entries',
    'ledger_days',
    'order_sums',
  ].concat([
    'readers',
    'buyers',
    'circulation_terms',
    'payment_agreements',
    'vat_lines',
    'promo_redemptions',
    'jobs',
    'emails',
  ])

  it('is counted nowhere: no order, no money, no reader, no email', async () => {
    const title = await addTitle()
    const before = await Promise.all(countedTables.map(countRows))
    const order = await placeTestOrder(ctx(), form(title))
    expect(await Promise.all(countedTables.map(countRows))).toEqual(before)
    expect(await listTestOrders(ctx(), { publicationId: title.id })).toMatchObject([
      { id: order.id, amount: 2999, currency: 'GBP', promoCode: '' },
    ])
  })

  it('stores nothing about the buyer', async () => {
    const title = await addTitle()
    await placeTestOrder(ctx(), form(title, { email: 'typed@somewhere.test' }))
    const [row] = await rowsOf(services, 'test_orders', title.id)
    expect(JSON.stringify(row)).not.toMatch(/typed@somewhere|O'Brien|Quay/)
  })

  it('is placed once, however often its form is sent', async () => {
    const title = await addTitle()
    const sameForm = form(title)
    const orders = await Promise.all([1, 2, 3].map(() => placeTestOrder(ctx(), sameForm)))
    expect(new Set(orders.map(({ id }) => id)).size).toBe(1)
    expect(await listTestOrders(ctx(), { publicationId: title.id })).toHaveLength(1)
  })

  it('is refused like a real one: a declined card, another price, another total', async () => {
    const title = await addTitle()
    const declined = { payment: { details: { cardNumber: '4000 0000 0000 0002' } } }
    await expect(placeTestOrder(ctx(), form(title, declined))).rejects.toMatchObject({ kind: 'declined' })
    await expect(placeTestOrder(ctx(), form(title, { payment: { details: {} } }))).rejects.toMatchObject({
      fields: { 'payment.cardNumber': 'Required' },
    })
    await expect(placeTestOrder(ctx(), form(title, { plan: '1PN19.99' }))).rejects.toMatchObject({ kind: 'conflict' })
    await expect(placeTestOrder(ctx(), form(title, { total: '1.00' }))).rejects.toMatchObject({ kind: 'conflict' })
    expect(await doneSteps()).not.toContain('test')
  })

  it('is deleted, and the step stays done', async () => {
    const title = await addTitle()
    const { id: testOrderId, publicationId } = await placeTestOrder(ctx(), form(title))
    await removeTestOrder(ctx(), { publicationId, testOrderId })
    await removeTestOrder(ctx(), { publicationId, testOrderId })
    expect(await listTestOrders(ctx(), { publicationId })).toEqual([])
    expect(await doneSteps()).toContain('test')
  })
})
