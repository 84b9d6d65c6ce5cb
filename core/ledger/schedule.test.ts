import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { actorOf, operator } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { addDays, addMonths } from '../kernel/calendar.ts'
import { placeOrder } from '../orders/place-order.ts'
import { products, termLengths } from '../pricing/plan-code.rules.ts'
import { listJournalAccounts, setJournalAccounts } from './journal-accounts.ts'
import { LedgerEntries } from './ledger-entries.rows.ts'
import { type Earning, fulfilledAndLiability } from './liability.rules.ts'
import { makeJournal } from './make-journal.ts'
import { lastDayOf, monthOf, nextMonth } from './months.rules.ts'
import { orderBalanceOf, refundParts } from './refund-allocation.rules.ts'
import { ledgerSchedule } from './schedule.query.ts'
import { rebuildStoredTotals } from './verify-ledger.ts'

let services: TestServices
let publisher: Actor
let publisherId = 0
let publicationId = 0

interface Entry extends Earning {
  kind: 'sale' | 'refund'
  product: string | null
  enteredOn: string
  vat: number
}
const entries: Entry[] = []

/** Sales of every length on any day of two years, back issues, and refunds of some. */
const sale = fc.record({
  amount: fc.integer({ min: 1, max: 20_000 }),
  day: fc.nat(750).map((days) => addDays('2024-01-01', days)),
  termMonths: fc.constantFrom(...termLengths, null),
  product: fc.constantFrom(...products),
  vatShare: fc.constantFrom(0, 0.05, 1 / 6),
  refund: fc.option(fc.record({ after: fc.nat(200), part: fc.integer({ min: 1, max: 100 }) })),
})

beforeAll(async () => {
  services = await openTestServices()
  services.clock.now = new Date('2023-12-31T10:00:00Z')
  const shop = await makeShop(services)
  publisher = await actorOf(services, 'publisher', shop.publisherId)
  publisherId = shop.publisherId
  publicationId = shop.id
  await placeOrder(services.as(visitor), orderForm(shop))
  const otherShop = await makeShop(services)
  await placeOrder(services.as(visitor), orderForm(otherShop))
  const [firstEntry] = await services.db.query<{ order_id: number }>(
    `SELECT order_id FROM ledger_entries WHERE publication_id = :publicationId`,
    { publicationId },
  )
  const orderId = firstEntry?.order_id ?? 0
  await services.db.run(`DELETE FROM ledger_entries WHERE order_id = :orderId`, { orderId })
  for (const sample of fc.sample(sale, { numRuns: 80, seed: 20261122 })) {
    const { amount, day, termMonths } = sample
    const product = termMonths === null ? null : sample.product
    const endOn = termMonths === null ? null : addDays(addMonths(day, termMonths), -1)
    const sold = { amount, serviceStartOn: termMonths === null ? null : day, serviceEndOn: endOn, termMonths }
    const vatIn = (part: Earning) => Math.round(part.amount * sample.vatShare)
    entries.push({ ...sold, kind: 'sale', product, enteredOn: day, vat: vatIn(sold) })
    if (!sample.refund) continue
    const refundedOn = addDays(day, sample.refund.after)
    for (const part of refundParts(orderBalanceOf([sold], refundedOn), Math.ceil((amount * sample.refund.part) / 100)))
      entries.push({ ...part, kind: 'refund', product, enteredOn: refundedOn, vat: vatIn(part) })
  }
  for (const [index, entry] of entries.entries())
    await LedgerEntries.insert(services, {
      ...entry,
      publisherId,
      publicationId,
      orderId,
      currency: 'GBP',
      cause: `test:${index}`,
    })
  await rebuildStoredTotals(services, publisherId)
  services.clock.now = new Date('2025-06-15T10:00:00Z')
})

/** The amount of an entry that is still owed, without VAT: the earned part excludes VAT proportionally, rounded towards zero. */
function owedOf(entry: Entry, on: string): number {
  const { amount, vat } = entry
  return amount - vat - Math.trunc((fulfilledAndLiability(entry, on).fulfilled * (amount - vat)) / amount)
}

