import { beforeEach, describe, expect, it } from 'vitest'
import { type Actor, visitor } from '#core/access/actor.ts'
import { monthlyPack } from '#core/analytics/monthly-pack.query.ts'
import type { AppContext } from '#core/context.ts'
import { bodyOf } from '#core/emails/email-bodies.rows.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { deferred } from '#tests/support/deferred.ts'
import { mailSender } from '#tests/support/emails.ts'
import { actorOf, makePublication, operator } from '#tests/support/factories.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { untilBlocked } from '#tests/support/while-locked.ts'
import { removePublication } from '../publications/remove-publication.ts'
import { closeMonth, reopenMonth } from './close-month.ts'
import { exportOrders } from './export-orders.ts'
import { exportSchedule } from './export-schedule.ts'
import { getMonthCloses } from './get-month-closes.query.ts'
import { closesOf } from './ledger-closes.rows.ts'
import { enter, LedgerEntries } from './ledger-entries.rows.ts'
import { makeJournal } from './make-journal.ts'
import { ledgerSchedule } from './schedule.query.ts'
import { setPackEmails } from './set-pack-emails.ts'
import { closedMonthDifferences } from './verify-closed-months.ts'
import { verifyLedger } from './verify-ledger.ts'

let services: TestServices
let shop: Awaited<ReturnType<typeof makeShop>>
let publisher: Actor

const ctx = () => services.as(publisher)
/** A context whose clock is set to another day, independent of the others. */
const contextOn = (day: string, actor: Actor = publisher): AppContext => ({
  ...services.as(actor),
  now: () => new Date(`${day}T10:00:00Z`),
})
const buy = (day: string) => placeOrder(contextOn(day, visitor), orderForm(shop))
const entries = (orderId: number) =>
  LedgerEntries.rows(
    services,
    `SELECT ${LedgerEntries.columns()} FROM ledger_entries WHERE order_id = :orderId ORDER BY id`,
    { orderId },
  )
const schedule = async (month: string) => (await ledgerSchedule(ctx(), { from: month, until: month })).rows
const close = (month: string) => closeMonth(ctx(), { month })

services = await openTestServices()

beforeEach(async () => {
  services.clock.setDay('2026-01-05')
  shop = await makeShop(services, { publicationName: 'Gardener' })
  publisher = await actorOf(services, 'publisher', shop.publisherId)
})

