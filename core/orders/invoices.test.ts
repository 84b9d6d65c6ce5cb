import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { listOwnOrders } from '#core/buyers/list-own-orders.query.ts'
import type { AppContext } from '#core/context.ts'
import { getInvoiceDocuments, getOwnInvoiceDocuments } from '#core/emails/invoice-documents.query.ts'
import { exportDebtors, listDebtors, listNotStarted } from '#core/invoices/debtors.query.ts'
import { setInvoiceTerms } from '#core/invoices/invoice-terms.ts'
import { getOrderInvoice } from '#core/invoices/order-invoice.query.ts'
import { remindInvoices } from '#core/invoices/remind-invoices.ts'
import { closeMonth } from '#core/ledger/close-month.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { closedMonthDifferences } from '#core/ledger/verify-closed-months.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { setVatExchangeRate, setVatRate, setVatSettings } from '#core/vat/vat-settings.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePromo, system } from '#tests/support/factories.ts'
import { makeShop, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { textOf } from '#tests/support/text-of.ts'
import { cancelUnpaidOrder } from './cancel-unpaid-order.ts'
import { getOrder } from './get-order.query.ts'
import { listOrders } from './list-orders.query.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { refundOrder } from './refund-order.ts'
import { resendReceipt } from './resend-receipt.ts'
import { settlePendingOrders } from './settle-pending-orders.ts'
import { takeStaffOrder } from './take-staff-order.ts'
import { writeOffInvoice } from './write-off-invoice.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

interface Fixture {
  shop: Awaited<ReturnType<typeof makeShop>>
  staff: AppContext
}

async function makeFixture(): Promise<Fixture> {
  services.clock.now = new Date('2026-01-01T10:00:00Z')
  const shop = await makeShop(services)
  return { shop, staff: services.as(await actorOf(services, 'publisher', shop.publisherId)) }
}

/** A year of print for £29.99 from 1 January 2026, on account. */
async function bill({ shop, staff }: Fixture, fields: Record<string, unknown> = {}): Promise<number> {
  const form = {
    publicationId: shop.id,
    plan: '1PN29.99',
    country: 'GB',
    idempotencyKey: randomUUID(),
    method: 'invoice',
    firstName: 'Ann',
    lastName: 'Lee',
    email: `ann-${randomUUID()}@example.test`,
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    ...fields,
  }
  return (await takeStaffOrder(staff, form)).orderId
}

const pay = ({ staff }: Fixture, orderId: number, amount: string, key: string = randomUUID()) =>
  recordInvoicePayment(staff, { orderId, amount, method: 'cheque', key })
const invoiceOf = ({ staff }: Fixture, orderId: number) => getOrderInvoice(staff, { orderId })
const emailsAbout = async (what: string) =>
  (await queuedEmails(services, 'invoice-notice')).filter(({ about }) => about.what === what).map(({ about }) => about)

/** The sums of the ledger's rows, and the totals on its cards. */
async function sums({ staff }: Fixture) {
  const { rows } = await listOrders(staff, { size: 100 })
  const sum = (name: 'amount' | 'refunded' | 'net' | 'fulfilled' | 'liability') =>
    rows.reduce((total, row) => total + (row[name] ?? 0), 0)
  const fromRows = Object.fromEntries(
    (['amount', 'refunded', 'net', 'fulfilled', 'liability'] as const).map((name) => [name, sum(name)]),
  )
  return { fromRows, cards: (await ledgerTotals(staff, {})).GBP }
}

describe('an order on account', () => {
  it('is entered at once as a receivable, with an invoice, and its term begins', async () => {
    const fixture = await makeFixture()
    await setInvoiceTerms(fixture.staff, { dueDays: '14' })
    const id = await bill(fixture)
    expect(await invoiceOf(fixture, id)).toMatchObject({
      number: 'INV-000001',
      state: 'unpaid',
      issuedOn: '2026-01-01',
      dueOn: '2026-01-15',
      outstanding: 2999,
    })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      paymentType: 'Invoice',
      payment: { state: 'invoiced' },
      net: 2999,
      subEndOn: '2027-01-01',
    })
    services.clock.now = new Date('2026-02-03T10:00:00Z')
    const { journals } = await makeJournal(fixture.staff, { month: '2026-01' })
    expect(journals[0]?.lines).toContainEqual(expect.objectContaining({ account: 'receivable:invoice', amount: 2999 }))
    // An unpaid order has no receipt.
    await expect(resendReceipt(fixture.staff, { id, key: 'a-press-of-it' })).rejects.toMatchObject({ kind: 'conflict' })
    expect((await queuedEmails(services, 'order-receipt')).map(({ about }) => about.orderId)).not.toContain(id)
    const [mail] = await emailsAbout('invoice')
    expect(await mailSender('invoice-notice')(services.as(system), mail)).toBe(true)
    const [sent] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(sent?.text).toMatch(/INV-000001[\s\S]*Please pay £29\.99 by 15\/01\/2026/)
  })

  it('gets invoice numbers without gaps, even when two users take orders at once and one fails', async () => {
    const fixture = await makeFixture()
    const failing = services.db.transaction(async () => {
      await bill(fixture)
      throw new Error('the lights went out')
    })
    await expect(failing).rejects.toThrow('the lights went out')
    const ids = await Promise.all(Array.from({ length: 6 }, () => bill(fixture)))
    const numbers = await Promise.all(ids.map(async (id) => (await invoiceOf(fixture, id))?.number ?? ''))
    expect(numbers.toSorted()).toEqual([1, 2, 3, 4, 5, 6].map((number) => `INV-00000${number}`))
    // Each publisher has its own numbers.
    const other = await makeFixture()
    expect(await invoiceOf(other, await bill(other))).toMatchObject({ number: 'INV-000001' })
  })

  it('is paid in parts, each once, and never more than is due, even concurrently', async () => {
    const fixture = await makeFixture()
    const id = await bill(fixture)
    await pay(fixture, id, '10.00', 'cheque-no-1')
    expect(await pay(fixture, id, '10.00', 'cheque-no-1')).toEqual({ outstanding: 1999 })
    expect(await invoiceOf(fixture, id)).toMatchObject({ state: 'part-paid', paid: 1000, payments: [{ amount: 1000 }] })
    await expect(pay(fixture, id, '20.00')).rejects.toMatchObject({
      fields: { amount: 'Enter at most £19.99: that is what is due' },
    })
    await expect(pay(fixture, id, '-1')).rejects.toMatchObject({ kind: 'invalid' })
    const racing = await Promise.allSettled([pay(fixture, id, '15.00'), pay(fixture, id, '15.00')])
    expect(racing.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    await pay(fixture, id, '4.99')
    expect(await invoiceOf(fixture, id)).toMatchObject({ state: 'paid', outstanding: 0 })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({ payment: { state: 'paid' }, net: 2999 })
    await expect(pay(fixture, id, '0.01')).rejects.toMatchObject({ fields: { amount: 'Nothing more is due' } })
  })

  it('is paid on its own day or later, even in a month that is closed, and never before it was issued', async () => {
    const fixture = await makeFixture()
    const id = await bill(fixture)
    services.clock.now = new Date('2026-02-10T10:00:00Z')
    await closeMonth(fixture.staff, { month: '2026-01' })
    const paidOn = (day: string) =>
      recordInvoicePayment(fixture.staff, {
        orderId: id,
        amount: '10.00',
        method: 'cheque',
        paidOn: day,
        key: randomUUID(),
      })
    await expect(paidOn('2025-12-31')).rejects.toMatchObject({
      kind: 'invalid',
      fields: { paidOn: 'Choose 01/01/2026, the day of the invoice, or a later day' },
    })
    expect(await paidOn('2026-01-01')).toEqual({ outstanding: 1999 })
  })

  it('gets each overdue reminder once, and none when it is paid', async () => {
    const fixture = await makeFixture()
    const id = await bill(fixture)
    const paid = await bill(fixture)
    await pay(fixture, paid, '29.99')
    const run = () => remindInvoices(services.as(system), {})
    services.clock.now = new Date('2026-01-31T10:00:00Z')
    await run()
    const invoiceId = (await invoiceOf(fixture, id))?.id
    const reminders = async () => (await emailsAbout('reminder')).filter((about) => about.invoiceId === invoiceId)
    expect(await reminders()).toEqual([])
    services.clock.now = new Date('2026-02-01T10:00:00Z')
    await Promise.all([run(), run()])
    await run()
    expect(await reminders()).toMatchObject([{ step: 1 }])
    // No worker ran for two months: one reminder, not two.
    services.clock.now = new Date('2026-04-01T10:00:00Z')
    await run()
    await run()
    expect(await reminders()).toMatchObject([{ step: 1 }, { step: 3 }])
    expect((await emailsAbout('reminder')).map((about) => about.invoiceId)).not.toContain(
      (await invoiceOf(fixture, paid))?.id,
    )
  })

  it('is listed under aged debtors by currency, on the page and in the file', async () => {
    const fixture = await makeFixture()
    const first = await bill(fixture)
    await pay(fixture, first, '9.99')
    services.clock.now = new Date('2026-03-20T10:00:00Z')
    await bill(fixture)
    await bill(fixture, {
      country: 'US',
      plan: '1PN49.99',
      billing: { addressOne: '1 Quay', city: 'Ely', state: 'NY', postCode: '10001' },
    })
    const { rows, sums } = await listDebtors(fixture.staff, {})
    expect(rows.map(({ orderId, age, outstanding }) => [orderId === first, age, outstanding])).toEqual([
      [true, 'to60', 2000],
      [false, 'current', 2999],
      [false, 'current', 4999],
    ])
    expect(sums).toEqual([
      { currency: 'GBP', current: 2999, to30: 0, to60: 2000, to90: 0, over90: 0, total: 4999 },
      { currency: 'USD', current: 4999, to30: 0, to60: 0, to90: 0, over90: 0, total: 4999 },
    ])
    const text = await textOf((await exportDebtors(fixture.staff, {})).chunks)
    expect(text.trimEnd().split('\n')).toHaveLength(4)
    expect(text).toMatch(/INV-000001,.*,48,31–60 days,GBP,29\.99,20\.00/)
  })
})

