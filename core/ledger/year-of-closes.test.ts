import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import type { AppContext } from '#core/context.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { isAppError } from '#core/kernel/errors.ts'
import type { Currency } from '#core/kernel/money.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { actorOf } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { closeMonth, reopenMonth } from './close-month.ts'
import { enterReversal, enterUndone, isRevenue, LedgerEntries } from './ledger-entries.rows.ts'
import { addMonthsTo, firstDayOf, lastDayOf, type Month, monthOf, monthsFrom } from './months.rules.ts'
import { ledgerSchedule, type ScheduleRow } from './schedule.query.ts'
import { closedMonthDifferences } from './verify-closed-months.ts'

/** A year of sales, refunds, disputes and late events, each month closed some days after its end. */

const first = '2026-01'
const last = '2026-12'

interface LedgerEvent {
  day: string
  run(ctx: AppContext, staff: AppContext): Promise<void>
}

const sale = fc.record({
  shop: fc.nat(1),
  plan: fc.constantFrom(
    { plan: '1PN29.99' },
    { plan: '1PN39.99', country: 'DE' },
    { plan: '1BN39.99' },
    { plan: '1PN29.99' },
  ),
  day: fc.nat(364).map((days) => addDays(firstDayOf(first), days)),
  outcome: fc.constantFrom('nothing', 'amount', 'months', 'whole', 'dispute', 'won'),
  after: fc.nat(150),
  share: fc.integer({ min: 1, max: 100 }),
  /** Reported this many days after it happened, with the clock of the day it happened: the month may have been closed meanwhile. */
  late: fc.constantFrom(0, 0, 8, 40),
})

let services: TestServices

it('rolls forward from close to close: frozen figures equal recomputed ones, to the penny', async () => {
  services = await openTestServices()
  services.clock.now = new Date('2025-12-31T10:00:00Z')
  const shop = await makeShop(services, { publicationName: 'Gardener' })
  const secondShop = await makeShop(services, { publicationName: 'Angler' })
  await services.db.run(`UPDATE publications SET publisher_id = :to WHERE id = :id`, {
    to: shop.publisherId,
    id: secondShop.id,
  })
  const publisher = await actorOf(services, 'publisher', shop.publisherId)
  const staff = () => services.as(publisher)
  const reported: { on: string; event: LedgerEvent }[] = []
  const samples = fc.sample(sale, { numRuns: 24, seed: 20261231 })
  for (const sample of samples) eventsOf(sample, [shop, secondShop], reported)
  reported.sort((a, b) => (a.on < b.on ? -1 : 1))

  let nextToClose = first
  for (let day = firstDayOf(first); day <= '2027-01-31'; day = addDays(day, 1)) {
    for (const { on, event } of reported)
      if (on === day) await event.run(visitorOn(event.day), asOf(publisher, event.day))
    // A month is closed on the 6th of the next one.
    if (day.endsWith('-06') && nextToClose < monthOf(day)) {
      services.clock.now = noon(day)
      const { rows: before } = await ledgerSchedule(staff(), { from: nextToClose, until: nextToClose })
      await closeMonth(staff(), { month: nextToClose })
      if (nextToClose === '2026-06') {
        await reopenMonth(staff(), { month: nextToClose, reason: 'To look at it' })
        await closeMonth(staff(), { month: nextToClose })
      }
      const { rows: after } = await ledgerSchedule(staff(), { from: nextToClose, until: nextToClose })
      expect(after.map(figures)).toEqual(before.map(figures))
      nextToClose = addMonthsTo(nextToClose, 1)
    }
  }
  services.clock.now = noon('2027-01-31')
  expect(nextToClose).toBe('2027-01')
  expect(await closedMonthDifferences(services)).toEqual([])
  const { rows } = await ledgerSchedule(staff(), { from: first, until: '2027-01' })
  const entries = await LedgerEntries.rows(services, `SELECT ${LedgerEntries.columns()} FROM ledger_entries`)
  expect(entries.filter(({ occurredOn }) => occurredOn !== null).length).toBeGreaterThan(3)
  for (const { occurredOn, enteredOn } of entries)
    if (occurredOn !== null) expect(enteredOn.endsWith('-01') && occurredOn < enteredOn).toBe(true)
  for (const key of new Set(rows.map(keyOf))) expectRollsForward(rows.filter((row) => keyOf(row) === key))
  for (const currency of ['GBP', 'EUR'] as Currency[]) {
    const net = entries
      .filter((entry) => isRevenue(entry) && entry.currency === currency && entry.enteredOn <= lastDayOf('2027-01'))
      .reduce((sum, { amount }) => sum + amount, 0)
    const ofCurrency = rows.filter((row) => row.currency === currency)
    const earned = ofCurrency.reduce((sum, row) => sum + row.earned, 0)
    const owed = ofCurrency.filter(({ month }) => month === '2027-01').reduce((sum, row) => sum + row.closing, 0)
    expect(net, currency).toBeGreaterThan(0)
    expect(earned + owed, currency).toBe(net)
  }
})