describe('the schedule', () => {
  it('rolls forward from month to month, and closes at what the rule gives as owed', async () => {
    const { rows, months } = await ledgerSchedule(services.as(publisher), { from: '2023-12', until: '2027-03' })
    expect(months).toHaveLength(40)
    for (const product of [...products, null]) {
      let opening = 0
      for (const month of months) {
        const row = rows.find((candidate) => candidate.month === month && candidate.product === product)
        const { sold = 0, refunded = 0, earned = 0, closing = 0 } = row ?? {}
        expect(row?.opening ?? 0).toBe(opening)
        expect(opening + sold - refunded - earned).toBe(closing)
        const known = entries.filter((entry) => entry.product === product && entry.enteredOn <= '2025-06-15')
        const isOf = (kind: string) => (entry: Entry) => entry.kind === kind && monthOf(entry.enteredOn) === month
        const sum = (list: Entry[]) => list.reduce((total, { amount, vat }) => total + amount - vat, 0)
        expect(sold).toBe(sum(known.filter(isOf('sale'))))
        expect(refunded).toBe(0 - sum(known.filter(isOf('refund'))))
        const owed = known
          .filter(({ enteredOn }) => enteredOn <= lastDayOf(month))
          .reduce((total, entry) => total + owedOf(entry, lastDayOf(month)), 0)
        expect(closing).toBe(owed)
        opening = closing
      }
      expect(opening).toBe(0)
    }
  })

  it('shows only the publisher’s own publications, and requires valid months', async () => {
    const { rows } = await ledgerSchedule(services.as(publisher), {})
    expect(new Set(rows.map((row) => row.publicationId))).toEqual(new Set([publicationId]))
    expect(rows.at(-1)?.month).toBe('2025-06')
    await expect(ledgerSchedule(services.as(publisher), { from: '2025-02', until: '2025-01' })).rejects.toMatchObject({
      fields: { from: 'Enter a month that is not after 2025-01' },
    })
    for (const month of ['2025-13', 'June', '0000-01'])
      await expect(ledgerSchedule(services.as(publisher), { from: month })).rejects.toMatchObject({ kind: 'invalid' })
  })
})

describe('a journal', () => {
  it('balances in every month, and moves deferred revenue as the schedule does', async () => {
    const { rows, months } = await ledgerSchedule(services.as(publisher), { from: '2024-01', until: '2025-06' })
    for (const month of months) {
      const { journals, isRunning } = await makeJournal(services.as(publisher), { month })
      expect(isRunning).toBe(month === '2025-06')
      const lines = journals.flatMap((journal) => journal.lines)
      expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
      const posted = (account: string) =>
        lines.filter((line) => line.account === account).reduce((sum, { amount }) => sum + amount, 0)
      const total = (part: 'opening' | 'closing' | 'sold' | 'refunded' | 'earned') =>
        rows.filter((row) => row.month === month).reduce((sum, row) => sum + row[part], 0)
      expect(0 - posted('deferred')).toBe(total('closing') - total('opening'))
      expect(0 - posted('sales')).toBe(total('earned'))
      expect(posted('receivable:demo') + posted('vat')).toBe(total('sold') - total('refunded'))
    }
  })

  it('requires the account codes of its layout, and has them in its lines', async () => {
    const month = '2024-05'
    await expect(makeJournal(services.as(publisher), { month, layout: 'xero' })).rejects.toMatchObject({
      fields: { layout: expect.stringContaining('Deferred revenue') },
    })
    await setJournalAccounts(services.as(publisher), {
      codes: { sales: '200', deferred: '850', vat: '820', 'receivable:demo': '610', fees: ' ' },
    })
    expect((await listJournalAccounts(services.as(publisher), {})).filter(({ code }) => code !== '')).toMatchObject([
      { account: 'sales', code: '200' },
      { account: 'deferred', code: '850' },
      { account: 'vat', code: '820' },
      { account: 'receivable:demo', code: '610' },
    ])
    const { files } = await makeJournal(services.as(publisher), { month, layout: 'xero' })
    expect(files.map(({ fileName }) => fileName)).toEqual(['Journal_2024-05_GBP_xero.csv'])
    const [header, ...lines] = files[0]?.text.trimEnd().split('\r\n') ?? []
    expect(header).toMatch(/^\*Narration,\*Date,Description,\*AccountCode,\*TaxRate,\*Amount,/)
    const amounts = lines.map((line) => Number(line.split(',')[5]))
    expect(amounts.some((amount) => amount < 0)).toBe(true)
    expect(Math.round(amounts.reduce((sum, amount) => sum + amount * 100, 0))).toBe(0)
    expect(new Set(lines.map((line) => line.split(',')[1]))).toEqual(new Set(['31/05/2024']))
    await setJournalAccounts(services.as(publisher), { codes: { sales: '' } })
    await expect(makeJournal(services.as(publisher), { month, layout: 'sage' })).rejects.toMatchObject({
      fields: { layout: expect.stringContaining('sales') },
    })
  })

  it('is created for one publisher, for a month that has begun', async () => {
    await expect(makeJournal(services.as(operator), { month: '2024-05' })).rejects.toMatchObject({ kind: 'conflict' })
    await expect(makeJournal(services.as(publisher), { month: nextMonth('2025-06') })).rejects.toMatchObject({
      fields: { month: 'This month has not begun. Choose an earlier month.' },
    })
    const mailer = await actorOf(services, 'mailer', publisherId)
    await expect(makeJournal(services.as(mailer), { month: '2024-05' })).rejects.toMatchObject({ kind: 'denied' })
  })
})