describe('an invoice that is not paid', () => {
  it('is written off, the unearned part first, and rows and cards still add up', async () => {
    const fixture = await makeFixture()
    const id = await bill(fixture)
    await bill(fixture)
    await pay(fixture, id, '5.00')
    services.clock.now = new Date('2026-04-20T10:00:00Z')
    await expect(
      writeOffInvoice(fixture.staff, { orderId: id, reason: 'Gone away', expected: 2999 }),
    ).rejects.toMatchObject({ kind: 'conflict' })
    const input = { orderId: id, reason: 'Gone away', expected: 2499, endsSubscription: true }
    const twice = await Promise.allSettled([
      writeOffInvoice(fixture.staff, input),
      writeOffInvoice(fixture.staff, input),
    ])
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await invoiceOf(fixture, id)).toMatchObject({ state: 'written-off', writtenOff: 2499, outstanding: 0 })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      refunded: 2499,
      net: 500,
      fulfilled: 500,
      liability: 0,
      payment: { state: 'written-off' },
      timeline: [
        { what: 'Placed' },
        { what: 'Invoiced' },
        { what: 'Payment of £5.00 entered', detail: 'Cheque of 01/01/2026' },
        { what: 'Written off', detail: '£24.99' },
      ],
    })
    const { fromRows, cards } = await sums(fixture)
    expect(cards).toMatchObject(fromRows)
    expect(fromRows).toMatchObject({ amount: 5998, refunded: 2499, net: 3499 })
    expect((await rowsOf(services, 'readers', fixture.shop.id))[0]).toMatchObject({ sub_end_on: '2026-04-20' })
    expect((await listDebtors(fixture.staff, {})).total).toBe(1)
  })

  it('paid after its write-off is restored in the ledger by that amount, earned months first, in the open month', async () => {
    const fixture = await makeFixture()
    const id = await bill(fixture)
    await pay(fixture, id, '5.00')
    services.clock.now = new Date('2026-04-20T10:00:00Z')
    await writeOffInvoice(fixture.staff, { orderId: id, reason: 'Gone away', expected: 2499 })
    services.clock.now = new Date('2026-06-10T10:00:00Z')
    await closeMonth(fixture.staff, { month: '2026-04' })
    await closeMonth(fixture.staff, { month: '2026-05' })
    await expect(pay(fixture, id, '25.00')).rejects.toMatchObject({
      fields: { amount: 'Enter at most £24.99: that is what was written off' },
    })
    // £2.47 had been earned when it was written off; the rest pays for April, May, June and a part of July.
    await pay(fixture, id, '10.00', 'a-late-cheque')
    expect(await pay(fixture, id, '10.00', 'a-late-cheque')).toEqual({ outstanding: 0 })
    expect(await invoiceOf(fixture, id)).toMatchObject({
      state: 'written-off',
      paid: 1500,
      writtenOff: 1499,
      outstanding: 0,
    })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      refunded: 1499,
      net: 1500,
      fulfilled: 1245,
      liability: 255,
      payment: { state: 'written-off' },
    })
    expect((await listDebtors(fixture.staff, {})).total).toBe(0)
    const racing = await Promise.allSettled([pay(fixture, id, '14.99'), pay(fixture, id, '14.99')])
    expect(racing.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await invoiceOf(fixture, id)).toMatchObject({ state: 'paid', paid: 2999, writtenOff: 0 })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      refunded: 0,
      net: 2999,
      fulfilled: 1245,
      payment: { state: 'paid', reason: '' },
    })
    const { fromRows, cards } = await sums(fixture)
    expect(cards).toMatchObject(fromRows)
    const { journals } = await makeJournal(fixture.staff, { month: '2026-06' })
    expect(journals.flatMap(({ lines }) => lines).reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
    expect(journals[0]?.lines).toContainEqual(expect.objectContaining({ account: 'receivable:invoice', amount: 2499 }))
    expect(await closedMonthDifferences(fixture.staff, { publisherId: fixture.shop.publisherId })).toEqual([])
    expect(await verifyLedger(fixture.staff, {})).toMatchObject({ different: 0 })
  })

  it('is credited by a numbered note when its order is refunded: what is due first, and no money that was never paid', async () => {
    const fixture = await makeFixture()
    const whole = await bill(fixture)
    const part = await bill(fixture)
    await refundOrder(fixture.staff, { id: whole, scope: 'whole', reason: 'Ordered twice' })
    expect(await invoiceOf(fixture, whole)).toMatchObject({
      state: 'credited',
      credited: 2999,
      outstanding: 0,
      creditNotes: [{ number: 'CN-000001', amount: 2999, reason: 'Ordered twice' }],
    })
    expect(await getOrder(fixture.staff, { id: whole })).toMatchObject({ state: 'refunded', net: 0 })
    // £20 is paid: of the £15 refunded, £9.99 was still due and £5.01 is paid back.
    await pay(fixture, part, '20.00')
    await refundOrder(fixture.staff, { id: part, scope: 'amount', amount: '15.00' })
    expect(await invoiceOf(fixture, part)).toMatchObject({
      state: 'paid',
      credited: 999,
      outstanding: 0,
      creditNotes: [{ number: 'CN-000002', amount: 1500 }],
    })
    const [, applied] = await services.db.query<{ applied: number }>(
      `SELECT applied FROM credit_notes WHERE publisher_id = :id ORDER BY number`,
      { id: fixture.shop.publisherId },
    )
    expect(Number(applied?.applied)).toBe(999)
    // Only the credit note is emailed; there is no separate email about the refund.
    const notices = [
      ...(await queuedEmails(services, 'payment-failed')),
      ...(await queuedEmails(services, 'refund-notice')),
    ]
    expect(notices.map(({ about }) => about.orderId)).not.toEqual(expect.arrayContaining([whole]))
    expect(notices.map(({ about }) => about.orderId)).not.toEqual(expect.arrayContaining([part]))
    expect(await emailsAbout('credit-note')).toHaveLength(2)
    const { fromRows, cards } = await sums(fixture)
    expect(cards).toMatchObject(fromRows)
  })

  it('whose written-off part is paid after a refund makes the order paid again, so that this can be refunded too', async () => {
    const fixture = await makeFixture()
    const { staff } = fixture
    const id = await bill(fixture)
    await pay(fixture, id, '10.00')
    await writeOffInvoice(staff, { orderId: id, reason: 'Gone away', expected: 1999 })
    await refundOrder(staff, { id, scope: 'whole' })
    expect(await getOrder(staff, { id })).toMatchObject({ state: 'refunded', net: 0 })
    await pay(fixture, id, '19.99')
    expect(await getOrder(staff, { id })).toMatchObject({ state: 'paid', net: 1999, payment: { state: 'paid' } })
    await refundOrder(staff, { id, scope: 'whole' })
    expect(await getOrder(staff, { id })).toMatchObject({ state: 'refunded', net: 0 })
  })
})

