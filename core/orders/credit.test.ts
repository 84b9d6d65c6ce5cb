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
import { actorOf, operator, system } from '#tests/support/factories.ts'
import { makeShop, rowsOf } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { readerCredits } from './credits.query.ts'
import { getOrder } from './get-order.query.ts'
import { recordInvoicePayment } from './record-invoice-payment.ts'
import { planRefund, refundOrder } from './refund-order.ts'
import { setRefundPolicy } from './refund-policy.ts'
import { settleReversal } from './settle-reversal.ts'
import { planStaffOrder, takeStaffOrder } from './take-order.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

afterAll(async () => {
  expect(await verifyLedger(services.as(operator), {})).toMatchObject({ different: 0 })
})

const at = (day: string) => {
  services.clock.now = new Date(`${day}T10:00:00Z`)
}

interface Fixture {
  shop: Awaited<ReturnType<typeof makeShop>>
  staff: AppContext
}

async function makeFixture(publisherId?: number): Promise<Fixture> {
  at('2026-01-01')
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

const ann = () => `ann-${randomUUID()}@example.test`

/** A year of print for £29.99, by default paid by cheque. */
function form({ shop }: Fixture, email: string, fields: Record<string, unknown> = {}) {
  return {
    ...{ publicationId: shop.id, plan: '1PN29.99', country: 'GB', idempotencyKey: randomUUID(), method: 'cheque' },
    ...{ firstName: 'Ann', lastName: 'Lee', email },
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
    ...fields,
  }
}
const take = async (fixture: Fixture, email: string, fields: Record<string, unknown> = {}) =>
  (await takeStaffOrder(fixture.staff, form(fixture, email, fields))).orderId
const credit = ({ staff }: Fixture, id: number, amount?: string) =>
  refundOrder(staff, {
    ...{ id, method: 'credit', reason: 'Agreed by phone' },
    ...(amount ? { scope: 'amount', amount } : { scope: 'whole' }),
  })
const pay = ({ staff }: Fixture, orderId: number, amount: string, key: string = randomUUID()) =>
  recordInvoicePayment(staff, { orderId, amount, method: 'credit', key })
const look = ({ staff }: Fixture, id: number) => getOrder(staff, { id })
const statuses = (settled: readonly PromiseSettledResult<unknown>[]) => settled.map(({ status }) => status).toSorted()

describe('credit of a reader whose email has changed', () => {
  it('pays an order that begins when it is paid, like any other order of that reader', async () => {
    const fixture = await makeFixture()
    const [before, after] = [ann(), ann()]
    const first = await take(fixture, before)
    await credit(fixture, first)
    const { readerId } = await look(fixture, first)
    await services.db.run(`UPDATE buyers SET email = :after, email_key = :after WHERE email_key = :before`, {
      before,
      after,
    })
    const id = await take(fixture, after, { readerId, method: 'invoice', begins: 'paid' })
    expect(await look(fixture, id)).toMatchObject({ state: 'pending', buyerCredit: 2999 })
    expect(await pay(fixture, id, '29.99')).toEqual({ outstanding: 0 })
    expect(await look(fixture, id)).toMatchObject({ state: 'paid', readerId, buyerCredit: 0 })
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
    await credit(fixture, await take(fixture, `${before}@${domain}`))
    const id = await take(fixture, `${after}@${domain}`, { method: 'invoice', begins: 'paid' })
    expect(await look(fixture, id)).toMatchObject({ state: 'pending', buyerCredit: 2999 })
  })
})

describe('an order for a chosen reader who is merged before it is paid', () => {
  it('extends the surviving record, and is paid by its credit', async () => {
    const fixture = await makeFixture()
    const [older, newer] = [ann(), ann()]
    const first = await take(fixture, older)
    const spent = await take(fixture, older)
    await credit(fixture, spent)
    const { readerId: survivorId, subEndOn } = await look(fixture, first)
    // In nobody else's account.
    await services.db.run('UPDATE readers SET buyer_id = NULL WHERE id = :survivorId', { survivorId })
    const cancelled = await take(fixture, newer)
    await refundOrder(fixture.staff, { id: cancelled, scope: 'whole', method: 'hand', reason: 'Agreed by phone' })
    const { readerId: chosen } = await look(fixture, cancelled)
    const id = await take(fixture, newer, { readerId: chosen, method: 'invoice', begins: 'paid' })
    await mergeReaders(fixture.staff, {
      ...{ publicationId: fixture.shop.id, readerIds: [survivorId, chosen], survivorId },
    })
    expect(await look(fixture, id)).toMatchObject({ state: 'pending', buyerCredit: 2999 })
    await pay(fixture, id, '29.99')
    const paid = await look(fixture, id)
    expect(paid).toMatchObject({ state: 'paid', readerId: survivorId })
    expect(paid.subStartOn).toBe(addDays(String(subEndOn), 1))
    expect(await rowsOf(services, 'readers', fixture.shop.id)).toHaveLength(1)
  })
})

describe('a refund as credit', () => {
  it('leaves the money with the publisher: the ledger, the term and the promo use follow as with any refund', async () => {
    const fixture = await makeFixture()
    const email = ann()
    const id = await take(fixture, email)
    at('2026-04-20')
    const refund = await refundOrder(fixture.staff, { id, scope: 'months', method: 'credit' })
    expect(refund).toMatchObject({ state: 'succeeded', method: 'credit', amount: 2003 })
    expect(await look(fixture, id)).toMatchObject({
      ...{ state: 'paid', net: 996, fulfilled: 747, liability: 249, creditLeft: 2003, buyerCredit: 2003 },
      refunds: [{ method: 'credit', state: 'succeeded' }],
    })
    await credit(fixture, id)
    expect(await look(fixture, id)).toMatchObject({ state: 'refunded', net: 0, liability: 0, creditLeft: 2999 })
  })

  it('is made once per key, and the same key for money is refused', async () => {
    const fixture = await makeFixture()
    const id = await take(fixture, ann())
    const one = { id, scope: 'amount', amount: '5.00', method: 'credit', key: 'credit-once-1' }
    const [first, again] = [await refundOrder(fixture.staff, one), await refundOrder(fixture.staff, one)]
    expect(again.id).toBe(first.id)
    await expect(refundOrder(fixture.staff, { ...one, method: 'hand' })).rejects.toMatchObject({ kind: 'conflict' })
    expect(await look(fixture, id)).toMatchObject({ creditLeft: 500 })
  })

  it('is offered only for what was paid: not for demo money, and not while an invoice is due', async () => {
    const fixture = await makeFixture()
    const id = await take(fixture, ann(), { method: 'invoice' })
    expect(await look(fixture, id)).toMatchObject({ canRefund: { methods: ['hand'] } })
    await expect(credit(fixture, id)).rejects.toMatchObject({
      kind: 'invalid',
      fields: { method: expect.stringMatching(/unpaid/) },
    })
    await recordInvoicePayment(fixture.staff, { orderId: id, amount: '29.99', method: 'cheque', key: randomUUID() })
    expect(await look(fixture, id)).toMatchObject({ canRefund: { methods: ['hand', 'credit'] } })
  })
})

describe('credit pays', () => {
  it('a whole order, once, and never more than is left', async () => {
    const fixture = await makeFixture()
    const email = ann()
    const old = await take(fixture, email)
    await credit(fixture, old, '20.00')
    const wanted = form(fixture, email, { method: 'credit' })
    const refusal = {
      kind: 'invalid',
      fields: { method: expect.stringMatching(/^£20\.00 of credit is left .* “Bill me”/) },
    }
    await expect(planStaffOrder(fixture.staff, wanted)).rejects.toMatchObject(refusal)
    await expect(takeStaffOrder(fixture.staff, wanted)).rejects.toMatchObject(refusal)
    await credit(fixture, old)
    const taken = await takeStaffOrder(fixture.staff, wanted)
    // Its credit is spent: on the order that it was planned for.
    expect(await planStaffOrder(fixture.staff, wanted)).toMatchObject({ amount: 2999 })
    expect((await takeStaffOrder(fixture.staff, wanted)).orderId).toBe(taken.orderId)
    expect(await look(fixture, taken.orderId)).toMatchObject({
      ...{ state: 'paid', paymentType: 'Credit', net: 2999, buyerCredit: 0 },
      timeline: expect.arrayContaining([
        expect.objectContaining({ order: { id: old, orderNumber: expect.any(String) } }),
      ]),
    })
    expect(await look(fixture, old)).toMatchObject({ state: 'refunded', net: 0, creditLeft: 0 })
    await expect(take(fixture, email, { method: 'credit' })).rejects.toMatchObject({
      fields: { method: expect.stringMatching(/^No credit is left/) },
    })
  })

  it('one of two orders at once', async () => {
    const fixture = await makeFixture()
    const email = ann()
    await credit(fixture, await take(fixture, email))
    const orders = [form(fixture, email, { method: 'credit' }), form(fixture, email, { method: 'credit' })]
    expect(statuses(await Promise.allSettled(orders.map((one) => takeStaffOrder(fixture.staff, one))))).toEqual([
      'fulfilled',
      'rejected',
    ])
    const [row] = await services.db.query<{ used: number }>(
      `SELECT SUM(amount) AS used FROM credit_uses WHERE publisher_id = :publisherId`,
      { publisherId: fixture.shop.publisherId },
    )
    expect(Number(row?.used)).toBe(2999)
  })

  it('two invoices at once from two credits, in any order, without a deadlock', async () => {
    const fixture = await makeFixture()
    const email = ann()
    for (const _ of [1, 2]) await credit(fixture, await take(fixture, email), '10.00')
    const invoices = [
      await take(fixture, email, { method: 'invoice' }),
      await take(fixture, email, { method: 'invoice' }),
    ]
    const paid = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) => pay(fixture, invoices[index % 2] as number, '5.00')),
    )
    expect(statuses(paid)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'rejected'])
    for (const result of paid)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({ fields: { amount: expect.stringMatching(/^No credit is left/) } })
    expect((await look(fixture, invoices[0] as number)).buyerCredit).toBe(0)
  })

  it('concurrently with refunds of the order it came from, without a deadlock', async () => {
    const fixture = await makeFixture()
    const email = ann()
    const old = await take(fixture, email, { method: 'invoice' })
    await recordInvoicePayment(fixture.staff, { orderId: old, amount: '29.99', method: 'cash', key: randomUUID() })
    await credit(fixture, old, '10.00')
    const id = await take(fixture, email, { method: 'invoice' })
    const racing = await Promise.allSettled([
      ...['2.00', '3.00', '4.00'].map((amount) => pay(fixture, id, amount)),
      ...['1.00', '2.00'].map((amount) => credit(fixture, old, amount)),
      ...['3.00', '4.00'].map((amount) =>
        refundOrder(fixture.staff, { id: old, scope: 'amount', amount, method: 'hand' }),
      ),
    ])
    expect(statuses(racing)).toEqual(Array.from(racing, () => 'fulfilled'))
    expect(await look(fixture, old)).toMatchObject({ net: 999, creditLeft: 400 })
  })

  it('a part of an invoice, once for its key; the rest of it is still due', async () => {
    const fixture = await makeFixture()
    const email = ann()
    const old = await take(fixture, email)
    await credit(fixture, old, '12.34')
    const id = await take(fixture, email, { method: 'invoice' })
    await expect(pay(fixture, id, '12.35')).rejects.toMatchObject({
      fields: { amount: '£12.34 of credit is left, and cannot pay more than that' },
    })
    await pay(fixture, id, '12.34', 'credit-payment-1')
    await pay(fixture, id, '12.34', 'credit-payment-1')
    expect(await getOrderInvoice(fixture.staff, { orderId: id })).toMatchObject({
      ...{ state: 'part-paid', paid: 1234, outstanding: 1765, payments: [{ method: 'credit', amount: 1234 }] },
    })
    expect(await look(fixture, old)).toMatchObject({ creditLeft: 0 })
  })

  it('what begins when it is paid, in full', async () => {
    const fixture = await makeFixture()
    const email = ann()
    await credit(fixture, await take(fixture, email))
    const id = await take(fixture, email, { method: 'invoice', begins: 'paid' })
    await pay(fixture, id, '29.99')
    expect(await look(fixture, id)).toMatchObject({ state: 'paid', net: 2999, buyerCredit: 0 })
    const { journals } = await makeJournal(fixture.staff, { month: '2026-01' })
    expect(sumsOf(journals)).toMatchObject({ credits: 0, 'receivable:invoice': 0 })
  })

  it('another title of the publisher, and nobody else: not in another currency, not at another publisher, not for another buyer', async () => {
    const fixture = await makeFixture()
    const email = ann()
    await credit(fixture, await take(fixture, email))
    const [other, second] = [await makeFixture(), await makeFixture(fixture.shop.publisherId)]
    await expect(take(other, email, { method: 'credit' })).rejects.toMatchObject({
      fields: { method: expect.stringMatching(/^No credit/) },
    })
    await expect(take(fixture, ann(), { method: 'credit' })).rejects.toMatchObject({ kind: 'invalid' })
    await expect(take(fixture, email, { method: 'credit', plan: '1PN39.99', country: 'DE' })).rejects.toMatchObject({
      kind: 'invalid',
    })
    await expect(pay(other, await take(other, email, { method: 'invoice' }), '1.00')).rejects.toMatchObject({
      kind: 'invalid',
    })
    expect(await take(second, email, { method: 'credit' })).toBeGreaterThan(0)
  })

  it('belongs to the buyer of a gift, not to its recipient, and follows a merge', async () => {
    const fixture = await makeFixture()
    const email = ann()
    const gift = await take(fixture, email, { isGift: true, isDeliveredToBilling: false, shipping: shippedTo })
    const recipient = (await look(fixture, gift)).readerId as number
    await credit(fixture, gift, '10.00')
    expect(await readerCredits(fixture.staff, { readerId: recipient })).toMatchObject({ left: [] })
    const own = await take(fixture, email)
    const reader = (await look(fixture, own)).readerId as number
    await credit(fixture, own, '5.00')
    expect(await readerCredits(fixture.staff, { readerId: reader })).toMatchObject({
      left: [{ amount: 1500, currency: 'GBP' }],
    })
    // Another record of hers, under another email, survives the merge.
    const ended = await take(fixture, ann())
    const survivor = (await look(fixture, ended)).readerId as number
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
    const email = ann()
    const old = await take(fixture, email)
    await credit(fixture, old, '20.00')
    const id = await take(fixture, email, { method: 'invoice' })
    await pay(fixture, id, '5.00')
    const dispute = (state: 'open' | 'lost' | 'won') =>
      services.db.transaction(() =>
        settleReversal(services.as(system), old, {
          ...{ state: 'paid', reference: 'pi_1', money: { amount: 2999, currency: 'GBP' } },
          disputes: [{ reference: 'dp_1', amount: 2999, state, reason: 'fraudulent', fee: null }],
        }),
      )
    await dispute('open')
    expect(await look(fixture, old)).toMatchObject({ net: 999, creditLeft: 0, buyerCredit: 0 })
    await expect(pay(fixture, id, '1.00')).rejects.toMatchObject({
      fields: { amount: expect.stringMatching(/^No credit/) },
    })
    await dispute('lost')
    await dispute('lost')
    // The £5 that were used remain used: the rest of the payment is lost.
    expect(await look(fixture, old)).toMatchObject({ state: 'reversed', net: 0, creditLeft: 0 })
    const january = async () => sumsOf((await makeJournal(fixture.staff, { month: '2026-01' })).journals)
    expect(await january()).toMatchObject({ credits: 0, 'receivable:cheque': 500 })
    await dispute('won')
    expect(await look(fixture, old)).toMatchObject({ state: 'paid', net: 999, creditLeft: 1500, buyerCredit: 1500 })
    expect(await january()).toMatchObject({ credits: -1500, 'receivable:cheque': 2999 })
    await pay(fixture, id, '15.00')
    expect(await january()).toMatchObject({ credits: 0 })
  })
})

