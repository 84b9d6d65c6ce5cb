import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lossesByMonth } from '#core/analytics/losses.query.ts'
import type { AppContext } from '#core/context.ts'
import { mergeReaders } from '#core/duplicates/merge-readers.ts'
import { getOrderInvoice } from '#core/invoices/order-invoice.query.ts'
import { addDays } from '#core/kernel/calendar.ts'
import { closeMonth } from '#core/ledger/close-month.ts'
import { makeJournal } from '#core/ledger/make-journal.ts'
import { ledgerSchedule } from '#core/ledger/schedule.query.ts'
import { closedMonthDifferences } from '#core/ledger/verify-closed-months.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { vatReport } from '#core/vat/vat-report.query.ts'
import { setVatExchangeRate, setVatRate, setVatSettings } from '#core/vat/vat-settings.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makePromo, operator, system } from '#tests/support/factories.ts'
import { makeShop, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { readerCredits } from './credits.query.ts'
import { getOrder } from './get-order.query.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { planRefund, refundOrder } from './refund-order.ts'
import { setRefundPolicy } from './refund-policy.ts'
import { settleReversal } from './settle-reversal.ts'
import { planStaffOrder, takeStaffOrder } from './take-staff-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

afterAll(async () => {
  expect(await verifyLedger(services.as(operator), {})).toMatchObject({ different: 0 })
})

interface Fixture {
  shop: Awaited<ReturnType<typeof makeShop>>
  staff: AppContext
}

async function makeFixture(publisherId?: number): Promise<Fixture> {
  services.clock.setDay('2026-01-01')
  const shop = await makeShop(services, { publicationName: `Harbour ${randomUUID().slice(0, 8)}` })
  if (publisherId !== undefined) {
    await services.db.run(`UPDATE publications SET publisher_id = :publisherId WHERE id = :id`, {
      publisherId,
      id: shop.id,
    })
    return { shop: { ...shop, publisherId }, staff: services.as(await actorOf(services, 'publisher', publisherId)) }
  }
  return { shop, staff: services.as(await actorOf(services, 'publisher', shop.publisherId)) }
}

const newEmail = () => `ann-${randomUUID()}@example.test`

/** A year of print for £29.99, by default paid by cheque. */
function form({ shop }: Fixture, email: string, fields: Record<string, unknown> = {}) {
  return {
    publicationId: shop.id,
    plan: '1PN29.99',
    country: 'GB',
    idempotencyKey: randomUUID(),
    method: 'cheque',
    firstName: 'Ann',
    lastName: 'Lee',
    email,
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    ...fields,
  }
}
const takeOrder = async (fixture: Fixture, email: string, fields: Record<string, unknown> = {}) =>
  (await takeStaffOrder(fixture.staff, form(fixture, email, fields))).orderId
const refundAsCredit = ({ staff }: Fixture, id: number, amount?: string) =>
  refundOrder(staff, {
    id,
    method: 'credit',
    reason: 'Agreed by phone',
    ...(amount ? { scope: 'amount', amount } : { scope: 'whole' }),
  })
const payByCredit = ({ staff }: Fixture, orderId: number, amount: string, key: string = randomUUID()) =>
  recordInvoicePayment(staff, { orderId, amount, method: 'credit', key })
const viewOrder = ({ staff }: Fixture, id: number) => getOrder(staff, { id })
const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status).toSorted()

describe('credit of a reader whose email has changed', () => {
  it('pays an order that begins when it is paid, like any other order of that reader', async () => {
    const fixture = await makeFixture()
    const before = newEmail()
    const after = newEmail()
    const first = await takeOrder(fixture, before)
    await refundAsCredit(fixture, first)
    const { readerId } = await viewOrder(fixture, first)
    await services.db.run(`UPDATE buyers SET email = :after, email_key = :after WHERE email_key = :before`, {
      before,
      after,
    })
    const id = await takeOrder(fixture, after, { readerId, method: 'invoice', begins: 'paid' })
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'pending', buyerCredit: 2999 })
    expect(await payByCredit(fixture, id, '29.99')).toEqual({ outstanding: 0 })
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'paid', readerId, buyerCredit: 0 })
  })
})