describe('an order that begins when its invoice is paid', () => {
  const billLater = (fixture: Fixture, fields: Record<string, unknown> = {}) =>
    bill(fixture, { begins: 'paid', ...fields })
  const termsOf = ({ shop }: Fixture) =>
    services.db.query('SELECT starts_on, known_on FROM circulation_terms WHERE publication_id = :id', { id: shop.id })

  it('has an invoice and nothing else until then: no reader, no term, no sale, no liability', async () => {
    const fixture = await makeFixture()
    const id = await billLater(fixture)
    expect(await invoiceOf(fixture, id)).toMatchObject({
      number: 'INV-000001',
      state: 'unpaid',
      beginsWhenPaid: true,
      vat: null,
    })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      state: 'pending',
      payment: { state: 'invoiced' },
      subStartOn: null,
      readerId: null,
    })
    expect((await listOrders(fixture.staff, {})).total).toBe(0)
    expect((await ledgerTotals(fixture.staff, {})).GBP).toMatchObject({ orders: 0, net: 0 })
    expect(await rowsOf(services, 'readers', fixture.shop.id)).toEqual([])
    expect(await termsOf(fixture)).toEqual([])
    expect((await listDebtors(fixture.staff, {})).total).toBe(0)
    expect(await listNotStarted(fixture.staff, {})).toMatchObject({
      total: 1,
      rows: [{ orderId: id, outstanding: 2999 }],
    })
    const [document] = await getInvoiceDocuments(fixture.staff, { orderId: id })
    expect(document).toMatchObject({ title: 'Pro forma invoice INV-000001', vat: null })
    expect(document?.facts).toContainEqual({ label: 'Term', value: 'From the payment of this invoice' })
    const [mail] = await emailsAbout('invoice').then((emails) => emails.slice(-1))
    expect(await mailSender('invoice-notice')(services.as(system), mail)).toBe(true)
    const text = (await services.mail.devMailbox?.list(1))?.[0]?.text
    expect(text).toContain('Your subscription begins when £29.99 is paid. Please pay by 31/01/2026.')
    expect(text).not.toContain('/account/orders/')
    // The sweep of unpaid checkouts ignores it.
    services.clock.now = new Date('2026-01-20T10:00:00Z')
    await settlePendingOrders(services.as(system), {})
    expect(await getOrder(fixture.staff, { id })).toMatchObject({ state: 'pending' })
  })

  it('begins on the day it is fully paid, once: sale, VAT, reader, circulation, receipt', async () => {
    const fixture = await makeFixture()
    await setVatSettings(fixture.staff, { isRegistered: true, vatNumber: 'GB123456789' })
    const id = await billLater(fixture)
    services.clock.now = new Date('2026-03-10T10:00:00Z')
    await setVatSettings(fixture.staff, { isRegistered: true, vatNumber: 'GB987654321' })
    await expect(pay(fixture, id, '10.00')).rejects.toMatchObject({
      fields: { amount: 'The subscription begins when the invoice is paid in full: enter £29.99' },
    })
    await expect(pay(fixture, id, '30.00')).rejects.toMatchObject({
      fields: { amount: 'Enter at most £29.99: that is what is due' },
    })
    const twice = await Promise.allSettled([pay(fixture, id, '29.99'), pay(fixture, id, '29.99')])
    expect(twice.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      state: 'paid',
      payment: { state: 'paid' },
      subStartOn: '2026-03-10',
      subEndOn: '2027-03-10',
      net: 2999,
      fulfilled: 0,
      liability: 2999,
      vat: [{ taxPoint: '2026-03-10' }],
    })
    expect(await rowsOf(services, 'readers', fixture.shop.id)).toMatchObject([{ sub_end_on: '2027-03-10' }])
    expect(await termsOf(fixture)).toMatchObject([{ starts_on: '2026-03-10', known_on: '2026-03-10' }])
    const [document] = await getInvoiceDocuments(fixture.staff, { orderId: id })
    expect(document).toMatchObject({ title: 'Invoice INV-000001' })
    expect(document?.facts).toEqual(
      expect.arrayContaining([
        { label: 'Tax point', value: '10/03/2026' },
        { label: 'VAT number', value: 'GB987654321' },
      ]),
    )
    expect((await queuedEmails(services, 'order-receipt')).filter(({ about }) => about.orderId === id)).toHaveLength(1)
    expect(await listNotStarted(fixture.staff, {})).toMatchObject({ total: 0 })
    services.clock.now = new Date('2026-04-02T10:00:00Z')
    const { journals } = await makeJournal(fixture.staff, { month: '2026-03' })
    expect(journals[0]?.lines).toContainEqual(expect.objectContaining({ account: 'receivable:invoice', amount: 2999 }))
    expect((await makeJournal(fixture.staff, { month: '2026-01' })).journals).toEqual([])
    // A refund after that is a normal refund.
    await refundOrder(fixture.staff, { id, scope: 'months' })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({
      refunded: 2750,
      liability: 249,
      subEndOn: '2027-03-10',
    })
    expect(await verifyLedger(fixture.staff, {})).toMatchObject({ different: 0 })
  })

  it('follows a running term, and uses the chosen day if it is still in the future', async () => {
    const fixture = await makeFixture()
    const email = `ann-${randomUUID()}@example.test`
    await bill(fixture, { email })
    const [reader] = await rowsOf(services, 'readers', fixture.shop.id)
    const renewal = await billLater(fixture, { email, readerId: reader?.id })
    const future = await billLater(fixture, { startOn: '2026-09-01' })
    const past = await billLater(fixture, { startOn: '2026-02-01' })
    services.clock.now = new Date('2026-05-05T10:00:00Z')
    for (const id of [renewal, future, past]) await pay(fixture, id, '29.99')
    const termOf = async (id: number) => {
      const { subStartOn, subEndOn } = await getOrder(fixture.staff, { id })
      return [subStartOn, subEndOn]
    }
    expect(await termOf(renewal)).toEqual(['2027-01-02', '2028-01-01'])
    expect(await termOf(future)).toEqual(['2026-09-01', '2027-09-01'])
    expect(await termOf(past)).toEqual(['2026-05-05', '2027-05-05'])
  })

  it('is cancelled when nobody pays: nothing to refund or write off, and its promo code can be used again', async () => {
    const fixture = await makeFixture()
    const promo = await makePromo(services, fixture.shop.id, 'TIDE')
    const id = await billLater(fixture, { promoCode: 'TIDE' })
    const used = async () =>
      (await services.db.query<{ used: number }>('SELECT used FROM promo_codes WHERE id = :id', { id: promo }))[0]?.used
    expect(Number(await used())).toBe(1)
    await expect(refundOrder(fixture.staff, { id, scope: 'whole' })).rejects.toMatchObject({ kind: 'conflict' })
    const due = (await invoiceOf(fixture, id))?.outstanding ?? 0
    await expect(
      writeOffInvoice(fixture.staff, { orderId: id, reason: 'Gone away', expected: due }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    })
    const racing = await Promise.allSettled([
      cancelUnpaidOrder(fixture.staff, { orderId: id, reason: 'No answer' }),
      cancelUnpaidOrder(fixture.staff, { orderId: id, reason: 'No answer' }),
    ])
    expect(racing.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await invoiceOf(fixture, id)).toMatchObject({ state: 'cancelled', outstanding: 0 })
    expect(await getOrder(fixture.staff, { id })).toMatchObject({ state: 'cancelled', payment: { state: 'cancelled' } })
    expect(Number(await used())).toBe(0)
    await expect(pay(fixture, id, '1.00')).rejects.toMatchObject({ fields: { amount: 'Nothing more is due' } })
    services.clock.now = new Date('2026-03-01T10:00:00Z')
    await remindInvoices(services.as(system), {})
    const invoiceId = (await invoiceOf(fixture, id))?.id
    expect((await emailsAbout('reminder')).filter((about) => about.invoiceId === invoiceId)).toEqual([])
    // An order that has begun cannot be cancelled.
    const startedOrder = await bill(fixture)
    await expect(cancelUnpaidOrder(fixture.staff, { orderId: startedOrder, reason: 'x' })).rejects.toMatchObject({
      kind: 'conflict',
    })
    const other = await makeFixture()
    await expect(cancelUnpaidOrder(other.staff, { orderId: id, reason: 'x' })).rejects.toMatchObject({
      kind: 'notFound',
    })
  })
})