const shippedTo = { firstName: 'Bo', lastName: 'Ray', addressOne: '2 Pier Road', city: 'Leeds', postCode: 'LS1 1AA' }

describe('a refund of what was paid by credit', () => {
  it('gives credit back, whichever method is requested', async () => {
    const fixture = await makeFixture()
    const email = ann()
    await credit(fixture, await take(fixture, email))
    const id = await take(fixture, email, { method: 'credit' })
    expect(await look(fixture, id)).toMatchObject({ canRefund: { methods: ['credit'] } })
    const request = { id, scope: 'whole', method: 'hand', key: 'credit-back-1' }
    expect(await refundOrder(fixture.staff, request)).toMatchObject({ method: 'credit', state: 'succeeded' })
    expect(await refundOrder(fixture.staff, request)).toMatchObject({ method: 'credit' })
    expect(await look(fixture, id)).toMatchObject({ creditLeft: 2999, buyerCredit: 2999 })
    // The credit can pay for another order.
    expect(await look(fixture, await take(fixture, email, { method: 'credit' }))).toMatchObject({ buyerCredit: 0 })
  })

  it('gives money back for the part of an invoice that was paid with money, and not more', async () => {
    const fixture = await makeFixture()
    const email = ann()
    await credit(fixture, await take(fixture, email), '9.99')
    const id = await take(fixture, email, { method: 'invoice' })
    await pay(fixture, id, '9.99')
    await recordInvoicePayment(fixture.staff, { orderId: id, amount: '20.00', method: 'cash', key: randomUUID() })
    expect(await look(fixture, id)).toMatchObject({ canRefund: { methods: ['hand', 'credit'], asMoney: 2000 } })
    await expect(refundOrder(fixture.staff, { id, scope: 'whole', method: 'hand' })).rejects.toMatchObject({
      fields: { scope: expect.stringMatching(/at most £20\.00/) },
    })
    await refundOrder(fixture.staff, { id, scope: 'amount', amount: '20.00', method: 'hand' })
    expect(await look(fixture, id)).toMatchObject({ canRefund: { methods: ['credit'] } })
    await credit(fixture, id)
    expect(await look(fixture, id)).toMatchObject({ state: 'refunded', buyerCredit: 999 })
  })
})