describe('credit of an address with non-ASCII capitals', () => {
  it.each([
    ['ÉMILE', 'ÉMILE'],
    ['émile', 'Émile'],
    ['ÉMILE', 'émile'],
  ])('of %s is found for an order of %s', async (before, after) => {
    const fixture = await makeFixture()
    const domain = `${randomUUID()}.example.fr`
    await refundAsCredit(fixture, await takeOrder(fixture, `${before}@${domain}`))
    const id = await takeOrder(fixture, `${after}@${domain}`, { method: 'invoice', begins: 'paid' })
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'pending', buyerCredit: 2999 })
  })
})

describe('an order for a chosen reader who is merged before it is paid', () => {
  it('extends the surviving record, and is paid by its credit', async () => {
    const fixture = await makeFixture()
    const older = newEmail()
    const newer = newEmail()
    const first = await takeOrder(fixture, older)
    const spent = await takeOrder(fixture, older)
    await refundAsCredit(fixture, spent)
    const { readerId: survivorId, subEndOn } = await viewOrder(fixture, first)
    // The record is in no account.
    await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :survivorId', { survivorId })
    const cancelled = await takeOrder(fixture, newer)
    await refundOrder(fixture.staff, { id: cancelled, scope: 'whole', method: 'hand', reason: 'Agreed by phone' })
    const { readerId: chosen } = await viewOrder(fixture, cancelled)
    const id = await takeOrder(fixture, newer, { readerId: chosen, method: 'invoice', begins: 'paid' })
    await mergeReaders(fixture.staff, { publicationId: fixture.shop.id, readerIds: [survivorId, chosen], survivorId })
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'pending', buyerCredit: 2999 })
    await payByCredit(fixture, id, '29.99')
    const paid = await viewOrder(fixture, id)
    expect(paid).toMatchObject({ state: 'paid', readerId: survivorId })
    expect(paid.subStartOn).toBe(addDays(String(subEndOn), 1))
    expect(await rowsOf(services, 'readers', fixture.shop.id)).toHaveLength(1)
  })
})

describe('a refund as credit', () => {
  it('leaves the money with the publisher, and is entered in the ledger as any refund is', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const id = await takeOrder(fixture, email)
    services.clock.setDay('2026-04-20')
    const refund = await refundOrder(fixture.staff, { id, scope: 'months', method: 'credit' })
    expect(refund).toMatchObject({ state: 'succeeded', method: 'credit', amount: 2003 })
    expect(await viewOrder(fixture, id)).toMatchObject({
      state: 'paid',
      net: 996,
      fulfilled: 747,
      liability: 249,
      creditLeft: 2003,
      buyerCredit: 2003,
      refunds: [{ method: 'credit', state: 'succeeded' }],
    })
    await refundAsCredit(fixture, id)
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'refunded', net: 0, liability: 0, creditLeft: 2999 })
  })

  it('of a part leaves the term and the promo use; of the whole order ends the term and returns the use', async () => {
    const fixture = await makeFixture()
    await makePromo(services, fixture.shop.id, 'ONCE', { uses: 1 })
    const id = await takeOrder(fixture, newEmail(), { promoCode: 'ONCE' })
    const state = async () => {
      const [promo] = await rowsOf(services, 'promo_codes', fixture.shop.id)
      const [reader] = await rowsOf(services, 'readers', fixture.shop.id)
      return { used: promo?.used, endOn: reader?.sub_end_on }
    }
    services.clock.setDay('2026-04-20')
    await refundAsCredit(fixture, id, '5.00')
    expect(await state()).toEqual({ used: 1, endOn: '2027-01-01' })
    await refundAsCredit(fixture, id)
    expect(await state()).toEqual({ used: 0, endOn: '2026-04-20' })
  })

  it('is made once per key, and the same key for money is refused', async () => {
    const fixture = await makeFixture()
    const id = await takeOrder(fixture, newEmail())
    const request = { id, scope: 'amount', amount: '5.00', method: 'credit', key: 'credit-once-1' }
    const first = await refundOrder(fixture.staff, request)
    const again = await refundOrder(fixture.staff, request)
    expect(again.id).toBe(first.id)
    await expect(refundOrder(fixture.staff, { ...request, method: 'hand' })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await viewOrder(fixture, id)).toMatchObject({ creditLeft: 500 })
  })

  it('is offered only for what was paid: not for demo money, and not while an invoice is due', async () => {
    const fixture = await makeFixture()
    const id = await takeOrder(fixture, newEmail(), { method: 'invoice' })
    expect(await viewOrder(fixture, id)).toMatchObject({ canRefund: { methods: ['hand'] } })
    await expect(refundAsCredit(fixture, id)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { method: expect.stringMatching(/unpaid/) },
    })
    await recordInvoicePayment(fixture.staff, { orderId: id, amount: '29.99', method: 'cheque', key: randomUUID() })
    expect(await viewOrder(fixture, id)).toMatchObject({ canRefund: { methods: ['hand', 'credit'] } })
  })
})

