import { beforeAll, describe, expect, it } from 'vitest'
import { actorOf, makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import type { Actor } from '../access/actor.ts'
import { openEnd } from '../kernel/dates.ts'
import { rebuildStoredTotals } from '../ledger/verify-ledger.ts'
import { Publications } from '../publications/publications.rows.ts'
import { readersChanged } from '../readers/reader-editions.rows.ts'
import { revenue } from './revenue.query.ts'
import { storefrontViews, storefrontViewsBy } from './storefront-views.query.ts'
import { subscriberFigures } from './subscriber-figures.query.ts'
import { topBarFigures } from './top-bar.query.ts'

const services = await openTestServices()
// The clock of the test services is set to 21 November 2026.
let publisher: Actor
let stranger: Actor
let firstTitle: number
let secondTitle: number
let sequence = 0

beforeAll(async () => {
  const user = await makeUser(services)
  publisher = await actorOf(services, 'publisher', user.id)
  stranger = await actorOf(services, 'publisher')
  firstTitle = (await makePublication(services, { publisherId: user.id })).id
  secondTitle = (await makePublication(services, { publisherId: user.id })).id
  const strangersTitle = (await makePublication(services)).id

  await addReader(firstTitle, 'print', '2026-11-21', '2027-11-20')
  await addReader(firstTitle, 'print', '2026-10-22', '2026-11-21')
  await addReader(firstTitle, 'digital', '2026-10-23', openEnd)
  await addReader(firstTitle, 'bundle', '2025-11-20', '2026-11-20')
  await addReader(firstTitle, 'bundle', '2026-12-01', '2027-11-30')
  await addReader(firstTitle, 'digital', '2026-01-31', '2026-10-21')
  await addReader(firstTitle, '', '2026-11-01', '2027-11-01')
  await addReader(firstTitle, 'print', '2026-11-10', '2027-11-10', true)
  await addReader(secondTitle, 'print', '2026-02-28', '2026-12-21')
  await addReader(strangersTitle, 'print', '2026-11-20', '2027-11-19')

  await addSale(user.id, firstTitle, '2026-11-21', 'GBP', 2999)
  await addSale(user.id, firstTitle, '2026-10-22', 'GBP', 1000)
  await addSale(user.id, secondTitle, '2026-10-21', 'GBP', 500)
  await addSale(user.id, secondTitle, '2026-11-01', 'EUR', 4000)
  await addViews(firstTitle, '2026-11-20', 'a', 3)
  await addViews(firstTitle, '2026-11-20', 'b', 1)
  await addViews(secondTitle, '2026-10-01', 'a', 5)
})

function addReader(
  publicationId: number,
  subType: string,
  startOn: string,
  endOn: string,
  isDeleted = false,
): Promise<number> {
  const flags = { no: false, yes: true }
  return services.db.run(
    `INSERT INTO readers (publication_id, unique_reference, pub_offers, pub_offers_post, pub_offers_tel, pub_offers_sms, partner_offers,
       partner_offers_post, partner_offers_tel, partner_offers_sms, sub_start_on, sub_end_on, sub_renew_on, sub_type, key_name, key_surname,
       key_post_code, key_address, key_email, key_company, mail_sort, post_code_state, address_state, origin, is_deleted, created_at, updated_at)
     VALUES (:publicationId, :reference, :yes, :yes, :yes, :yes, :yes, :yes, :yes, :yes, :startOn, :endOn, :endOn, :subType, '', '', '', '', '',
       '', '', 'ok', 'ok', 'file', :isDeleted, :now, :now)`,
    { publicationId, reference: `R${sequence++}`, ...flags, startOn, endOn, subType, isDeleted, now: services.now() },
  )
}

async function addSale(
  publisherId: number,
  publicationId: number,
  on: string,
  currency: string,
  amount: number,
): Promise<void> {
  const now = services.now()
  const key = `order-${sequence++}`
  const values = { publisherId, publicationId, key, on, currency, amount, now }
  await services.db.run(
    `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product_name, band, country,
       currency, product_price, amount, payment_type, billing, created_at, updated_at)
     VALUES (:publisherId, :publicationId, :key, 'paid', 'subscription', :key, :now, :on, 'Print', 'UK', 'GB', :currency, :amount, :amount, 'Card',
       '{}', :now, :now)`,
    values,
  )
  await services.db.run(
    `INSERT INTO ledger_entries (publisher_id, publication_id, order_id, kind, entered_on, currency, amount, created_at)
     SELECT :publisherId, :publicationId, id, 'sale', :on, :currency, :amount, :now FROM orders WHERE order_number = :key`,
    values,
  )
  await rebuildStoredTotals(services, publisherId)
}

function addViews(publicationId: number, on: string, visitor: string, count: number): Promise<number> {
  return services.db.run(
    `INSERT INTO page_views (publication_id, viewed_on, visitor_hash, views) VALUES (:publicationId, :on, :visitor, :count)`,
    { publicationId, on, visitor: visitor.repeat(32), count },
  )
}

describe('subscriber figures', () => {
  it('counts by type who began, who is current and who ends, across all titles', async () => {
    expect(await subscriberFigures(services.as(publisher), {})).toEqual({
      recent: { all: 2, print: 1, digital: 1, bundle: 0 },
      current: { all: 4, print: 3, digital: 1, bundle: 0 },
      expiredRecently: 1,
      expiringSoon: 2,
      year: 2026,
      months: {
        print: [0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0],
        digital: [1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0],
        bundle: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      },
    })
  })

  it('counts one title, and another year', async () => {
    expect((await subscriberFigures(services.as(publisher), { publicationId: secondTitle })).current).toEqual({
      all: 1,
      print: 1,
      digital: 0,
      bundle: 0,
    })
    const figuresOf2025 = await subscriberFigures(services.as(publisher), { publicationId: firstTitle, year: 2025 })
    expect(figuresOf2025.months.bundle).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
  })

  it('counts again when the readers or the day have changed', async () => {
    const user = await makeUser(services)
    const owner = await actorOf(services, 'publisher', user.id)
    const { id } = await makePublication(services, { publisherId: user.id })
    const figures = () => subscriberFigures(services.as(owner), { publicationId: id })
    await addReader(id, 'print', '2026-11-01', '2026-11-21')
    expect((await figures()).current.all).toBe(1)
    await addReader(id, 'digital', '2026-11-20', '2027-11-19')
    await readersChanged(services.db, id)
    expect((await figures()).current).toMatchObject({ all: 2, print: 1, digital: 1 })
    const previousNow = services.clock.now
    try {
      services.clock.now = new Date('2026-11-22T12:00:00Z')
      expect((await figures()).current).toMatchObject({ all: 1, print: 0, digital: 1 })
    } finally {
      services.clock.now = previousNow
    }
  })

  it('gives a publisher without titles zeros, and hides other publishers’ titles', async () => {
    expect((await subscriberFigures(services.as(stranger), {})).current.all).toBe(0)
    await expect(subscriberFigures(services.as(stranger), { publicationId: firstTitle })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(subscriberFigures(services.as(await actorOf(services, 'admin')), {})).rejects.toMatchObject({
      kind: 'denied',
    })
  })
})

describe('money and views', () => {
  it('keeps currencies apart, the main one first', async () => {
    expect(await revenue(services.as(publisher), {})).toEqual({
      recent: [
        { currency: 'GBP', amount: 2999 },
        { currency: 'EUR', amount: 4000 },
      ],
      overall: [
        { currency: 'GBP', amount: 4499 },
        { currency: 'EUR', amount: 4000 },
      ],
      orders: { recent: 2, overall: 4 },
      recentDays: { from: '2026-10-23', until: '2026-11-21' },
    })
    expect(await revenue(services.as(stranger), {})).toEqual({
      recent: [{ currency: 'GBP', amount: 0 }],
      overall: [{ currency: 'GBP', amount: 0 }],
      orders: { recent: 0, overall: 0 },
      recentDays: { from: '2026-10-23', until: '2026-11-21' },
    })
  })

  it('counts views and visitors', async () => {
    expect(await storefrontViews(services.as(publisher), {})).toEqual({
      recent: 4,
      recentUnique: 2,
      total: 9,
      totalUnique: 3,
    })
    expect(await storefrontViewsBy(services.as(publisher), {})).toEqual({
      months: [
        { month: '2026-11', views: 4, unique: 2, isRunning: true },
        { month: '2026-10', views: 5, unique: 1, isRunning: false },
      ],
      days: [{ on: '2026-11-20', views: 4, unique: 2 }],
    })
    expect(await storefrontViews(services.as(publisher), { publicationId: secondTitle })).toMatchObject({
      recent: 0,
      total: 5,
    })
  })

  it('adds today’s views to those of previous days', async () => {
    const user = await makeUser(services)
    const owner = await actorOf(services, 'publisher', user.id)
    const { id } = await makePublication(services, { publisherId: user.id })
    const viewFigures = () => storefrontViews(services.as(owner), { publicationId: id })
    await addViews(id, '2026-11-10', 'a', 2)
    expect(await viewFigures()).toEqual({ recent: 2, recentUnique: 1, total: 2, totalUnique: 1 })
    await addViews(id, '2026-11-20', 'a', 1)
    await addViews(id, '2026-11-21', 'b', 4)
    expect(await viewFigures()).toEqual({ recent: 7, recentUnique: 3, total: 7, totalUnique: 3 })
    const previousNow = services.clock.now
    try {
      services.clock.now = new Date('2026-12-15T12:00:00Z')
      expect(await viewFigures()).toEqual({ recent: 5, recentUnique: 2, total: 7, totalUnique: 3 })
    } finally {
      services.clock.now = previousNow
    }
  })

  it('fills the top bar with the publisher’s own figures', async () => {
    expect(await topBarFigures(services.as(publisher), {})).toEqual({
      titles: 2,
      readers: 9,
      orders: { amount: 4499, currency: 'GBP' },
    })
    expect(await topBarFigures(services.as(stranger), {})).toEqual({
      titles: 0,
      readers: 0,
      orders: { amount: 0, currency: 'GBP' },
    })
  })

  it('counts the revenue of a removed title but not its readers', async () => {
    await Publications.update(services, { id: secondTitle }, { removedAt: services.now() })
    expect((await revenue(services.as(publisher), {})).overall).toEqual([
      { currency: 'GBP', amount: 4499 },
      { currency: 'EUR', amount: 4000 },
    ])
    expect((await topBarFigures(services.as(publisher), {})).orders.amount).toBe(4499)
    expect((await revenue(services.as(publisher), { publicationId: secondTitle })).orders.overall).toBe(2)
    expect((await subscriberFigures(services.as(publisher), {})).current.all).toBe(3)
    await expect(subscriberFigures(services.as(publisher), { publicationId: secondTitle })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await Publications.update(services, { id: secondTitle }, { removedAt: null })
  })
})