const noon = (day: string) => new Date(`${day}T10:00:00Z`)
/** A visitor, or staff, whose clock is set to a day. */
const asOf = (actor: Actor, day: string): AppContext => ({ ...services.as(actor), now: () => noon(day) })
const visitorOn = (day: string) => asOf(visitor, day)
const figures = ({ closedOn: _, closedBy: __, ...row }: ScheduleRow) => row
const keyOf = ({ currency, publicationId, product }: ScheduleRow) => `${currency} ${publicationId} ${product}`

function expectRollsForward(rows: readonly ScheduleRow[]): void {
  let opening = 0
  for (const month of monthsFrom(first, '2027-01')) {
    const row = rows.find((candidate) => candidate.month === month)
    expect(row?.opening ?? 0, month).toBe(opening)
    if (row) expect(row.opening + row.sold - row.refunded - row.earned, month).toBe(row.closing)
    if (row) expect(row.closedOn !== null, month).toBe(isClosed(month))
    opening = row?.closing ?? 0
  }
}

const isClosed = (month: Month) => month <= last

/** The sale and its later events, with the days on which they are reported. */
function eventsOf(
  sample: typeof sale extends fc.Arbitrary<infer Sale> ? Sale : never,
  shops: Awaited<ReturnType<typeof makeShop>>[],
  reported: { on: string; event: LedgerEvent }[],
): void {
  let order: { orderId: number; amount: number } | undefined
  const buy: LedgerEvent = {
    day: sample.day,
    async run(ctx) {
      const shop = shops[sample.shop] as (typeof shops)[number]
      order = await placeOrder(ctx, orderForm(shop, sample.plan))
    },
  }
  reported.push({ on: addDays(sample.day, sample.late), event: buy })
  if (sample.outcome === 'nothing') return
  const day = addDays(sample.day, sample.late + sample.after)
  const reversal: LedgerEvent = {
    day,
    async run(_, staff) {
      const { orderId, amount } = order as NonNullable<typeof order>
      const cause = 'dispute:1'
      if (sample.outcome === 'dispute' || sample.outcome === 'won') {
        await services.db.transaction(async () => {
          await enterReversal(staff, { orderId, kind: 'dispute', cause, amount, today: day })
          if (sample.outcome === 'won')
            await enterUndone(staff, { orderId, kind: 'dispute', cause, by: 'dispute-won', today: day })
        })
        return
      }
      const input =
        sample.outcome === 'amount' ? { amount: (Math.ceil((amount * sample.share) / 100) / 100).toFixed(2) } : {}
      await refundOrder(staff, { id: orderId, scope: sample.outcome, ...input }).catch((error: unknown) => {
        // Refused once all remaining months have begun.
        if (!isAppError(error) || error.kind !== 'invalid') throw error
      })
    },
  }
  reported.push({ on: addDays(day, sample.late), event: reversal })
}
