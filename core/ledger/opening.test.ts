import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { type Day, openEnd, openStart } from '#core/kernel/dates.ts'
import { currencies } from '#core/kernel/money.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { products } from '#core/pricing/plan-code.rules.ts'
import type { ReaderRow } from '#core/readers/readers.rows.ts'
import { actorOf } from '#tests/support/factories.ts'
import { readerFiles } from '#tests/support/reader-files.ts'
import { copyReader, makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { closeMonth, reopenMonth } from './close-month.ts'
import { exportSchedule } from './export-schedule.ts'
import { getMonthCloses } from './get-month-closes.query.ts'
import { ledgerTotals } from './ledger-totals.query.ts'
import { makeJournal } from './make-journal.ts'
import { lastDayOf, monthsFrom } from './months.rules.ts'
import { openingEarning, owedOf, type PaidTerm, wholeMonths } from './opening.rules.ts'
import { ledgerSchedule } from './schedule.query.ts'
import { previewOpeningBalances, takeOverOpeningBalances, undoOpeningBalances } from './take-over-opening-balances.ts'
import { closedMonthDifferences } from './verify-closed-months.ts'

const services = await openTestServices()
const { importInto } = readerFiles(() => services)
let shop: Awaited<ReturnType<typeof makeShop>>
let publisher: Actor
const ctx = () => services.as(publisher)
const addReader = (fields: Partial<ReaderRow>) => makeReader(services, shop.id, fields)
const year = { subStartOn: '2026-04-01', subEndOn: '2027-03-31', subPaid: 2999 }
const takeOver = (on: Day, input: object = {}) =>
  takeOverOpeningBalances(ctx(), { publicationId: shop.id, on, ...input })
const schedule = async (from: string, until: string) => (await ledgerSchedule(ctx(), { from, until })).rows

beforeEach(async () => {
  services.clock.setDay('2026-10-15')
  shop = await makeShop(services, { publicationName: 'Gardener' })
  publisher = await actorOf(services, 'publisher', shop.publisherId)
})

describe('the whole months of a term', () => {
  it.each([
    ['2026-01-01', '2026-12-31', 12],
    // Ends on the day of the month on which it began, as first terms sold here do.
    ['2026-11-22', '2027-11-22', 12],
    ['2024-02-29', '2025-02-28', 12],
    ['2026-01-01', '2026-03-14', 2],
    ['2026-01-01', '2026-03-20', 3],
    ['2026-01-31', '2026-02-27', 1],
    ['2026-01-01', '2026-01-03', 1],
  ])('from %s to %s are %i', (startOn, endOn, months) => expect(wholeMonths({ startOn, endOn })).toBe(months))
})

describe('opening balances', () => {
  const term = fc
    .record({
      paid: fc.integer({ min: 1, max: 9000 }),
      start: fc.nat(900),
      length: fc.constantFrom(29, 89, 180, 364, 365, 400, 729),
      product: fc.constantFrom(...products),
      currency: fc.constantFrom(...currencies),
    })
    .map(({ start, length, ...row }) => {
      const startOn = addDays('2024-06-01', start)
      return { ...row, startOn, endOn: addDays(startOn, length) }
    })

  it('owe on every day what the rule gives for each reader, to the penny', async () => {
    const taken: (PaidTerm & { product: string; currency: string })[] = []
    for (const paidTerm of fc.sample(term, { numRuns: 60, seed: 20261123 })) {
      const { paid, startOn, endOn, product, currency } = paidTerm
      await addReader({ subPaid: paid, subStartOn: startOn, subEndOn: endOn, subType: product, subCurrency: currency })
      if (endOn > '2026-09-10' && owedOf(paidTerm, '2026-09-10') > 0) taken.push(paidTerm)
    }
    const figures = await takeOver('2026-09-10')
    expect(figures.readers).toBe(taken.length)
    const months = monthsFrom('2026-08', '2028-12')
    const rows = await schedule('2026-08', '2028-12')
    for (const currency of currencies)
      for (const product of products) {
        const ofProduct = taken.filter((paidTerm) => paidTerm.currency === currency && paidTerm.product === product)
        const owedOn = (day: Day) =>
          day < '2026-09-10' ? 0 : ofProduct.reduce((sum, paidTerm) => sum + owedOf(paidTerm, day), 0)
        expect(figures.sums.find((sum) => sum.currency === currency && sum.product === product)?.owed ?? 0).toBe(
          owedOn('2026-09-10'),
        )
        let opening = 0
        for (const month of months) {
          const row = rows.find(
            (candidate) =>
              candidate.month === month && candidate.currency === currency && candidate.product === product,
          )
          const { takenOver = 0, sold = 0, refunded = 0, earned = 0, closing = 0 } = row ?? {}
          expect([row?.opening ?? 0, sold, refunded]).toEqual([opening, 0, 0])
          expect(takenOver).toBe(month === '2026-09' ? owedOn('2026-09-10') : 0)
          expect(opening + takenOver - earned).toBe(closing)
          expect(closing, `${month} ${currency} ${product}`).toBe(owedOn(lastDayOf(month)))
          opening = closing
        }
        expect(opening).toBe(0)
      }
    for (const asOf of ['2026-09-09', '2026-09-10', '2026-09-30', '2026-10-14'])
      for (const currency of currencies) {
        const totals = (await ledgerTotals(ctx(), { asOf }))[currency]
        const ofCurrency = taken.filter((paidTerm) => paidTerm.currency === currency)
        const owed = asOf < '2026-09-10' ? 0 : ofCurrency.reduce((sum, paidTerm) => sum + owedOf(paidTerm, asOf), 0)
        // An opening balance has no order: it is separate from the sums of the rows, and not counted as sold.
        expect(totals).toMatchObject({ orders: 0, amount: 0, net: 0, liability: 0, openingLiability: owed })
      }
  })

  it('list what is left out and why', async () => {
    await addReader(year)
    await addReader({ ...year, subPaid: null })
    await addReader({ ...year, subPaid: 0 })
    await addReader({ ...year, isDeleted: true })
    await addReader({ ...year, subType: '' })
    await addReader({ ...year, subEndOn: openEnd })
    await addReader({ ...year, subEndOn: '2026-10-01' })
    await addReader({ ...year, subStartOn: openStart })
    await addReader({ ...year, subStartOn: '2027-04-01' })
    await addReader({ ...year, subStartOn: '2012-04-01' })
    await addReader({ ...year, subStartOn: '2024-04-01' })
    await addReader({ ...year, subStartOn: '2026-12-01' })
    const { orderId } = await placeOrder(services.as(visitor), orderForm(shop))
    expect(orderId).toBeGreaterThan(0)
    const preview = await previewOpeningBalances(ctx(), { publicationId: shop.id, on: '01/10/2026' })
    expect(preview).toMatchObject({
      on: '2026-10-01',
      readers: 3,
      longTerms: 1,
      // Six months of a year; a term of three years with six months to go; a term that has not begun.
      sums: [{ currency: 'GBP', product: 'print', readers: 3, paid: 3 * 2999 }],
      excluded: [
        { reason: 'no-amount', readers: 2, paid: 0 },
        { reason: 'deactivated', readers: 1, paid: 2999 },
        { reason: 'no-product', readers: 1 },
        { reason: 'no-end', readers: 1 },
        { reason: 'ended', readers: 1 },
        { reason: 'no-start', readers: 2 },
        { reason: 'has-order', readers: 1 },
        { reason: 'too-long', readers: 1 },
      ],
    })
    const owed = (subStartOn: Day) => owedOf({ paid: 2999, startOn: subStartOn, endOn: year.subEndOn }, '2026-10-01')
    expect(preview.sums[0]?.owed).toBe(owed('2026-04-01') + owed('2024-04-01') + 2999)
    expect(await schedule('2026-10', '2026-10')).toMatchObject([{ takenOver: 0, sold: 2999 }])
  })

  it('are taken over once, for the readers that the preview counted, and can be undone', async () => {
    await addReader(year)
    await expect(takeOver('2026-09-30', { readers: 2 })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The readers have changed: 1 reader now, 2 before',
    })
    const results = await Promise.allSettled([
      takeOver('2026-09-30', { readers: 1 }),
      takeOver('2026-09-30', { readers: 1 }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    await expect(takeOver('2026-10-01')).rejects.toMatchObject({
      kind: 'conflict',
      message: '"Gardener" already has opening balances, of 30/09/2026',
    })
    await expect(previewOpeningBalances(ctx(), { publicationId: shop.id, on: '2026-10-01' })).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(await undoOpeningBalances(ctx(), { publicationId: shop.id })).toMatchObject({ on: '2026-09-30', readers: 1 })
    expect(await schedule('2026-08', '2026-12')).toEqual([])
    await expect(undoOpeningBalances(ctx(), { publicationId: shop.id })).rejects.toMatchObject({ kind: 'conflict' })
    await takeOver('2026-10-01')
    const audit = await services.db.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE publisher_id = :id AND action IN ('take-opening', 'undo-opening') ORDER BY id`,
      { id: shop.publisherId },
    )
    expect(audit.map(({ action }) => action)).toEqual(['take-opening', 'undo-opening', 'take-opening'])
  })

  it('need a day that is not in the future, and a reader who has paid', async () => {
    const dayProblem = (on: string) => takeOver(on).catch((error: { fields?: { on?: string } }) => error.fields?.on)
    expect(await dayProblem('2026-10-16')).toBe('Choose today or a day before it')
    expect(await dayProblem('')).toBe('Enter the day the title moves here, such as 31/12/2026')
    expect(await dayProblem('31/02/2026')).toBe('Enter a day that exists, as DD/MM/YYYY')
    await expect(takeOver('2026-10-01')).rejects.toMatchObject({
      kind: 'conflict',
      message: 'No reader of "Gardener" has paid for a term that runs past 01/10/2026',
    })
    // The refused take-over has stored nothing.
    await addReader(year)
    await takeOver('2026-10-01')
  })

  it('are unchanged when the readers are replaced, and cannot be refunded', async () => {
    await importInto(
      shop,
      'UniqueReference,SubType,SubStart,SubExpiry,SubPaid\nA1,print,01/04/2026,31/03/2027,29.99\n',
      'add',
    )
    expect((await takeOver('2026-09-30')).sums).toMatchObject([{ owed: 2999 - 6 * 249 }])
    const before = await schedule('2026-09', '2027-04')
    await importInto(
      shop,
      'UniqueReference,SubType,SubStart,SubExpiry,SubPaid\nB1,digital,01/10/2026,30/09/2027,99.00\n',
      'replace',
    )
    expect(await schedule('2026-09', '2027-04')).toEqual(before)
    const ordersAndEntries = await services.db.query(
      `SELECT id FROM orders WHERE publication_id = :id UNION ALL SELECT id FROM ledger_entries WHERE publication_id = :id`,
      { id: shop.id },
    )
    expect(ordersAndEntries).toEqual([])
  })

  it('are frozen with their month, and can then be neither taken over nor undone', async () => {
    await addReader(year)
    await placeOrder(services.as(visitor), orderForm(shop))
    await takeOver('2026-09-30')
    const before = await schedule('2026-09', '2026-09')
    expect(before).toMatchObject([{ opening: 0, takenOver: 1505, sold: 0, earned: 0, closing: 1505 }])
    // Nothing else was entered in that month: it is the first.
    expect((await getMonthCloses(ctx(), {})).closable).toEqual(['2026-09'])
    await closeMonth(ctx(), { month: '2026-09' })
    expect(await schedule('2026-09', '2026-09')).toMatchObject([
      { ...before[0], closedOn: '2026-10-15', closedBy: expect.any(String) },
    ])
    expect(await closedMonthDifferences(services, { publisherId: shop.publisherId })).toEqual([])
    await expect(undoOpeningBalances(ctx(), { publicationId: shop.id })).rejects.toMatchObject({
      kind: 'conflict',
      message: 'The opening balances of 30/09/2026 are in a closed month',
    })
    const otherTitle = await makeShop(services, { publisherId: shop.publisherId })
    await makeReader(services, otherTitle.id, year)
    await expect(
      takeOverOpeningBalances(ctx(), { publicationId: otherTitle.id, on: '2026-09-30' }),
    ).rejects.toMatchObject({
      fields: { on: 'The months up to 30/09/2026 are closed: choose a later day' },
    })
    await takeOverOpeningBalances(ctx(), { publicationId: otherTitle.id, on: '2026-10-01' })
    await reopenMonth(ctx(), { month: '2026-09', reason: 'A wrong file' })
    await undoOpeningBalances(ctx(), { publicationId: shop.id })
    expect(await schedule('2026-09', '2026-09')).toEqual([])
  })

  it('are in the journals: taken over from their own account, then earned', async () => {
    await addReader(year)
    await addReader({ ...year, subType: 'digital', subPaid: 1200 })
    await placeOrder(services.as(visitor), orderForm(shop))
    await takeOver('2026-09-30')
    services.clock.setDay('2026-12-01')
    const [september] = (await makeJournal(ctx(), { month: '2026-09' })).journals
    expect(september?.lines.map(({ account, description, amount }) => [account, description, amount])).toEqual([
      ['opening', 'Digital taken over', 600],
      ['deferred', 'Digital taken over', -600],
      ['opening', 'Print taken over', 1505],
      ['deferred', 'Print taken over', -1505],
    ])
    for (const month of monthsFrom('2026-09', '2026-12')) {
      const lines = (await makeJournal(ctx(), { month })).journals.flatMap((journal) => journal.lines)
      expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      const posted = (account: string) =>
        lines.filter((line) => line.account === account).reduce((sum, { amount }) => sum + amount, 0)
      const rows = await schedule(month, month)
      const total = (part: 'opening' | 'closing' | 'earned' | 'takenOver') =>
        rows.reduce((sum, row) => sum + row[part], 0)
      expect(0 - posted('deferred')).toBe(total('closing') - total('opening'))
      expect(0 - posted('sales')).toBe(total('earned'))
      expect(posted('opening')).toBe(total('takenOver'))
    }
    const { chunks } = await exportSchedule(ctx(), { from: '2026-09', until: '2026-09' })
    const text = await textOf(chunks)
    expect(text).toContain('2026-09,GBP,Gardener,print,0.00,15.05,0.00,0.00,0.00,15.05')
  })

  it('add up thousands of readers correctly', async () => {
    const terms = [
      { ...year, subPaid: 2999 },
      { ...year, subPaid: 3500 },
      { ...year, subStartOn: '2026-07-31', subEndOn: '2027-07-30', subPaid: 1000 },
    ]
    for (const fields of terms) await copyReader(services, await addReader(fields), 1999)
    const { readers, sums } = await takeOver('2026-10-15')
    expect(readers).toBe(6000)
    const owedOn = (day: Day) =>
      terms.reduce(
        (sum, { subPaid, subStartOn, subEndOn }) =>
          sum + 2000 * owedOf({ paid: subPaid, startOn: subStartOn, endOn: subEndOn }, day),
        0,
      )
    expect(sums).toMatchObject([{ owed: owedOn('2026-10-15') }])
    for (const row of await schedule('2026-10', '2027-08')) expect(row.closing).toBe(owedOn(lastDayOf(row.month)))
    const [stored] = await services.db.query<{ terms: number }>(
      `SELECT COUNT(*) AS terms FROM opening_balance_terms t JOIN opening_balances b ON b.id = t.opening_id WHERE b.publication_id = :id`,
      { id: shop.id },
    )
    expect(Number(stored?.terms)).toBe(2)
  })

  it('are for the publisher’s own titles, and for users with permission', async () => {
    await addReader(year)
    const mailer = await actorOf(services, 'mailer', shop.publisherId)
    const stranger = await actorOf(services, 'publisher', (await makeShop(services)).publisherId)
    for (const [actor, kind] of [
      [mailer, 'denied'],
      [stranger, 'notFound'],
    ] as const) {
      const input = { publicationId: shop.id, on: '2026-10-01' }
      await expect(takeOverOpeningBalances(services.as(actor), input)).rejects.toMatchObject({ kind })
      await expect(previewOpeningBalances(services.as(actor), input)).rejects.toMatchObject({ kind })
      await expect(undoOpeningBalances(services.as(actor), input)).rejects.toMatchObject({ kind })
    }
    await takeOver('2026-10-01')
    expect((await ledgerSchedule(services.as(stranger), {})).rows).toEqual([])
    expect((await ledgerTotals(services.as(stranger), {})).GBP.openingLiability).toBe(0)
  })
})

describe('a term that was paid elsewhere', () => {
  it('is earned like one sold here', () => {
    expect(openingEarning({ paid: 2999, startOn: '2026-01-31', endOn: '2027-01-30' })).toEqual({
      amount: 2999,
      serviceStartOn: '2026-01-31',
      serviceEndOn: '2027-01-30',
      termMonths: 12,
      monthlyAmount: 249,
      anchorDay: 31,
    })
  })
})