describe('closing a month', () => {
  it('closes months that are over, in order, once', async () => {
    await buy('2026-01-05')
    services.clock.setDay('2026-03-10')
    await expect(close('2026-03')).rejects.toMatchObject({ fields: { month: expect.stringContaining('not over') } })
    await expect(close('2025-12')).rejects.toMatchObject({ kind: 'invalid' })
    expect(await close('2026-01')).toMatchObject({ isNew: true })
    // Requested twice, and by two callers concurrently.
    expect(await close('2026-01')).toMatchObject({ isNew: false })
    const results = await Promise.all([close('2026-02'), close('2026-02')])
    expect(results.map(({ isNew }) => isNew).sort()).toEqual([false, true])
    const { months, closable, reopenable } = await getMonthCloses(ctx(), {})
    expect(months.map(({ month, state }) => [month, state])).toEqual([
      ['2026-03', 'running'],
      ['2026-02', 'closed'],
      ['2026-01', 'closed'],
    ])
    expect([closable, reopenable]).toEqual([[], '2026-02'])
    expect(months.every(({ closes }) => closes.length === (closes[0] ? 1 : 0))).toBe(true)
    const audit = await services.db.query<{ action: string }>(
      `SELECT action FROM audit_log WHERE publisher_id = :id AND action = 'close-month'`,
      { id: shop.publisherId },
    )
    expect(audit).toHaveLength(2)
  })

  it('may begin with a later month, and locks those before it', async () => {
    await buy('2026-01-05')
    services.clock.setDay('2026-04-02')
    await close('2026-02')
    const { months } = await getMonthCloses(ctx(), {})
    expect(months.map(({ state }) => state)).toEqual(['running', 'open', 'closed', 'before'])
    const { orderId } = await buy('2026-01-20')
    expect((await entries(orderId))[0]).toMatchObject({ enteredOn: '2026-03-01', occurredOn: '2026-01-20' })
  })

  it('freezes the figures of page, file and journal, and shows who closed it', async () => {
    await buy('2026-01-05')
    services.clock.setDay('2026-02-02')
    const [before] = await schedule('2026-01')
    await close('2026-01')
    // A direct write to the database bypasses the program.
    await services.db.run(`UPDATE ledger_entries SET amount = amount + 1200 WHERE publisher_id = :id`, {
      id: shop.publisherId,
    })
    const [frozen] = await schedule('2026-01')
    expect(frozen).toEqual({ ...before, closedOn: '2026-02-02', closedBy: expect.stringContaining('Tester') })
    const { chunks } = await exportSchedule(ctx(), { from: '2026-01', until: '2026-02' })
    const text = await textOf(chunks)
    const [header = '', january = '', february = ''] = text.split('\r\n')
    expect(header).toMatch(/,Closed on,Closed by$/)
    expect(january).toMatch(/^2026-01,.*,02\/02\/2026,/)
    expect(february).toMatch(/^2026-02,.*,,$/)
    const { closed, journals } = await makeJournal(ctx(), { month: '2026-01' })
    expect(closed).toEqual({ on: '2026-02-02', by: frozen?.closedBy })
    expect(journals[0]?.lines.find(({ description }) => description === 'Print earned')?.amount ?? 0).toBe(
      frozen?.earned,
    )
    const differences = await closedMonthDifferences(services, { publisherId: shop.publisherId })
    expect(differences.map(({ month, figure, frozen, recomputed }) => [month, figure, recomputed - frozen])).toEqual([
      ['2026-01', 'sold', 1200],
      ['2026-01', 'closing', 1200],
    ])
    expect(await closedMonthDifferences(services, { publisherId: -1 })).toEqual([])
    // A repair changes the stored totals; a frozen figure changes when its month is closed again.
    const verified = { closedDifferent: 2, closedMonths: differences }
    expect(await verifyLedger(ctx(), { repair: true })).toMatchObject({ ...verified, isRepaired: true })
    expect(await verifyLedger(ctx(), {})).toMatchObject({ ...verified, different: 0 })
    const { isNew, rows } = await close('2026-01')
    expect([isNew, rows[0]?.closing]).toEqual([false, before?.closing])
    await reopenMonth(ctx(), { month: '2026-01', reason: 'An amount was wrong' })
    await close('2026-01')
    expect(await verifyLedger(ctx(), {})).toMatchObject({ closedDifferent: 0, different: 0 })
  })

  it('is restricted to the publisher’s own months and to users with permission', async () => {
    await buy('2026-01-05')
    services.clock.setDay('2026-02-02')
    await expect(closeMonth(services.as(operator), { month: '2026-01' })).rejects.toMatchObject({ kind: 'conflict' })
    const mailer = await actorOf(services, 'mailer', shop.publisherId)
    await expect(closeMonth(services.as(mailer), { month: '2026-01' })).rejects.toMatchObject({ kind: 'denied' })
    await close('2026-01')
    const pubadmin = services.as(await actorOf(services, 'pubadmin', shop.publisherId))
    await expect(reopenMonth(pubadmin, { month: '2026-01', reason: 'A mistake' })).rejects.toMatchObject({
      kind: 'denied',
    })
    const otherShop = await makeShop(services)
    const { orderId } = await placeOrder(contextOn('2026-01-20', visitor), orderForm(otherShop))
    expect((await entries(orderId))[0]).toMatchObject({ enteredOn: '2026-01-20', occurredOn: null })
  })
})