describe('credit pays', () => {
  it('a whole order, once, and never more than is left', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const creditedId = await takeOrder(fixture, email)
    await refundAsCredit(fixture, creditedId, '20.00')
    const creditForm = form(fixture, email, { method: 'credit' })
    const refusal = {
      kind: 'invalid',
      fields: { method: expect.stringMatching(/^£20\.00 of credit is left .* “Bill me”/) },
    }
    await expect(planStaffOrder(fixture.staff, creditForm)).rejects.toMatchObject(refusal)
    await expect(takeStaffOrder(fixture.staff, creditForm)).rejects.toMatchObject(refusal)
    await refundAsCredit(fixture, creditedId)
    const taken = await takeStaffOrder(fixture.staff, creditForm)
    // The credit is already spent, but on this order, which can therefore still be planned.
    expect(await planStaffOrder(fixture.staff, creditForm)).toMatchObject({ amount: 2999 })
    expect((await takeStaffOrder(fixture.staff, creditForm)).orderId).toBe(taken.orderId)
    expect(await viewOrder(fixture, taken.orderId)).toMatchObject({
      state: 'paid',
      paymentType: 'Credit',
      net: 2999,
      buyerCredit: 0,
      timeline: expect.arrayContaining([
        expect.objectContaining({ order: { id: creditedId, orderNumber: expect.any(String) } }),
      ]),
    })
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ state: 'refunded', net: 0, creditLeft: 0 })
    await expect(takeOrder(fixture, email, { method: 'credit' })).rejects.toMatchObject({
      fields: { method: expect.stringMatching(/^No credit is left/) },
    })
  })

  it('one of two orders at once', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    await refundAsCredit(fixture, await takeOrder(fixture, email))
    const forms = [form(fixture, email, { method: 'credit' }), form(fixture, email, { method: 'credit' })]
    expect(
      statuses(await Promise.allSettled(forms.map((creditForm) => takeStaffOrder(fixture.staff, creditForm)))),
    ).toEqual(['fulfilled', 'rejected'])
    const [row] = await services.db.query<{ used: number }>(
      `SELECT SUM(amount) AS used FROM credit_uses WHERE publisher_id = :publisherId`,
      { publisherId: fixture.shop.publisherId },
    )
    expect(Number(row?.used)).toBe(2999)
  })

  it('two invoices at once from two credits, in any order, without a deadlock', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    for (const _ of [1, 2]) await refundAsCredit(fixture, await takeOrder(fixture, email), '10.00')
    const invoices = [
      await takeOrder(fixture, email, { method: 'invoice' }),
      await takeOrder(fixture, email, { method: 'invoice' }),
    ]
    const paid = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => payByCredit(fixture, invoices[index % 2] as number, '5.00')),
    )
    expect(statuses(paid)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    for (const result of paid)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ fields: { amount: expect.stringMatching(/^No credit is left/) } })
    expect((await viewOrder(fixture, invoices[0] as number)).buyerCredit).toBe(0)
  })

  it('concurrently with refunds of the order it came from, without a deadlock', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const creditedId = await takeOrder(fixture, email, { method: 'invoice' })
    await recordInvoicePayment(fixture.staff, {
      orderId: creditedId,
      amount: '29.99',
      method: 'cash',
      key: randomUUID(),
    })
    await refundAsCredit(fixture, creditedId, '10.00')
    const id = await takeOrder(fixture, email, { method: 'invoice' })
    const racing = await Promise.allSettled([
      ...['2.00', '3.00', '4.00'].map((amount) => payByCredit(fixture, id, amount)),
      ...['1.00', '2.00'].map((amount) => refundAsCredit(fixture, creditedId, amount)),
      ...['3.00', '4.00'].map((amount) =>
        refundOrder(fixture.staff, { id: creditedId, scope: 'amount', amount, method: 'hand' }),
      ),
    ])
    expect(statuses(racing)).toEqual(Array.from(racing, () => 'fulfilled'))
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ net: 999, creditLeft: 400 })
  })

  it('a part of an invoice, once for its key; the rest of it is still due', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const creditedId = await takeOrder(fixture, email)
    await refundAsCredit(fixture, creditedId, '12.34')
    const id = await takeOrder(fixture, email, { method: 'invoice' })
    await expect(payByCredit(fixture, id, '12.35')).rejects.toMatchObject({
      fields: { amount: '£12.34 of credit is left, and cannot pay more than that' },
    })
    await payByCredit(fixture, id, '12.34', 'credit-payment-1')
    await payByCredit(fixture, id, '12.34', 'credit-payment-1')
    expect(await getOrderInvoice(fixture.staff, { orderId: id })).toMatchObject({
      state: 'part-paid',
      paid: 1234,
      outstanding: 1765,
      payments: [{ method: 'credit', amount: 1234 }],
    })
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ creditLeft: 0 })
  })

  it('an order that begins when it is paid, in full', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    await refundAsCredit(fixture, await takeOrder(fixture, email))
    const id = await takeOrder(fixture, email, { method: 'invoice', begins: 'paid' })
    await payByCredit(fixture, id, '29.99')
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'paid', net: 2999, buyerCredit: 0 })
    const { journals } = await makeJournal(fixture.staff, { month: '2026-01' })
    expect(sumsOf(journals)).toMatchObject({ credits: 0, 'receivable:invoice': 0 })
  })

  it('an order for another title of the publisher, but none in another currency, at another publisher or for another buyer', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    await refundAsCredit(fixture, await takeOrder(fixture, email))
    const otherPublisher = await makeFixture()
    const secondTitle = await makeFixture(fixture.shop.publisherId)
    await expect(takeOrder(otherPublisher, email, { method: 'credit' })).rejects.toMatchObject({
      fields: { method: expect.stringMatching(/^No credit/) },
    })
    await expect(takeOrder(fixture, newEmail(), { method: 'credit' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(
      takeOrder(fixture, email, { method: 'credit', plan: '1PN39.99', country: 'DE' }),
    ).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(
      payByCredit(otherPublisher, await takeOrder(otherPublisher, email, { method: 'invoice' }), '1.00'),
    ).rejects.toMatchObject({
      kind: 'invalid',
    })
    expect(await takeOrder(secondTitle, email, { method: 'credit' })).toBeGreaterThan(0)
  })

  it('for the buyer of a gift, not for its recipient, also after a merge', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const gift = await takeOrder(fixture, email, { isGift: true, isDeliveredToBilling: false, shipping: shippedTo })
    const recipient = (await viewOrder(fixture, gift)).readerId as number
    await refundAsCredit(fixture, gift, '10.00')
    expect(await readerCredits(fixture.staff, { readerId: recipient })).toMatchObject({ left: [] })
    const own = await takeOrder(fixture, email)
    const reader = (await viewOrder(fixture, own)).readerId as number
    await refundAsCredit(fixture, own, '5.00')
    expect(await readerCredits(fixture.staff, { readerId: reader })).toMatchObject({
      left: [{ amount: 1500, currency: 'GBP' }],
    })
    // Another record of the same person, under another email, survives the merge.
    const ended = await takeOrder(fixture, newEmail())
    const survivor = (await viewOrder(fixture, ended)).readerId as number
    await refundOrder(fixture.staff, { id: ended, scope: 'whole', method: 'hand' })
    await mergeReaders(fixture.staff, {
      publicationId: fixture.shop.id,
      readerIds: [survivor, reader],
      survivorId: survivor,
    })
    const [{ email: changed }] = (await services.db.query<{ email: string }>(
      `SELECT email FROM readers WHERE id = :survivor`,
      {
        survivor,
      },
    )) as [{ email: string }]
    expect(changed).not.toBe(email)
    expect(await readerCredits(fixture.staff, { readerId: survivor })).toMatchObject({
      left: [{ amount: 500, currency: 'GBP' }],
    })
    const elsewhere = (await makeFixture()).staff
    await expect(readerCredits(elsewhere, { readerId: survivor })).rejects.toMatchObject({ kind: 'notFound' })
  })

  it('nothing while the buyer’s bank disputes the payment it came from, or after the dispute is lost; all of it once it is won', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const creditedId = await takeOrder(fixture, email)
    await refundAsCredit(fixture, creditedId, '20.00')
    const id = await takeOrder(fixture, email, { method: 'invoice' })
    await payByCredit(fixture, id, '5.00')
    const dispute = (state: 'open' | 'lost' | 'won') =>
      services.db.transaction(() =>
        settleReversal(services.as(system), creditedId, {
          state: 'paid',
          reference: 'pi_1',
          money: { amount: 2999, currency: 'GBP' },
          disputes: [{ reference: 'dp_1', amount: 2999, state, reason: 'fraudulent', fee: null }],
        }),
      )
    await dispute('open')
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ net: 999, creditLeft: 0, buyerCredit: 0 })
    await expect(payByCredit(fixture, id, '1.00')).rejects.toMatchObject({
      fields: { amount: expect.stringMatching(/^No credit/) },
    })
    await dispute('lost')
    await dispute('lost')
    // The £5 that were used remain used: the rest of the payment is lost.
    expect(await viewOrder(fixture, creditedId)).toMatchObject({
      state: 'reversed',
      net: 0,
      fulfilled: 0,
      liability: 0,
      creditLeft: 0,
    })
    const january = async () => sumsOf((await makeJournal(fixture.staff, { month: '2026-01' })).journals)
    expect(await january()).toMatchObject({ credits: 0, 'receivable:cheque': 500 })
    await dispute('won')
    expect(await viewOrder(fixture, creditedId)).toMatchObject({
      state: 'paid',
      net: 999,
      creditLeft: 1500,
      buyerCredit: 1500,
    })
    expect(await january()).toMatchObject({ credits: -1500, 'receivable:cheque': 2999 })
    await payByCredit(fixture, id, '15.00')
    expect(await january()).toMatchObject({ credits: 0 })
  })
})

