import fc from 'fast-check'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { actorOf, makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import type { Actor } from '../access/actor.ts'
import { addDays } from '../kernel/calendar.ts'
import { currencies } from '../kernel/money.ts'
import { enterSale } from '../ledger/enter-sale.ts'
import { enterReversal, enterUndone } from '../ledger/ledger-entries.rows.ts'
import { ledgerTotals } from '../ledger/ledger-totals.query.ts'
import { listOrders } from '../orders/list-orders.query.ts'
import { moveOrder, recordRenewals } from '../orders/orders.rows.ts'
import { renewalCohorts } from './cohorts.query.ts'
import { expiringByValue } from './expiring.query.ts'
import { exportGrowthPart, growthPart } from './growth-part.ts'
import { growthPartNames } from './growth-parts.ts'
import { listReaderSet } from './list-reader-set.query.ts'
import { lossesByMonth } from './losses.query.ts'
import { monthlyPack } from './monthly-pack.query.ts'
import { sourceYields } from './order-sources.query.ts'
import { printForecast } from './print-forecast.query.ts'
import { readerSetNames } from './reader-sets.rules.ts'
import { revenue } from './revenue.query.ts'
import { revenueByMonth } from './revenue-by-month.query.ts'
import { subscriberFigures } from './subscriber-figures.query.ts'

const services = await openTestServices()
// The clock of the test services is set to 21 November 2026.
let publisher: Actor
let publisherId: number
let firstTitle: number
let secondTitle: number
let sequence = 0

interface OrderFixture {
  id: number
  publicationId: number
  readerId: number
  orderedOn: string
  startOn: string
  endOn: string
  currency: (typeof currencies)[number]
  amount: number
  state: 'paid' | 'declined'
  promo: string
}
const orders: OrderFixture[] = []

beforeAll(async () => {
  const user = await makeUser(services)
  publisherId = user.id
  publisher = await actorOf(services, 'publisher', user.id)
  firstTitle = (await makePublication(services, { publisherId: user.id })).id
  secondTitle = (await makePublication(services, { publisherId: user.id })).id
  const strangersTitle = (await makePublication(services)).id
  const choice = fc.record({
    publicationId: fc.constantFrom(firstTitle, secondTitle),
    currency: fc.constantFrom(...currencies),
    amount: fc.constantFrom(0, 1299, 2999),
    begins: fc.integer({ min: 0, max: 700 }),
    gaps: fc.array(fc.integer({ min: -40, max: 130 }), { maxLength: 3 }),
    promo: fc.constantFrom('', '', 'SPRING'),
    outcome: fc.constantFrom('kept', 'kept', 'kept', 'refunded', 'half', 'declined', 'disputed', 'won'),
  })
  for (const [index, chosen] of fc.sample(choice, { numRuns: 40, seed: 7 }).entries()) {
    let startOn = addDays('2024-09-15', chosen.begins)
    let orderedOn = startOn
    for (const gap of [null, ...chosen.gaps]) {
      if (gap !== null) {
        const { endOn } = orders.at(-1) as OrderFixture
        orderedOn = addDays(endOn, gap)
        startOn = gap <= 0 ? addDays(endOn, 1) : orderedOn
      }
      if (orderedOn > '2026-11-21') break
      await addOrder(
        { ...chosen, readerId: 1000 + index, startOn, orderedOn, endOn: addDays(startOn, 180) },
        chosen.outcome,
      )
    }
  }
  await addOrder(
    {
      publicationId: strangersTitle,
      readerId: 9999,
      startOn: '2026-01-01',
      orderedOn: '2026-01-01',
      endOn: '2026-06-30',
      currency: 'GBP',
      amount: 99999,
      promo: 'FOREIGN',
    },
    'kept',
  )
})

const ctx = () => services.as(publisher)

async function addOrder(fields: Omit<OrderFixture, 'id' | 'state'>, outcome: string): Promise<void> {
  const now = services.now()
  const key = `g-${sequence++}`
  const state = outcome === 'declined' ? 'declined' : 'paid'
  const owner = fields.promo === 'FOREIGN' ? (await makeUser(services)).id : publisherId
  const id = await services.db.query<{ id: number }>(
    `INSERT INTO orders (publisher_id, publication_id, order_number, state, kind, idempotency_key, placed_at, ordered_on, product, product_name,
       term_months, band, country, currency, product_price, amount, promo_code, payment_type, sub_start_on, sub_end_on, reader_id, billing,
       created_at, updated_at)
     VALUES (:owner, :publicationId, :key, :state, 'subscription', :key, :now, :orderedOn, 'print', 'Print', 6, 'UK', 'GB', :currency, :amount,
       :amount, :promo, 'Card', :startOn, :endOn, :readerId, '{}', :now, :now) RETURNING id`,
    { ...fields, owner, key, state, now },
  )
  const orderId = Number(id[0]?.id)
  if (fields.promo !== 'FOREIGN') orders.push({ ...fields, id: orderId, state })
  if (state === 'paid') {
    await enterSale(ctx(), {
      order: { ...fields, id: orderId, publisherId: owner, product: 'print', termMonths: 6 },
      today: fields.orderedOn,
      startOn: fields.startOn,
      endOn: fields.endOn,
    })
  }
  await recordRenewals(services, [fields.readerId])
  const today = addDays(fields.orderedOn, 20) > '2026-11-21' ? '2026-11-21' : addDays(fields.orderedOn, 20)
  if (fields.amount === 0 || state === 'declined') return
  await services.db.transaction(async () => {
    const reversal = { orderId, cause: 'x:1', today }
    if (outcome === 'refunded') {
      await enterReversal(ctx(), { ...reversal, kind: 'refund', amount: fields.amount })
      await moveOrder(ctx(), orderId, { from: ['paid'], to: 'refunded' })
    }
    if (outcome === 'half') await enterReversal(ctx(), { ...reversal, kind: 'refund', amount: 500 })
    if (outcome === 'disputed' || outcome === 'won') {
      await enterReversal(ctx(), { ...reversal, kind: 'dispute', amount: fields.amount })
      await moveOrder(ctx(), orderId, { from: ['paid'], to: 'reversed' })
    }
    if (outcome === 'won') {
      await enterUndone(ctx(), { orderId, kind: 'dispute', cause: 'x:1', by: 'dispute-won', today })
      await moveOrder(ctx(), orderId, { from: ['reversed'], to: 'paid', isPaidAgain: true })
    }
  })
}

describe('growth', () => {
  it('puts every ended term in one cohort, renewed or lapsed, as counted from the orders', async () => {
    const states = await services.db.query<{ id: number; state: string }>(`SELECT id, state FROM orders`)
    const isPaid = new Map(states.map(({ id, state }) => [Number(id), state === 'paid']))
    const paid = orders.filter(({ id }) => isPaid.get(id))
    for (const publicationId of [undefined, firstTitle, secondTitle]) {
      const { cohorts } = await renewalCohorts(ctx(), { publicationId })
      const endedTerms = paid.filter(
        (order) =>
          (publicationId === undefined || order.publicationId === publicationId) &&
          order.endOn >= '2025-11-01' &&
          order.endOn < '2026-11-21',
      )
      expect(endedTerms.length).toBeGreaterThan(5)
      expect(cohorts.reduce((sum, { ended }) => sum + ended, 0)).toBe(endedTerms.length)
      for (const { month, ended, renewed, lapsed, windows } of cohorts) {
        expect(renewed + lapsed).toBe(ended)
        const endedInMonth = endedTerms.filter(({ endOn }) => endOn.startsWith(month))
        expect([month, ended]).toEqual([month, endedInMonth.length])
        for (const window of windows) {
          const renewedTerms = endedInMonth.filter(({ readerId, endOn }) =>
            paid.some(
              (next) =>
                next.readerId === readerId && next.endOn > endOn && next.orderedOn <= addDays(endOn, window.days),
            ),
          )
          expect([month, window.days, window.renewed]).toEqual([month, window.days, renewedTerms.length])
        }
        const counts = windows.map((window) => window.renewed)
        expect([...counts, renewed]).toEqual([...counts, renewed].toSorted((a, b) => a - b))
      }
      expect(cohorts.map(({ isRunning }) => isRunning)).toEqual([...Array(12).fill(false), true])
    }
  })

  it('gives a title’s monthly pack its cohort and its new readers of the month', async () => {
    const { cohorts } = await renewalCohorts(ctx(), { publicationId: firstTitle })
    let found = 0
    for (const month of ['2026-03', '2026-07', '2026-11']) {
      const { growth } = await monthlyPack(ctx(), { publicationId: firstTitle, month })
      expect(growth.cohort).toEqual(cohorts.find((cohort) => cohort.month === month))
      const own = orders.filter(
        ({ publicationId, orderedOn }) => publicationId === firstTitle && orderedOn.startsWith(month),
      )
      const states = await services.db.query<{ id: number; state: string }>(`SELECT id, state FROM orders`)
      const paid = new Set(states.filter(({ state }) => state === 'paid').map(({ id }) => Number(id)))
      const isNew = ({ readerId, endOn }: OrderFixture) =>
        !orders.some((before) => paid.has(before.id) && before.readerId === readerId && before.endOn < endOn)
      const newCount = own.filter((order) => paid.has(order.id) && isNew(order)).length
      expect([month, growth.newSubscriptions]).toEqual([month, newCount])
      found += newCount + growth.cohort.ended
    }
    expect(found).toBeGreaterThan(0)
  })

  it('reports each month’s losses with the same numbers as the cohorts and the ledger', async () => {
    const { months } = await lossesByMonth(ctx(), {})
    const { cohorts } = await renewalCohorts(ctx(), {})
    expect(months.map(({ month, lapsed }) => [month, lapsed])).toEqual(
      cohorts.map(({ month, lapsed }) => [month, lapsed]),
    )
    const declined = orders.filter(({ state, orderedOn }) => state === 'declined' && orderedOn >= '2025-11-01')
    expect(months.reduce((sum, month) => sum + month.declined, 0)).toBe(declined.length)
    expect(declined.length).toBeGreaterThan(0)
    for (const currency of currencies) {
      const [row] = await services.db.query<{ refunded: number }>(
        `SELECT COALESCE(SUM(-amount), 0) AS refunded FROM ledger_entries
         WHERE publisher_id = :publisherId AND kind <> 'sale' AND currency = :currency AND entered_on >= '2025-11-01'`,
        { publisherId, currency },
      )
      const all = months.flatMap(({ refunded, failed, disputed }) => [refunded, failed, disputed])
      const sum = all.flatMap(({ money }) => money).filter((money) => money.currency === currency)
      expect([currency, sum.reduce((total, { amount }) => total + amount, 0)]).toEqual([
        currency,
        Number(row?.refunded),
      ])
    }
  })

  it('has months that add up to the ledger in each currency, and compares each with the year before', async () => {
    const { currencies: sums } = await revenueByMonth(ctx(), {})
    expect(sums.map(({ currency }) => currency).length).toBeGreaterThan(1)
    for (const { currency, months } of sums) {
      const [row] = await services.db.query<{ net: number; before: number }>(
        `SELECT COALESCE(SUM(CASE WHEN entered_on >= '2025-11-01' THEN amount END), 0) AS net,
                COALESCE(SUM(CASE WHEN entered_on >= '2024-11-01' AND entered_on < '2025-11-22' THEN amount END), 0) AS before
         FROM ledger_entries WHERE publisher_id = :publisherId AND currency = :currency AND kind <> 'fee'`,
        { publisherId, currency },
      )
      expect(months.reduce((sum, { net }) => sum + net, 0)).toBe(Number(row?.net))
      expect(months.reduce((sum, { yearBefore }) => sum + yearBefore, 0)).toBe(Number(row?.before))
    }
  })

  it('has sources that add up to the ledger’s orders of the year, and lists the promo codes that were used', async () => {
    const { sources, promoCodes, from, until } = await sourceYields(ctx(), {})
    const totals = await ledgerTotals(ctx(), { from, until })
    for (const currency of currencies) {
      const currencyYields = sources.flatMap(({ yields }) => yields).filter((row) => row.currency === currency)
      const sum = (part: 'orders' | 'sold' | 'refunded' | 'net') =>
        currencyYields.reduce((total, row) => total + row[part], 0)
      const { orders: n, amount, refunded, net } = totals[currency]
      expect([currency, sum('orders'), sum('sold'), sum('refunded'), sum('net')]).toEqual([
        currency,
        n,
        amount,
        refunded,
        net,
      ])
    }
    expect(new Set(sources.map(({ source }) => source))).toEqual(new Set(['renewal', 'new']))
    expect(promoCodes.map(({ code }) => code)).toEqual(['SPRING'])
    const ordersWithCode = await services.db.query<{ currency: string; orders: number }>(
      `SELECT currency, COUNT(*) AS orders FROM orders WHERE publication_id IN (:titles) AND promo_code = 'SPRING'
         AND ordered_on >= :from AND ordered_on <= :until AND state IN ('paid', 'refunded', 'reversed') GROUP BY currency`,
      { titles: [firstTitle, secondTitle], from, until },
    )
    expect(ordersWithCode.length).toBeGreaterThan(0)
    expect(new Map(promoCodes[0]?.yields.map(({ currency, orders: n }) => [currency, n]))).toEqual(
      new Map(ordersWithCode.map(({ currency, orders: n }) => [currency, Number(n)])),
    )
  })

  it('puts each storefront order in one traffic source, or in direct', async () => {
    const before = await sourceYields(ctx(), { publicationId: firstTitle })
    expect(before.traffic).toEqual([{ source: 'direct', yields: before.channels[0]?.yields }])
    const own = orders.filter(
      ({ publicationId, state, orderedOn }) =>
        publicationId === firstTitle && state === 'paid' && orderedOn >= before.from && orderedOn <= before.until,
    )
    const sources = [
      { utmSource: 'newsletter', utmMedium: 'email', utmCampaign: 'spring' },
      { utmSource: '=cmd', utmMedium: '', utmCampaign: '' },
    ]
    for (const [index, { id }] of own.slice(0, -2).entries())
      await services.db.run(
        `UPDATE orders SET utm_source = :utmSource, utm_medium = :utmMedium, utm_campaign = :utmCampaign WHERE id = :id`,
        { ...(sources[index < 3 ? 1 : 0] as (typeof sources)[number]), id },
      )
    const { traffic, channels } = await sourceYields(ctx(), { publicationId: firstTitle })
    expect(traffic.map(({ source }) => source)).toEqual([...sources, 'direct'])
    for (const { currency, ...total } of channels[0]?.yields ?? [])
      for (const [part, sum] of Object.entries(total)) {
        const parts = traffic.flatMap(({ yields }) => yields.filter((row) => row.currency === currency))
        const added = parts.reduce((all, row) => all + row[part as 'orders'], 0)
        expect([currency, part, added]).toEqual([currency, part, sum])
      }
    for (const { source, yields } of traffic) {
      const name = typeof source === 'string' ? '' : source.utmSource
      const [row] = await services.db.query<{ orders: number; back: number; renewed: number }>(
        `SELECT COUNT(*) AS orders, SUM(CASE WHEN o.state = 'paid' AND o.renewed_after IS NOT NULL THEN 1 ELSE 0 END) AS renewed,
           SUM((SELECT COALESCE(SUM(-l.amount), 0) FROM ledger_entries l WHERE l.order_id = o.id AND l.kind <> 'sale')) AS back
         FROM orders o WHERE publication_id = :first AND utm_source = :name AND ordered_on >= :from AND ordered_on <= :until
           AND state IN ('paid', 'refunded', 'reversed')`,
        { first: firstTitle, name, from: before.from, until: before.until },
      )
      const sum = (part: 'orders' | 'refunded' | 'renewed') => yields.reduce((all, row) => all + row[part], 0)
      expect([name, sum('orders'), sum('refunded'), sum('renewed')]).toEqual([
        name,
        Number(row?.orders),
        Number(row?.back),
        Number(row?.renewed),
      ])
    }
    const { chunks } = await exportGrowthPart(ctx(), { part: 'sources', publicationId: firstTitle })
    const text = await textOf(chunks)
    expect(text).toContain('By traffic source,newsletter,email,spring,')
    // A spreadsheet must not run a formula that came in a link.
    expect(text).toContain("By traffic source,'=cmd,,,")
  })

  it('provides each part as tables and as a file with the same rows', async () => {
    for (const part of growthPartNames) {
      const tables = await growthPart(ctx(), { part })
      for (const { headings, rows } of tables)
        for (const { cells } of rows) expect(cells).toHaveLength(headings.length - 1)
      const { fileName, chunks } = await exportGrowthPart(ctx(), { part })
      expect(fileName).toBe(`Growth_${part}_2026-11-21.csv`)
      const text = await textOf(chunks)
      const lines = text.trimEnd().split('\r\n').filter(Boolean)
      expect(lines).toHaveLength(tables.reduce((sum, { rows }) => sum + rows.length + 1, 0))
    }
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(growthPart(stranger, { part: 'renewals', publicationId: firstTitle })).rejects.toMatchObject({
      kind: 'notFound',
    })
    await expect(growthPart(services.as(await actorOf(services, 'admin')), { part: 'renewals' })).rejects.toMatchObject(
      {
        kind: 'denied',
      },
    )
  })
})

async function addReader(publicationId: number, subType: string, startOn: string, endOn: string, paid: number | null) {
  const values = {
    publicationId,
    subType,
    startOn,
    endOn,
    paid,
    reference: `R${sequence++}`,
    no: false,
    now: services.now(),
  }
  await services.db.run(
    `INSERT INTO readers (publication_id, unique_reference, full_name, pub_offers, pub_offers_post, pub_offers_tel, pub_offers_sms, partner_offers,
       partner_offers_post, partner_offers_tel, partner_offers_sms, sub_start_on, sub_end_on, sub_renew_on, sub_type, sub_paid, sub_currency, key_name,
       key_surname, key_post_code, key_address, key_email, key_company, mail_sort, post_code_state, address_state, origin, is_deleted, created_at,
       updated_at)
     VALUES (:publicationId, :reference, :reference, :no, :no, :no, :no, :no, :no, :no, :no, :startOn, :endOn, :endOn, :subType, :paid, 'GBP', '', '',
       '', '', '', '', '', 'ok', 'ok', 'file', :no, :now, :now)`,
    values,
  )
}

describe('the list behind a tile', () => {
  beforeAll(async () => {
    const choice = fc.record({
      publicationId: fc.constantFrom(firstTitle, secondTitle),
      subType: fc.constantFrom('print', 'digital', 'bundle', ''),
      startOn: fc.integer({ min: -400, max: 40 }),
      length: fc.integer({ min: 5, max: 500 }),
      paid: fc.constantFrom(null, 1000, 4500),
    })
    for (const { publicationId, subType, startOn, length, paid } of fc.sample(choice, { numRuns: 60, seed: 3 })) {
      const start = addDays('2026-11-21', startOn)
      await addReader(publicationId, subType, start, addDays(start, length), paid)
    }
    await addReader(firstTitle, 'bundle', '2020-01-01', '2100-01-01', null)
  })

  it('has as many rows as the tile counts, for all titles and for one', async () => {
    for (const publicationId of [undefined, firstTitle]) {
      const figures = await subscriberFigures(ctx(), { publicationId })
      for (const [set, product, figure] of [
        ['recent', undefined, figures.recent.all],
        ['current', undefined, figures.current.all],
        ['current', 'bundle', figures.current.bundle],
        ['recent', 'print', figures.recent.print],
        ['expired', undefined, figures.expiredRecently],
        ['expiring', undefined, figures.expiringSoon],
      ] as const) {
        const seen = new Set<number>()
        for (let page = 1; ; page++) {
          const { rows, total, pages } = await listReaderSet(ctx(), { set, product, publicationId, page })
          expect([set, product, total]).toEqual([set, product, figure])
          for (const { id } of rows) seen.add(id)
          if (page >= pages) break
        }
        expect([set, product, seen.size]).toEqual([set, product, figure])
      }
    }
    expect(readerSetNames).toHaveLength(4)
  })

  it.each([0, 20, 200])(
    'of revenue is the sales ledger filtered by day of sale, even with the clock set back %s days: as many orders, the same money',
    async (days) => {
      const now = services.clock.now
      onTestFinished(() => {
        services.clock.now = now
      })
      services.clock.now = new Date(now.getTime() - days * 86_400_000)
      for (const publicationId of [undefined, secondTitle]) {
        const { recent, overall, orders: n, recentDays } = await revenue(ctx(), { publicationId })
        const filter = { ...recentDays, by: 'sold', publicationId }
        expect((await listOrders(ctx(), filter)).total).toBe(n.recent)
        const inDays = await ledgerTotals(ctx(), filter)
        const all = await ledgerTotals(ctx(), { publicationId })
        expect(currencies.reduce((sum, currency) => sum + all[currency].orders, 0)).toBe(n.overall)
        for (const currency of currencies) {
          const amountOf = (sums: typeof recent) => sums.find((sum) => sum.currency === currency)?.amount ?? 0
          expect([currency, amountOf(recent)]).toEqual([currency, inDays[currency].net])
          expect([currency, amountOf(overall)]).toEqual([currency, all[currency].net])
        }
      }
    },
  )

  it('counts who expires next as the dashboard does, and what they paid', async () => {
    const { periods, first: named } = await expiringByValue(ctx(), {})
    const { expiringSoon } = await subscriberFigures(ctx(), {})
    expect(periods[0]?.readers).toBe(expiringSoon)
    expect(periods.map(({ until }) => until)).toEqual(['2026-12-21', '2027-01-20', '2027-02-19'])
    expect(named.length).toBeGreaterThan(0)
    expect(named.map(({ value }) => value)).toEqual(named.map(({ value }) => value).toSorted((a, b) => b - a))
    const { readers, paid } = periods[0] as (typeof periods)[number]
    expect(paid[0]?.readers).toBeLessThanOrEqual(readers)
  })

  it('forecasts the copies of each month from the readers current at its end', async () => {
    const { titles } = await printForecast(ctx(), { publicationId: firstTitle })
    const months = titles[0]?.months ?? []
    expect(months.map(({ month }) => month)).toEqual(['2026-11', '2026-12', '2027-01', '2027-02', '2027-03', '2027-04'])
    for (const { month, copies, expected } of months) {
      const lastDay = addDays(`${month < '2026-12' ? '2026-12' : addDays(`${month}-28`, 5).slice(0, 7)}-01`, -1)
      const [row] = await services.db.query<{ n: number }>(
        `SELECT COUNT(*) AS n FROM readers WHERE publication_id = :first AND sub_type IN ('print', 'bundle') AND NOT is_deleted
           AND sub_start_on <= :lastDay AND sub_end_on >= :lastDay`,
        { first: firstTitle, lastDay },
      )
      expect([month, copies]).toEqual([month, Number(row?.n)])
      expect(expected).toBeGreaterThanOrEqual(copies)
    }
  })
})

it('reads the renewal cohorts once for all parts of a growth page', async () => {
  let queryCount = 0
  const ctx = services.as(publisher)
  const query: typeof ctx.db.query = (sql, values) => {
    if (sql.includes('COUNT(renewed_after)')) queryCount++
    return ctx.db.query(sql, values)
  }
  const countingCtx = { ...ctx, db: { ...ctx.db, query } }
  for (const page of [1, 2]) {
    await Promise.all(growthPartNames.map((part) => growthPart(countingCtx, { part })))
    expect(queryCount).toBe(page)
  }
})