describe('the buyer’s invoice', () => {
  const german = {
    country: 'DE',
    plan: '1PN39.99',
    billing: { addressOne: 'Hafenstraße 1', city: 'Hamburg', postCode: '20457' },
  }
  const documentsOf = ({ staff }: Fixture, orderId: number) => getInvoiceDocuments(staff, { orderId })

  /** The email's contents, as text. */
  async function mailedText(fixture: Fixture, orderId: number, what: string, step = 0): Promise<string> {
    const about = { invoiceId: (await invoiceOf(fixture, orderId))?.id, what, step }
    expect(await mailSender('invoice-notice')(services.as(system), about)).toBe(true)
    return (await services.mail.devMailbox?.list(1))?.[0]?.text ?? ''
  }

  async function asBuyer(orderId: number) {
    const [order] = await services.db.query<{ buyerId: number; publicationId: number; orderNumber: string }>(
      `SELECT buyer_id AS "buyerId", publication_id AS "publicationId", order_number AS "orderNumber" FROM orders WHERE id = :orderId`,
      { orderId },
    )
    if (!order) throw new Error('The order is not there')
    const { buyerId, publicationId, orderNumber } = order
    return { orderNumber, ctx: services.as({ kind: 'buyer', buyerId, publicationId }) }
  }

  it('is in the language of the order, the account or the country, in that order of preference', async () => {
    const fixture = await makeFixture()
    const titleOf = async (fields: Record<string, unknown>) =>
      (await documentsOf(fixture, await bill(fixture, fields))).map(({ title }) => title)
    expect(await titleOf(german)).toEqual(['Rechnung INV-000001'])
    expect(await titleOf({ ...german, language: 'fr' })).toEqual(['Facture INV-000002'])
    const email = `ann-${randomUUID()}@example.test`
    await bill(fixture, { ...german, email, language: 'it' })
    expect(await titleOf({ ...german, email })).toEqual(['Fattura INV-000004'])
  })

  it('is emailed in that language: invoice, reminder and credit note', async () => {
    const fixture = await makeFixture()
    const id = await bill(fixture, german)
    expect(await mailedText(fixture, id, 'invoice')).toMatch(
      /Rechnung INV-000001[\s\S]*39,99\u00A0€ bis zum 31\.01\.2026/,
    )
    services.clock.now = new Date('2026-02-02T10:00:00Z')
    expect(await mailedText(fixture, id, 'reminder', 1)).toMatch(
      /Zahlungserinnerung: Rechnung INV-000001 ist überfällig/,
    )
    await refundOrder(fixture.staff, { id, scope: 'amount', amount: '10.00' })
    const note = (await invoiceOf(fixture, id))?.creditNotes[0]
    expect(await mailedText(fixture, id, 'credit-note', note?.id)).toMatch(
      /Gutschrift CN-000001[\s\S]*Noch offen: 29,99/,
    )
  })

  it('shows net, rate, VAT and gross by line and rate, in pounds too, and so does its credit note', async () => {
    const fixture = await makeFixture()
    const vat = { isRegistered: true, vatNumber: 'GB123456789', bundlePrint: '70' }
    await setVatSettings(fixture.staff, vat)
    await setVatRate(fixture.staff, {
      country: 'GB',
      supply: 'digital',
      rate: '20',
      fromOn: '2025-01-01',
      scheme: 'uk',
    })
    const id = await bill(fixture, { plan: '1BN39.99' })
    await refundOrder(fixture.staff, { id, scope: 'amount', amount: '10.00', reason: 'A late issue' })
    const [invoice, note] = await documentsOf(fixture, id)
    expect(invoice).toMatchObject({
      vat: {
        lines: [
          { what: 'Print', rate: '0%', net: '£27.99', vat: '£0.00', gross: '£27.99' },
          { what: 'Digital', rate: '20%', net: '£10.00', vat: '£2.00', gross: '£12.00' },
        ],
        totals: [
          { rate: '0%', gross: '£27.99' },
          { rate: '20%', net: '£10.00', vat: '£2.00', gross: '£12.00' },
        ],
      },
    })
    expect(invoice?.facts).toEqual(
      expect.arrayContaining([
        { label: 'VAT number', value: 'GB123456789' },
        { label: 'Tax point', value: '01/01/2026' },
      ]),
    )
    expect(note?.title).toBe('Credit note CN-000001')
    expect(note?.vat?.lines.map(({ gross }) => gross)).toEqual(['£6.99', '£3.01'])
    expect(await mailedText(fixture, id, 'invoice')).toContain('Digital, VAT 20%: £10.00 + £2.00 VAT = £12.00')
    // An order in euros with UK VAT.
    await setVatRate(fixture.staff, { country: 'DE', supply: 'print', rate: '5', fromOn: '2025-01-01', scheme: 'uk' })
    const euros = await bill(fixture, german)
    expect((await documentsOf(fixture, euros))[0]?.facts.map(({ label }) => label)).not.toContain('MwSt. in Pfund')
    await setVatExchangeRate(fixture.staff, { month: '2026-01', currency: 'EUR', exchangeRate: '1.25' })
    const [second] = await documentsOf(fixture, await bill(fixture, german))
    expect(second?.facts).toContainEqual({ label: 'MwSt. in Pfund', value: '1,52\u00A0£' })
  })

  it('shows the VAT number of its day, whatever is set later, and so do its credit notes and receipts', async () => {
    const fixture = await makeFixture()
    const setVatNumber = (vatNumber: string) => setVatSettings(fixture.staff, { isRegistered: true, vatNumber })
    await setVatNumber('GB111111111')
    const id = await bill(fixture)
    const paid = await bill(fixture, { method: 'cheque' })
    await setVatNumber('GB222222222')
    await refundOrder(fixture.staff, { id, scope: 'amount', amount: '10.00' })
    await setVatNumber('GB333333333')
    const numbers = (await documentsOf(fixture, id)).map(
      ({ facts }) => facts.find(({ label }) => label === 'VAT number')?.value,
    )
    expect(numbers).toEqual(['GB111111111', 'GB222222222'])
    const receipt = (await queuedEmails(services, 'order-receipt')).find(({ about }) => about.orderId === paid)
    expect(await mailSender('order-receipt')(services.as(system), receipt?.about)).toBe(true)
    const text = (await services.mail.devMailbox?.list(1))?.[0]?.text
    expect(text).toMatch(/Total, VAT 0%: £29\.99 \+ £0\.00 VAT = £29\.99[\s\S]*VAT number: GB111111111/)
  })

  it('shows no VAT when some of it is not set, and when none is charged', async () => {
    const fixture = await makeFixture()
    const unset = await bill(fixture)
    await setVatSettings(fixture.staff, { isRegistered: true, vatNumber: 'GB123456789' })
    const bundle = await bill(fixture, { plan: '1BN39.99' })
    await setVatSettings(fixture.staff, { isRegistered: false })
    for (const id of [unset, bundle, await bill(fixture)]) {
      expect(await documentsOf(fixture, id)).toMatchObject([{ vat: null }])
      expect(await mailedText(fixture, id, 'invoice')).not.toContain('VAT')
    }
  })

  it('is listed in the buyer’s own account with the amount due, and not in another', async () => {
    const fixture = await makeFixture()
    const other = await makeFixture()
    const id = await bill(fixture, german)
    const { ctx, orderNumber } = await asBuyer(id)
    const listedInvoice = async () => (await listOwnOrders(ctx, {})).rows[0]?.invoice
    expect(await listedInvoice()).toMatchObject({
      number: 'INV-000001',
      state: 'unpaid',
      dueOn: '2026-01-31',
      due: { amount: 3999 },
    })
    await pay(fixture, id, '9.99')
    expect(await listedInvoice()).toMatchObject({ state: 'part-paid', due: { amount: 3000 } })
    services.clock.now = new Date('2026-03-01T10:00:00Z')
    expect(await listedInvoice()).toMatchObject({ state: 'overdue' })
    await writeOffInvoice(fixture.staff, { orderId: id, reason: 'Gone away', expected: 3000 })
    expect(await listedInvoice()).toMatchObject({ state: 'written-off', due: { amount: 0 } })
    expect(await getOwnInvoiceDocuments(ctx, { orderNumber, language: 'es' })).toMatchObject([
      { title: 'Factura INV-000001' },
    ])
    const stranger = await asBuyer(await bill(other))
    expect(await getOwnInvoiceDocuments(stranger.ctx, { orderNumber })).toEqual([])
    expect(await documentsOf(other, id)).toEqual([])
  })
})

it('payments are entered only for the publisher’s own invoices, and only by users with permission', async () => {
  const fixture = await makeFixture()
  const other = await makeFixture()
  const id = await bill(fixture)
  expect(await invoiceOf(other, id)).toBeNull()
  await expect(pay(other, id, '1.00')).rejects.toMatchObject({ kind: 'notFound' })
  await expect(writeOffInvoice(other.staff, { orderId: id, reason: 'x', expected: 2999 })).rejects.toMatchObject({
    kind: 'notFound',
  })
  expect((await listDebtors(other.staff, {})).total).toBe(0)
  const admin = services.as(await actorOf(services, 'admin', fixture.shop.publisherId))
  await expect(pay({ ...fixture, staff: admin }, id, '1.00')).rejects.toMatchObject({ kind: 'denied' })
})