describe('a late entry for a closed month', () => {
  it('is entered on the first open day with its actual day next to it, shown on the order', async () => {
    const { orderId } = await buy('2026-01-05')
    services.clock.setDay('2026-02-03')
    await close('2026-01')
    const before = await schedule('2026-01')
    const late = await buy('2026-01-31')
    await refundOrder(contextOn('2026-01-31'), { id: orderId, scope: 'amount', amount: '10.00' })
    expect((await entries(late.orderId))[0]).toMatchObject({ enteredOn: '2026-02-01', occurredOn: '2026-01-31' })
    expect((await entries(orderId))[1]).toMatchObject({ enteredOn: '2026-02-01', occurredOn: '2026-01-31' })
    expect(await schedule('2026-01')).toEqual(before)
    expect(await closedMonthDifferences(services, { publisherId: shop.publisherId })).toEqual([])
    const [february] = await schedule('2026-02')
    expect(february).toMatchObject({ opening: before[0]?.closing, sold: 2999, refunded: 1000 })
    const { timeline } = await getOrder(ctx(), { id: orderId })
    expect(timeline.map(({ what }) => what)).toContain('Entered in the ledger on 01/02/2026')

    // The file of all orders shows the late entry of each, and nothing for an order that was not entered yet on the "as of" day.
    await buy('2026-02-03')
    const lateOf = async (asOf: string) => {
      const text = await textOf((await exportOrders(ctx(), { asOf })).chunks)
      return text
        .trimEnd()
        .split('\r\n')
        .slice(1)
        .map((line) => line.split(',').at(-1))
        .sort()
    }
    const lateText = '31/01/2026 entered on 01/02/2026'
    expect(await lateOf('2026-02-03')).toEqual(['', lateText, lateText])
    expect(await lateOf('2026-01-31')).toEqual([''])
  })

  it('of a whole refund is made once, even when the clock is set back into the month', async () => {
    const { orderId } = await buy('2026-01-05')
    services.clock.setDay('2026-02-03')
    await close('2026-01')
    const contextInJanuary = contextOn('2026-01-31')
    await refundOrder(contextInJanuary, { id: orderId, scope: 'whole' })
    await expect(refundOrder(contextInJanuary, { id: orderId, scope: 'whole' })).rejects.toMatchObject({
      kind: 'conflict',
    })
  })

  it('never enters the month while it is being closed', async () => {
    await buy('2026-01-05')
    services.clock.setDay('2026-02-01')
    const entered = deferred()
    const commit = deferred()
    // An order that has entered its sale and has not committed: the close waits for it.
    const openTransaction = services.db.transaction(async () => {
      await enter(ctx(), [
        {
          publisherId: shop.publisherId,
          publicationId: shop.id,
          orderId: (await newestOrder()).id,
          kind: 'write-off',
          cause: 'slow',
          enteredOn: '2026-01-31',
          currency: 'GBP',
          amount: -100,
          product: 'print',
        },
      ])
      entered.resolve()
      await commit.promise
    })
    await entered.promise
    const closing = close('2026-01')
    // SQLite runs one transaction after the other.
    if (services.db.dialect === 'postgres') await untilBlocked(services, 1)
    const purchases = Array.from({ length: 6 }, () => buy('2026-01-31'))
    commit.resolve()
    await openTransaction
    await closing
    const bought = await Promise.all(purchases)
    expect(await closedMonthDifferences(services, { publisherId: shop.publisherId })).toEqual([])
    expect(await schedule('2026-01')).toMatchObject([{ refunded: 100 }])
    for (const { orderId } of bought) {
      const [sale] = await entries(orderId)
      expect(['2026-01-31', '2026-02-01']).toContain(sale?.enteredOn)
    }
  })
})

const newestOrder = async () =>
  (
    await services.db.query<{ id: number }>(`SELECT MAX(id) AS id FROM orders WHERE publication_id = :id`, {
      id: shop.id,
    })
  )[0] as { id: number }

describe('reopening', () => {
  it('is for the last closed month, with a reason, and keeps a record', async () => {
    await buy('2026-01-05')
    services.clock.setDay('2026-03-02')
    await close('2026-01')
    await close('2026-02')
    const reopen = (month: string, reason = 'The refund was of January') => reopenMonth(ctx(), { month, reason })
    await expect(reopen('2026-01')).rejects.toMatchObject({ kind: 'conflict' })
    await expect(reopen('2026-02', ' ')).rejects.toMatchObject({ fields: { reason: expect.any(String) } })
    expect(await reopen('2026-02')).toMatchObject({ isNew: true })
    expect(await reopen('2026-02')).toMatchObject({ isNew: false })
    const { orderId } = await buy('2026-02-20')
    expect((await entries(orderId))[0]).toMatchObject({ enteredOn: '2026-02-20', occurredOn: null })
    expect((await buy('2026-01-20').then(({ orderId: id }) => entries(id)))[0]?.enteredOn).toBe('2026-02-01')
    await close('2026-02')
    const { months } = await getMonthCloses(ctx(), {})
    expect(months.find(({ month }) => month === '2026-02')).toMatchObject({
      state: 'closed',
      closes: [{ reopenReason: 'The refund was of January', reopenedAt: expect.any(Date) }, { reopenedAt: null }],
    })
    await reopen('2026-02')
    await reopen('2026-01')
    expect((await getMonthCloses(ctx(), {})).closable).toEqual(['2026-01', '2026-02'])
    await expect(reopen('2025-01')).rejects.toMatchObject({ kind: 'conflict' })
    const audit = await services.db.query<{ facts: unknown }>(
      `SELECT facts FROM audit_log WHERE publisher_id = :id AND action = 'reopen-month' ORDER BY id`,
      { id: shop.publisherId },
    )
    expect(audit).toHaveLength(3)
    expect(JSON.stringify(audit[0]?.facts)).toContain('The refund was of January')
  })
})