describe('credit that is given after a part of the payment was charged back', () => {
  it('can be used, as it is for money that the publisher has', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const creditedId = await takeOrder(fixture, email)
    await refundAsCredit(fixture, creditedId, '5.00')
    const lose = (reference: string, amount: number) =>
      services.db.transaction(() =>
        settleReversal(services.as(system), creditedId, {
          state: 'paid',
          reference: 'pi_1',
          money: { amount: 2999, currency: 'GBP' },
          disputes: [{ reference, amount, state: 'lost', reason: 'fraudulent', fee: null }],
        }),
      )
    await lose('dp_1', 1000)
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ state: 'paid', net: 1999, creditLeft: 0 })
    services.clock.advance({ days: 1 })
    await refundAsCredit(fixture, creditedId, '7.00')
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ net: 1299, creditLeft: 700, buyerCredit: 700 })
    const id = await takeOrder(fixture, email, { method: 'invoice' })
    await payByCredit(fixture, id, '7.00')
    expect(await viewOrder(fixture, creditedId)).toMatchObject({ net: 1299, creditLeft: 0 })
  })
})

const shippedTo = { firstName: 'Bo', lastName: 'Ray', addressOne: '2 Pier Road', city: 'Leeds', postCode: 'LS1 1AA' }

describe('a refund of what was paid by credit', () => {
  it('gives credit back, whichever method is requested', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    await refundAsCredit(fixture, await takeOrder(fixture, email))
    const id = await takeOrder(fixture, email, { method: 'credit' })
    expect(await viewOrder(fixture, id)).toMatchObject({ canRefund: { methods: ['credit'] } })
    const request = { id, scope: 'whole', method: 'hand', key: 'credit-back-1' }
    expect(await refundOrder(fixture.staff, request)).toMatchObject({ method: 'credit', state: 'succeeded' })
    expect(await refundOrder(fixture.staff, request)).toMatchObject({ method: 'credit' })
    expect(await viewOrder(fixture, id)).toMatchObject({ creditLeft: 2999, buyerCredit: 2999 })
    // The credit can pay for another order.
    expect(await viewOrder(fixture, await takeOrder(fixture, email, { method: 'credit' }))).toMatchObject({
      buyerCredit: 0,
    })
  })

  it('gives money back for the part of an invoice that was paid with money, and not more', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    await refundAsCredit(fixture, await takeOrder(fixture, email), '9.99')
    const id = await takeOrder(fixture, email, { method: 'invoice' })
    await payByCredit(fixture, id, '9.99')
    await recordInvoicePayment(fixture.staff, { orderId: id, amount: '20.00', method: 'cash', key: randomUUID() })
    expect(await viewOrder(fixture, id)).toMatchObject({ canRefund: { methods: ['hand', 'credit'], asMoney: 2000 } })
    await expect(refundOrder(fixture.staff, { id, scope: 'whole', method: 'hand' })).rejects.toMatchObject({
      fields: { scope: expect.stringMatching(/at most £20\.00/) },
    })
    await refundOrder(fixture.staff, { id, scope: 'amount', amount: '20.00', method: 'hand' })
    expect(await viewOrder(fixture, id)).toMatchObject({ canRefund: { methods: ['credit'] } })
    await refundAsCredit(fixture, id)
    expect(await viewOrder(fixture, id)).toMatchObject({ state: 'refunded', buyerCredit: 999 })
  })
})