describe('a policy of credit', () => {
  const policy = ({ staff, shop }: Fixture, allowsMore = 'true') =>
    setRefundPolicy(staff, { publicationId: shop.id, wholeDays: '3', afterwards: 'credit', allowsMore })

  it('proposes the unserved months as credit; money instead needs a reason, and the publisher if staff may not', async () => {
    const fixture = await makeFixture()
    await policy(fixture)
    const id = await take(fixture, ann())
    at('2026-04-20')
    expect(await look(fixture, id)).toMatchObject({
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
    const id = await take(fixture, ann())
    at('2026-01-12')
    expect(await look(fixture, id)).toMatchObject({
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
    of: (about: object) => boolean,
  ) => {
    const texts: string[] = []
    for (const { about } of await queuedEmails(services, name)) {
      if (!of(about)) continue
      await mailSender(name)(services.as(system), about)
      const [sent] = (await services.mail.devMailbox?.list(1)) ?? []
      texts.push(sent?.text ?? '')
    }
    return texts
  }

  it('say that a part, the whole or a paid invoice is kept as credit, in the language of the order', async () => {
    const fixture = await makeFixture()
    const [part, whole, german] = [
      await take(fixture, ann()),
      await take(fixture, ann()),
      await take(fixture, ann(), { language: 'de' }),
    ]
    await credit(fixture, part, '12.34')
    await credit(fixture, whole)
    await credit(fixture, german, '12.34')
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
    const id = await take(fixture, ann(), { method: 'invoice' })
    await recordInvoicePayment(fixture.staff, { orderId: id, amount: '29.99', method: 'cash', key: randomUUID() })
    await credit(fixture, id, '5.00')
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
    const email = ann()
    const old = await take(fixture, email)
    at('2026-02-10')
    await credit(fixture, old, '20.00')
    const journal = async (month: string) => sumsOf((await makeJournal(fixture.staff, { month })).journals)
    expect(await journal('2026-02')).toMatchObject({ credits: -2000 })
    at('2026-03-05')
    const id = await take(fixture, email, { method: 'invoice' })
    await pay(fixture, id, '20.00')
    expect(await journal('2026-03')).toMatchObject({ credits: 2000, 'receivable:invoice': 999 })
    at('2026-03-06')
    expect(
      (await lossesByMonth(fixture.staff, { publicationId: fixture.shop.id })).months
        .map(({ refunded }) => refunded)
        .filter(({ count }) => count !== 0),
    ).toEqual([{ count: 1, money: [{ amount: 2000, currency: 'GBP' }] }])
  })

  it('rolls forward from close to close, and counts in an open month', async () => {
    const fixture = await makeFixture()
    await setVatSettings(fixture.staff, {
      ...{ isRegistered: 'true', vatNumber: 'GB123456789', usesOss: 'true', ossNumber: 'EU372012345' },
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
    const email = ann()
    const german = { plan: '1PN39.99', country: 'DE' }
    const old = await take(fixture, email, german)
    at('2026-02-10')
    await credit(fixture, old, '20.00')
    at('2026-03-06')
    for (const month of ['2026-01', '2026-02']) await closeMonth(fixture.staff, { month })
    // The clock was set back into a closed month.
    at('2026-02-27')
    const id = await take(fixture, email, { ...german, method: 'invoice' })
    await pay(fixture, id, '15.00')
    at('2026-04-01')
    await pay(fixture, id, '5.00')
    at('2026-04-30')
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
    const used = (await look(fixture, old)).vat.filter(({ kind }) => kind === 'credit-used')
    expect(used.map(({ taxPoint, gross }) => [taxPoint, gross])).toEqual([
      ['2026-03-01', -1500],
      ['2026-04-01', -500],
    ])
  })

  it('its VAT is given back when it is used, on that day, and what it pays has its own', async () => {
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
    const email = ann()
    const german = { plan: '1PN39.99', country: 'DE' }
    const old = await take(fixture, email, german)
    at('2026-01-20')
    await credit(fixture, old)
    const vat = async (from: string, until: string) => {
      const { rows } = await vatReport(fixture.staff, { from, until })
      return rows.reduce((sum, row) => sum + row.vat, 0)
    }
    const due = await vat('2026-01-01', '2026-01-31')
    expect(due).toBe(262)
    at('2026-01-25')
    const id = await take(fixture, email, { ...german, method: 'credit' })
    expect(await vat('2026-01-25', '2026-01-25')).toBe(0)
    expect((await look(fixture, old)).vat.map(({ kind, vat }) => [kind, vat])).toEqual([
      ['sale', 262],
      ['credit-used', -262],
    ])
    expect((await look(fixture, id)).vat.map(({ kind, vat }) => [kind, vat])).toEqual([['sale', 262]])
    at(addDays('2026-01-31', 1))
    const { journals } = await makeJournal(fixture.staff, { month: '2026-01' })
    expect(sumsOf(journals)).toMatchObject({ credits: 0, vat: -262 })
    for (const { lines } of journals) expect(lines.reduce((sum, { amount }) => sum + amount, 0)).toBe(0)
  })
})