describe('the checklist and the pack', () => {
  it('lists what is open, and emails the pack of each close once to the named recipients', async () => {
    const { orderId } = await buy('2026-01-05')
    await services.db.run(`UPDATE orders SET state = 'pending' WHERE id = :orderId`, { orderId })
    services.clock.setDay(addDays('2026-01-31', 1))
    const { checks } = await getMonthCloses(ctx(), {})
    expect(checks.map(({ name, found }) => [name, found])).toEqual([
      ['pending-orders', 1],
      ['open-refunds', 0],
      ['open-disputes', 0],
      ['vat-not-set', 1],
      ['unreconciled-payouts', 0],
    ])
    expect(checks[0]?.examples).toEqual([{ label: expect.any(String), to: `/orderDetails/${orderId}` }])
    await expect(setPackEmails(ctx(), { emails: 'ann@example.com, nobody' })).rejects.toMatchObject({
      fields: { emails: 'Not an email address: nobody' },
    })
    const tooManyEmails = Array.from({ length: 11 }, (_, index) => `a${index}@example.com`).join('\n')
    await expect(setPackEmails(ctx(), { emails: tooManyEmails })).rejects.toMatchObject({ kind: 'invalid' })
    await setPackEmails(ctx(), { emails: 'ann@example.com\nANN@example.com, bob@example.com' })
    await close('2026-01')
    await close('2026-01')
    const jobs = () =>
      services.db.query(`SELECT id FROM jobs WHERE publisher_id = :id AND dedupe_key LIKE 'monthly-pack:%'`, {
        id: shop.publisherId,
      })
    expect(await jobs()).toHaveLength(2)
    const send = mailSender('monthly-pack')
    const [closed] = await closesOf(services, shop.publisherId)
    for (const index of [0, 1])
      expect(await send(services.as({ kind: 'system' }), { closeId: closed?.id, index })).toBe(true)
    expect(await send(services.as({ kind: 'system' }), { closeId: closed?.id, index: 0 })).toBe(false)
    const emails = await services.db.query<{ to_address: string; subject: string }>(
      `SELECT to_address, subject FROM emails WHERE template = 'monthly-pack' ORDER BY id`,
    )
    expect(emails.map(({ to_address: to }) => to)).toEqual(['ANN@example.com', 'bob@example.com'])
    expect(emails[0]?.subject).toContain('January 2026')
    await reopenMonth(ctx(), { month: '2026-01', reason: 'A mistake' })
    await close('2026-01')
    expect(await jobs()).toHaveLength(4)
    // The figures of a close that was undone are no longer emailed.
    const [undone] = await closesOf(services, shop.publisherId)
    await services.db.run(`DELETE FROM emails`)
    expect(await send(services.as({ kind: 'system' }), { closeId: undone?.id, index: 1 })).toBe(false)
  })

  it('emails the figures of removed titles that are in the closed month, and of no other removed one', async () => {
    await buy('2026-01-05')
    for (const publicationName of ['Unsold', 'Beekeeper']) {
      const { id } = await makePublication(services, { publisherId: shop.publisherId, publicationName })
      if (publicationName === 'Unsold') await removePublication(ctx(), { id })
    }
    await removePublication(ctx(), { id: shop.id })
    services.clock.setDay('2026-02-01')
    await setPackEmails(ctx(), { emails: 'ann@example.com' })
    await close('2026-01')
    const [closed] = await closesOf(services, shop.publisherId)
    const [frozen] = await schedule('2026-01')
    expect(await mailSender('monthly-pack')(services.as({ kind: 'system' }), { closeId: closed?.id, index: 0 })).toBe(
      true,
    )
    const [mail] = await services.db.query<{ id: number }>(`SELECT id FROM emails ORDER BY id DESC LIMIT 1`)
    const { text = '' } = (await bodyOf(services, mail?.id ?? 0)) ?? {}
    expect(text).toContain(`pack?month=2026-01&publication=${shop.id}`)
    expect(text).toContain(formatMoney({ amount: frozen?.closing ?? 0, currency: 'GBP' }))
    expect(text).toContain('Beekeeper')
    expect(text).not.toContain('Unsold')
    expect(await monthlyPack(ctx(), { publicationId: shop.id, month: '2026-01' })).toMatchObject({
      publicationName: 'Gardener',
      money: [frozen],
      circulation: { title: 'Gardener' },
    })
  })
})