describe('a policy of credit', () => {
  const policy = ({ staff, shop }: Fixture, allowsMore = 'true') =>
    setRefundPolicy(staff, { publicationId: shop.id, wholeDays: '3', afterwards: 'credit', allowsMore })

  it('proposes the unserved months as credit; money instead needs a reason, and the publisher if staff may not', async () => {
    const fixture = await makeFixture()
    await policy(fixture)
    const id = await takeOrder(fixture, newEmail())
    services.clock.setDay('2026-04-20')
    expect(await viewOrder(fixture, id)).toMatchObject({
      canRefund: {
        methods: ['credit', 'hand'],
        proposal: { scope: 'months', amount: 2003, rule: 'a credit for the unserved months after 3 days' },
      },
    })
    const months = { id, scope: 'months' } as const
    expect(await planRefund(fixture.staff, months)).toMatchObject({ method: 'credit', amount: 2003 })
    await expect(planRefund(fixture.staff, { ...months, method: 'hand' })).rejects.toMatchObject({
      fields: { reason: expect.any(String) },
    })
    await expect(planRefund(fixture.staff, { id, scope: 'whole', method: 'credit' })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await policy(fixture, 'false')
    const admin = services.as(await actorOf(services, 'pubadmin', fixture.shop.publisherId))
    await expect(planRefund(admin, { ...months, method: 'hand', reason: 'She insists' })).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(await refundOrder(admin, months)).toMatchObject({ method: 'credit', amount: 2003 })
  })

  it('gives money back while the law lets the consumer cancel', async () => {
    const fixture = await makeFixture()
    await policy(fixture, 'false')
    const id = await takeOrder(fixture, newEmail())
    services.clock.setDay('2026-01-12')
    expect(await viewOrder(fixture, id)).toMatchObject({
      canRefund: { methods: ['hand', 'credit'], proposal: { scope: 'whole', isCredit: false } },
    })
    const admin = services.as(await actorOf(services, 'pubadmin', fixture.shop.publisherId))
    expect(await refundOrder(admin, { id, scope: 'whole' })).toMatchObject({ method: 'hand', amount: 2999 })
  })
})

/** The sums of journal lines, by account. */
function sumsOf(
  journals: readonly { lines: readonly { account: string; amount: number }[] }[],
): Record<string, number> {
  const sums: Record<string, number> = { credits: 0, 'receivable:invoice': 0, vat: 0 }
  for (const { account, amount } of journals.flatMap(({ lines }) => lines))
    sums[account] = (sums[account] ?? 0) + amount
  return sums
}

describe('the emails', () => {
  /** The texts of the queued emails of a kind. */
  const textsOf = async (
    name: 'refund-notice' | 'payment-failed' | 'invoice-notice',
    isWanted: (about: object) => boolean,
  ) => {
    const texts: string[] = []
    for (const { about } of await queuedEmails(services, name)) {
      if (!isWanted(about)) continue
      await mailSender(name)(services.as(system), about)
      const [sent] = (await services.mail.devMailbox?.list(1)) ?? []
      texts.push(sent?.text ?? '')
    }
    return texts
  }

  it('say that a part, the whole or a paid invoice is kept as credit, in the language of the order', async () => {
    const fixture = await makeFixture()
    const part = await takeOrder(fixture, newEmail())
    const whole = await takeOrder(fixture, newEmail())
    const german = await takeOrder(fixture, newEmail(), { language: 'de' })
    await refundAsCredit(fixture, part, '12.34')
    await refundAsCredit(fixture, whole)
    await refundAsCredit(fixture, german, '12.34')
    const ofOrder = (id: number) => (about: object) => 'orderId' in about && about.orderId === id
    expect(await textsOf('refund-notice', ofOrder(part))).toEqual([
      expect.stringMatching(
        /Your credit[\s\S]*£12\.34\sGBP of your order for .* is kept as credit for a later order\./,
      ),
    ])
    expect(await textsOf('refund-notice', ofOrder(german))).toEqual([expect.stringMatching(/Ihr Guthaben[\s\S]*12,34/)])
    const [buyer, publication] = await textsOf('payment-failed', ofOrder(whole))
    expect(buyer).toMatch(/£29\.99\sGBP of your order for .* is kept as credit[\s\S]*Its subscription has ended\./)
    expect(buyer).not.toMatch(/bank/)
    expect(publication).toMatch(/£29\.99\sGBP of an order from Ann Lee is kept as credit/)
    const id = await takeOrder(fixture, newEmail(), { method: 'invoice' })
    await recordInvoicePayment(fixture.staff, { orderId: id, amount: '29.99', method: 'cash', key: randomUUID() })
    await refundAsCredit(fixture, id, '5.00')
    const invoiceId = (await getOrderInvoice(fixture.staff, { orderId: id }))?.id
    const [note] = await textsOf(
      'invoice-notice',
      (about) =>
        'what' in about && about.what === 'credit-note' && 'invoiceId' in about && about.invoiceId === invoiceId,
    )
    expect(note).toMatch(
      /£5\.00 of invoice [\s\S]*Nothing more is due on it\. It is kept as credit for a later order\./,
    )
  })
})

describe('in the books', () => {
  it('a credit is owed to the reader until it is used', async () => {
    const fixture = await makeFixture()
    const email = newEmail()
    const creditedId = await takeOrder(fixture, email)
    services.clock.setDay('2026-02-10')
    await refundAsCredit(fixture, creditedId, '20.00')
    const journal = async (month: string) => sumsOf((await makeJournal(fixture.staff, { month })).journals)
    expect(await journal('2026-02')).toMatchObject({ credits: -2000 })
    services.clock.setDay('2026-03-05')
    const id = await takeOrder(fixture, email, { method: 'invoice' })
    await payByCredit(fixture, id, '20.00')
    expect(await journal('2026-03')).toMatchObject({ credits: 2000, 'receivable:invoice': 999 })
    services.clock.setDay('2026-03-06')
    expect(
      (await lossesByMonth(fixture.staff, { publicationId: fixture.shop.id })).months
        .map(({ refunded }) => refunded)
        .filter(({ count }) => count !== 0),
    ).toEqual([{ count: 1, money: [{ amount: 2000, currency: 'GBP' }] }])
  })

  it('a credit that is used in a closed month counts in the open month, and each month opens with the last one’s closing', async () => {
    const fixture = await makeFixture()
    await setVatSettings(fixture.staff, {
      isRegistered: 'true',
      vatNumber: 'GB123456789',
      usesOss: 'true',
      ossNumber: 'EU372012345',
    })
    await setVatRate(fixture.staff, {
      country: 'DE',
      supply: 'print',
      fromOn: '01/01/2020',
      rate: '7',
      scheme: 'eu-oss',
    })
    await setVatExchangeRate(fixture.staff, { month: '2026-01', currency: 'EUR', exchangeRate: '1.25' })
    await setVatExchangeRate(fixture.staff, { month: '2026-03', currency: 'EUR', exchangeRate: '1.25' })
    const email = newEmail()
    const german = { plan: '1PN39.99', country: 'DE' }
    const creditedId = await takeOrder(fixture, email, german)
    services.clock.setDay('2026-02-10')
    await refundAsCredit(fixture, creditedId, '20.00')
    services.clock.setDay('2026-03-06')
    for (const month of ['2026-01', '2026-02']) await closeMonth(fixture.staff, { month })
    // The clock was set back into a closed month.
    services.clock.setDay('2026-02-27')
    const id = await takeOrder(fixture, email, { ...german, method: 'invoice' })
    await payByCredit(fixture, id, '15.00')
    services.clock.setDay('2026-04-01')
    await payByCredit(fixture, id, '5.00')
    services.clock.setDay('2026-04-30')
    expect(await closedMonthDifferences(services)).toEqual([])
    const { rows } = await ledgerSchedule(fixture.staff, { from: '2026-01', until: '2028-02' })
    let opening = 0
    for (const row of rows) {
      expect(row.opening).toBe(opening)
      expect(row.opening + row.sold - row.refunded - row.earned).toBe(row.closing)
      opening = row.closing
    }
    expect(opening).toBe(0)
    const credits = async (month: string) => sumsOf((await makeJournal(fixture.staff, { month })).journals).credits
    expect(await Promise.all(['2026-01', '2026-02', '2026-03', '2026-04'].map(credits))).toEqual([0, -2000, 1500, 500])
    const used = (await viewOrder(fixture, creditedId)).vat.filter(({ kind }) => kind === 'credit-used')
    expect(used.map(({ taxPoint, gross }) => [taxPoint, gross])).toEqual([
      ['2026-03-01', -1500],
      ['2026-04-01', -500],
    ])
  })

  it('the VAT of a credit is returned on the day the credit is used, and the order that it pays has its own VAT', async () => {
    const fixture = await makeFixture()
    await setVatSettings(fixture.staff, {
      isRegistered: 'true',
      vatNumber: 'GB123456789',
      usesOss: 'true',
      ossNumber: 'EU372012345',
    })
    await setVatRate(fixture.staff, {
      country: 'DE',
      supply: 'print',
      fromOn: '01/01/2020',
      rate: '7',
      scheme: 'eu-oss',
    })
    await setVatExchangeRate(fixture.staff, { month: '2026-01', currency: 'EUR', exchangeRate: '1.25' })
    const email = newEmail()
    const german = { plan: '1PN39.99', country: 'DE' }
    const creditedId = await takeOrder(fixture, email, german)
    services.clock.setDay('2026-01-20')
    await refundAsCredit(fixture, creditedId)
    const vat = async (from: string, until: string) => {
      const { rows } = await vatReport(fixture.staff, { from, until })
      return rows.reduce((sum, row) => sum + row.vat, 0)
    }
    const due = await vat('2026-01-01', '2026-01-31')
    expect(due).toBe(262)
    services.clock.setDay('2026-01-25')
    const id = await takeOrder(fixture, email, { ...german, method: 'credit' })
    expect(await vat('2026-01-25', '2026-01-25')).toBe(0)
    expect((await viewOrder(fixture, creditedId)).vat.map(({ kind, vat }) => [kind, vat])).toEqual([
      ['sale', 262],
      ['credit-used', -262],
    ])
    expect((await viewOrder(fixture, id)).vat.map(({ kind, vat }) => [kind, vat])).toEqual([['sale', 262]])
    services.clock.setDay(addDays('2026-01-31', 1))
    const { journals } = await makeJournal(fixture.staff, { month: '2026-01' })
    expect(sumsOf(journals)).toMatchObject({ credits: 0, vat: -262 })
    for (const { lines } of journals) expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  })
})
