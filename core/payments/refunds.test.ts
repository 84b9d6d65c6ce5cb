import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { revenue } from '#core/analytics/revenue.query.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { planRefund, refundOrder } from '#core/orders/refund-order.ts'
import { settleRefunds } from '#core/orders/settle-refunds.ts'
import { settleReversal } from '#core/orders/settle-reversal.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBackIssue, makePromo, system } from '#tests/support/factories.ts'
import { issueForm, rowsOf } from '#tests/support/shop.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { receivePaymentEvent } from './receive-payment-event.ts'

const sendRefundNotice = mailSender('refund-notice')

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, runSettling, stateOf, intentOf } = stripeShops(
  () => services,
  () => stripe,
)
type Shop = Awaited<ReturnType<typeof open>>

/** A year of print for £29.99 from 1 January 2026, looked at on 20 April. */
async function paidOrder(fields: object = {}, given?: Shop) {
  services.clock.now = new Date('2026-01-01T10:00:00Z')
  const shop = given ?? (await open())
  const { placed, intent } = await order(fields, 'stripe-card', shop)
  stripe.pay(intent)
  await confirmOrder(services.as(visitor), placed)
  services.clock.now = new Date('2026-04-20T10:00:00Z')
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  return { shop, placed, intent, staff, id: placed.orderId }
}

async function sendWebhook(shop: Shop, about: string, type = 'charge.refunded'): Promise<void> {
  const message = stripe.message({ about, type, at: services.clock.now })
  await receivePaymentEvent(services.as(visitor), { sender: 'stripe', publisherId: shop.publisherId, ...message })
  await runSettling()
}

const refundRows = (orderId: number) =>
  services.db.query<Record<string, unknown>>(`SELECT * FROM refunds WHERE order_id = :orderId ORDER BY id`, { orderId })
const moneyOf = async (staff: Parameters<typeof getOrder>[0], id: number) => {
  const { state, refunded, net, fulfilled, liability } = await getOrder(staff, { id })
  return { state, refunded, net, fulfilled, liability }
}
const sweep = () => settleRefunds(services.as(system), {})

describe('a refund through the provider', () => {
  it('of the whole amount reverses the order, once, however often its form is sent', async () => {
    services.clock.now = new Date('2026-01-01T10:00:00Z')
    const shop = await open()
    await makePromo(services, shop.id, 'SPRING', { uses: 1, discountPercent: 50 })
    const { id, intent, staff } = await paidOrder({ promoCode: 'SPRING' }, shop)
    const form = { id, scope: 'whole', reason: 'Changed her mind', key: 'form-whole-1', expected: 1499 }
    const [refund] = await Promise.all([refundOrder(staff, form), refundOrder(staff, form)])
    expect(await refundOrder(staff, form)).toMatchObject({ id: refund.id, state: 'succeeded', amount: 1499 })
    expect(stripe.refunds(intent)).toMatchObject([
      { amount: 1499, metadata: { refund: expect.stringContaining('form-whole-1') } },
    ])
    expect(await moneyOf(staff, id)).toEqual({ state: 'refunded', refunded: 1499, net: 0, fulfilled: 0, liability: 0 })
    expect(await stateOf(id)).toEqual({ order: 'refunded', payment: 'refunded' })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2026-04-20' }])
    // The provider reports it too: no second refund is stored.
    await sendWebhook(shop, intent)
    await sendWebhook(shop, intent, 'refund.updated')
    expect(await refundRows(id)).toHaveLength(1)
    expect(await moneyOf(staff, id)).toMatchObject({ refunded: 1499, net: 0 })
    await expect(refundOrder(staff, { id, scope: 'whole' })).rejects.toMatchObject({ kind: 'conflict' })
  })

  it('of the unserved months keeps what was earned, ends the term with the running month, and notifies the buyer', async () => {
    const { shop, id, staff } = await paidOrder({ plan: '1PR25.00' })
    const plan = await planRefund(staff, { id, scope: 'months' })
    expect(plan).toMatchObject({
      amount: 1668,
      monthCount: 8,
      fromOn: '2026-05-01',
      untilOn: '2027-01-01',
      netAfter: 832,
    })
    const before = (await ledgerTotals(staff, { asOf: '2026-04-19' })).GBP
    const refund = await refundOrder(staff, { id, scope: 'months', reason: 'Moved abroad', expected: 1668 })
    expect(refund).toMatchObject({ state: 'succeeded', amount: 1668, fromOn: '2026-05-01' })
    expect(await moneyOf(staff, id)).toEqual({
      state: 'paid',
      refunded: 1668,
      net: 832,
      fulfilled: 624,
      liability: 208,
    })
    expect((await ledgerTotals(staff, { asOf: '2026-04-19' })).GBP).toEqual(before)
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2026-04-30', sub_paid: 2500 }])
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([{ state: 'ended' }])
    services.clock.now = new Date('2026-09-01T10:00:00Z')
    expect(await moneyOf(staff, id)).toMatchObject({ net: 832, fulfilled: 832, liability: 0 })
    await expect(refundOrder(staff, { id, scope: 'months' })).rejects.toMatchObject({
      fields: { scope: expect.anything() },
    })
    const about = { orderId: id, refundId: refund.id, to: 'buyer' }
    expect((await queuedEmails(services, 'refund-notice')).map((mail) => mail.about)).toContainEqual(about)
    expect(await sendRefundNotice(services.as(system), about)).toBe(true)
    const [mail] = (await services.mail.devMailbox?.list(1)) ?? []
    expect(mail?.text).toMatch(/£16\.68\sGBP[\s\S]*runs until 30\/04\/2026/)
  })

  it('of several amounts never exceeds what was paid, even concurrently', async () => {
    const { id, intent, staff } = await paidOrder()
    await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })
    await expect(refundOrder(staff, { id, scope: 'amount', amount: '25.00' })).rejects.toMatchObject({
      fields: { amount: 'At most £24.99 can be refunded' },
    })
    const both = await Promise.allSettled([
      refundOrder(staff, { id, scope: 'amount', amount: '15.00' }),
      refundOrder(staff, { id, scope: 'amount', amount: '15.00' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 2000, net: 999 })
    await refundOrder(staff, { id, scope: 'whole' })
    expect(await moneyOf(staff, id)).toEqual({ state: 'refunded', refunded: 2999, net: 0, fulfilled: 0, liability: 0 })
    expect(stripe.refunds(intent).map(({ amount }) => amount)).toEqual([500, 1500, 999])
  })

  it('whose response was lost is looked up by the same key, and made once', async () => {
    const { id, intent, staff } = await paidOrder()
    stripe.dropNextResponse('/v1/refunds')
    stripe.dropNextResponse('/v1/refunds')
    expect(await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })).toMatchObject({ state: 'planned' })
    expect(await moneyOf(staff, id)).toMatchObject({ refunded: 0 })
    // A refund that may be in progress cannot be made twice, whatever key the retry has.
    const refusal = { kind: 'conflict', message: expect.stringContaining('has not responded to an earlier refund') }
    for (const method of ['provider', 'hand'] as const) {
      const second = { id, scope: 'amount', amount: '5.00', method, key: `again-by-${method}` } as const
      await expect(refundOrder(staff, second)).rejects.toMatchObject(refusal)
    }
    await expect(planRefund(staff, { id, scope: 'whole' })).rejects.toMatchObject(refusal)
    await sweep()
    expect(await refundRows(id)).toMatchObject([{ state: 'planned' }])
    services.clock.advance({ minutes: 6 })
    await Promise.all([sweep(), sweep()])
    expect(await refundRows(id)).toMatchObject([
      { state: 'succeeded', provider_reference: stripe.refunds(intent)[0]?.id },
    ])
    expect(stripe.refunds(intent)).toHaveLength(1)
    expect(await moneyOf(staff, id)).toMatchObject({ refunded: 500, net: 2499 })
    expect(await planRefund(staff, { id, scope: 'whole' })).toMatchObject({ amount: 2499 })
  })

  it('that never reached the provider is requested when it answers again', async () => {
    const { id, intent, staff } = await paidOrder()
    stripe.failNext('/v1/refunds', 500, 2)
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({ state: 'planned' })
    expect(stripe.refunds(intent)).toEqual([])
    services.clock.advance({ minutes: 6 })
    await sweep()
    expect(stripe.refunds(intent)).toHaveLength(1)
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'refunded', net: 0 })
  })

  it('that the provider refuses refunds nothing, and shows why', async () => {
    const { id, intent, staff } = await paidOrder()
    stripe.setPayment(intent, { latest_charge: stripe.objects.get(intent)?.latest_charge })
    stripe.refund(intent, 2000)
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({
      state: 'failed',
      problem: expect.stringContaining('greater than unrefunded amount'),
    })
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 0, net: 2999 })
  })

  it('that fails after it was accepted is reversed in the ledger, and staff are notified', async () => {
    const { shop, id, intent, staff } = await paidOrder()
    stripe.setRefundStatus('pending')
    expect(await refundOrder(staff, { id, scope: 'whole' })).toMatchObject({ state: 'pending' })
    stripe.setRefundStatus('succeeded')
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'refunded', net: 0 })
    stripe.failRefund(String(stripe.refunds(intent)[0]?.id))
    services.clock.advance({ days: 3 })
    await sendWebhook(shop, intent, 'refund.failed')
    await sendWebhook(shop, intent, 'charge.refund.updated')
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 0, net: 2999, fulfilled: 747 })
    expect(await refundRows(id)).toMatchObject([{ state: 'failed', problem: 'lost or stolen card' }])
    const notices = (await queuedEmails(services, 'refund-notice')).filter(
      ({ publisherId }) => publisherId === shop.publisherId,
    )
    expect(notices.map(({ about }) => about)).toMatchObject([{ to: 'publication', orderId: id }])
    // It can be refunded again, this time manually.
    expect(await refundOrder(staff, { id, scope: 'whole', method: 'hand' })).toMatchObject({
      state: 'succeeded',
      method: 'hand',
    })
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'refunded', refunded: 2999, net: 0 })
    expect(stripe.refunds(intent)).toHaveLength(1)
  })

  it('that fails after it was accepted uses the order’s promo code again', async () => {
    services.clock.now = new Date('2026-01-01T10:00:00Z')
    const shop = await open()
    await makePromo(services, shop.id, 'ONCE', { uses: 1 })
    const { id, intent, staff } = await paidOrder({ promoCode: 'ONCE' }, shop)
    stripe.setRefundStatus('pending')
    await refundOrder(staff, { id, scope: 'whole' })
    stripe.setRefundStatus('succeeded')
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    stripe.failRefund(String(stripe.refunds(intent)[0]?.id))
    await sendWebhook(shop, intent, 'refund.failed')
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 0 })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 1 }])
  })
})

describe('a refund', () => {
  it('cannot be made by another publisher, or by staff without the permission', async () => {
    const { shop, id } = await paidOrder()
    const stranger = services.as(await actorOf(services, 'publisher'))
    await expect(refundOrder(stranger, { id, scope: 'whole' })).rejects.toMatchObject({ kind: 'notFound' })
    for (const type of ['admin', 'mailer'] as const) {
      const staff = services.as(await actorOf(services, type, shop.publisherId))
      await expect(refundOrder(staff, { id, scope: 'whole' })).rejects.toMatchObject({ kind: 'denied' })
    }
  })

  it('with other figures than were confirmed is refused', async () => {
    const { id, staff } = await paidOrder()
    await expect(refundOrder(staff, { id, scope: 'months', expected: 2252 })).rejects.toMatchObject({
      kind: 'conflict',
    })
    expect(await refundRows(id)).toEqual([])
  })

  it('that was made at the provider is recorded too, alongside our own, and refunding the rest reverses the order', async () => {
    const { shop, id, intent, staff } = await paidOrder()
    await refundOrder(staff, { id, scope: 'amount', amount: '5.00' })
    stripe.refund(intent, 500)
    await sendWebhook(shop, intent)
    await sendWebhook(shop, intent)
    expect(await refundRows(id)).toMatchObject([
      { method: 'provider', amount: 500 },
      { method: 'reported', amount: 500, scope: 'amount' },
    ])
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 1000, net: 1999 })
    stripe.refund(intent, 1999)
    await sendWebhook(shop, intent)
    expect(await moneyOf(staff, id)).toEqual({ state: 'refunded', refunded: 2999, net: 0, fulfilled: 0, liability: 0 })
  })
})

describe('a dispute', () => {
  const dispute = async (paid: { shop: Shop; intent: string }, status: string) => {
    stripe.dispute(paid.intent, status)
    await sendWebhook(paid.shop, paid.intent, 'charge.dispute.updated')
  }

  it('that is open blocks a refund; one lost and then won restores money and term, once', async () => {
    const paid = await paidOrder()
    const { shop, id, staff } = paid
    await dispute(paid, 'needs_response')
    await expect(refundOrder(staff, { id, scope: 'whole' })).rejects.toMatchObject({
      message: expect.stringContaining('disputes'),
    })
    await dispute(paid, 'lost')
    await dispute(paid, 'lost')
    expect(await moneyOf(staff, id)).toEqual({ state: 'reversed', refunded: 2999, net: 0, fulfilled: 0, liability: 0 })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2026-04-20', sub_paid: null }])
    services.clock.advance({ days: 1 })
    await dispute(paid, 'won')
    await dispute(paid, 'won')
    expect(await moneyOf(staff, id)).toEqual({ state: 'paid', refunded: 0, net: 2999, fulfilled: 747, liability: 2252 })
    expect(await stateOf(id)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-01-01', sub_paid: 2999 }])
    // The provider's fee for the dispute does not reduce the revenue.
    const fees = (await rowsOf(services, 'ledger_entries', shop.id)).filter(({ kind }) => kind === 'fee')
    expect(fees).toMatchObject([{ amount: -2000 }])
    expect((await revenue(staff, { publicationId: shop.id })).overall).toEqual([{ amount: 2999, currency: 'GBP' }])
    expect((await ledgerTotals(staff, {})).GBP).toMatchObject({ net: 2999, fulfilled: 747 })
    await refundOrder(staff, { id, scope: 'whole' })
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'refunded', net: 0 })
  })

  it('that is lost, won, lost again and won again moves the money and the term each time', async () => {
    const paid = await paidOrder()
    const { shop, id, staff } = paid
    const reversed = { state: 'reversed', refunded: 2999, net: 0, fulfilled: 0, liability: 0 }
    for (let round = 0; round < 2; round++) {
      await dispute(paid, 'lost')
      await dispute(paid, 'lost')
      expect(await moneyOf(staff, id)).toEqual(reversed)
      expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2026-04-20', sub_paid: null }])
      await dispute(paid, 'won')
      await dispute(paid, 'won')
      expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 0, net: 2999 })
      expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-01-01', sub_paid: 2999 }])
    }
    await dispute(paid, 'lost')
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'reversed', net: 0, liability: 0 })
    const fees = (await rowsOf(services, 'ledger_entries', shop.id)).filter(({ kind }) => kind === 'fee')
    expect(fees).toMatchObject([{ amount: -2000 }])
  })

  it('that is lost while a refund is pending takes that part too when the refund fails', async () => {
    for (const amount of ['10.00', '29.99']) {
      const paid = await paidOrder()
      const { shop, id, intent, staff } = paid
      stripe.setRefundStatus('pending')
      await refundOrder(staff, { id, scope: 'amount', amount })
      stripe.setRefundStatus('succeeded')
      await dispute(paid, 'lost')
      expect(await moneyOf(staff, id)).toMatchObject({ refunded: 2999, net: 0 })
      // The provider does not refund a payment that the bank has taken back.
      stripe.failRefund(String(stripe.refunds(intent)[0]?.id))
      await sendWebhook(shop, intent, 'refund.failed')
      await sendWebhook(shop, intent, 'charge.refund.updated')
      expect(await moneyOf(staff, id)).toMatchObject({ state: 'reversed', refunded: 2999, net: 0, liability: 0 })
      await dispute(paid, 'won')
      expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', refunded: 0, net: 2999 })
    }
  })

  it('that is lost again is reported again to the buyer and the publication', async () => {
    const paid = await paidOrder()
    const reports = async () =>
      (await queuedEmails(services, 'payment-failed')).filter(({ about }) => about.orderId === paid.id)
    await dispute(paid, 'lost')
    expect(await reports()).toHaveLength(2)
    await dispute(paid, 'won')
    await dispute(paid, 'lost')
    await dispute(paid, 'lost')
    expect(await reports()).toHaveLength(4)
  })

  it('about each of two successive terms, lost in the order they were bought, leaves neither term', async () => {
    const shop = await open()
    const first = await paidOrder({ plan: '1PN29.99', email: 'ann@example.test' }, shop)
    const second = await paidOrder({ plan: '1PN29.99', email: 'ann@example.test' }, shop)
    const term = async () => (await rowsOf(services, 'readers', shop.id)).map((row) => row.sub_end_on)
    expect(await term()).toEqual(['2028-01-01'])
    await dispute(first, 'lost')
    // The second term follows the first, and is left as it is.
    expect(await term()).toEqual(['2028-01-01'])
    await dispute(second, 'lost')
    expect(await term()).toEqual(['2026-04-20'])
    await dispute(first, 'won')
    expect(await term()).toEqual(['2027-01-01'])
    await dispute(second, 'won')
    expect(await term()).toEqual(['2028-01-01'])
  })

  it('about the second of two terms returns to the first, if that was paid again meanwhile', async () => {
    const shop = await open()
    const first = await paidOrder({ plan: '1PN29.99', email: 'ann@example.test' }, shop)
    const second = await paidOrder({ plan: '1PN29.99', email: 'ann@example.test' }, shop)
    await dispute(first, 'lost')
    await dispute(first, 'won')
    await dispute(second, 'lost')
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: '2027-01-01', sub_paid: 2999 }])
  })

  it('about a part takes that part once, also if it is examined again and lost again', async () => {
    const { staff, id } = await paidOrder()
    const report = (state: 'open' | 'lost' | 'won') =>
      services.db.transaction(() =>
        settleReversal(services.as(system), id, {
          state: 'paid',
          reference: 'pi_1',
          money: { amount: 2999, currency: 'GBP' },
          disputes: [{ reference: 'dp_2', amount: 1000, state, reason: '', fee: null }],
        }),
      )
    for (const state of ['lost', 'open', 'lost'] as const) await report(state)
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', net: 1999 })
    await report('won')
    expect(await moneyOf(staff, id)).toMatchObject({ state: 'paid', net: 2999 })
  })

  it('enters each fee that the provider adds to it, once', async () => {
    const { shop, id } = await paidOrder()
    const report = (state: 'open' | 'lost', amount: number) =>
      services.db.transaction(() =>
        settleReversal(services.as(system), id, {
          state: 'paid',
          reference: 'pi_1',
          money: { amount: 2999, currency: 'GBP' },
          disputes: [{ reference: 'dp_1', amount: 2999, state, reason: '', fee: { amount, currency: 'GBP' } }],
        }),
      )
    await report('open', 1500)
    await report('open', 3000)
    await report('lost', 3000)
    const fees = (await rowsOf(services, 'ledger_entries', shop.id)).filter(({ kind }) => kind === 'fee')
    expect(fees.map(({ amount }) => amount)).toEqual([-1500, -1500])
  })

  it('that is lost after a refund takes only the rest', async () => {
    const paid = await paidOrder()
    await refundOrder(paid.staff, { id: paid.id, scope: 'amount', amount: '10.00' })
    await dispute(paid, 'lost')
    expect(await moneyOf(paid.staff, paid.id)).toMatchObject({ state: 'reversed', refunded: 2999, net: 0 })
  })

  it('that is lost returns no posted copy to stock', async () => {
    const shop = await open({ sellsBackIssues: true })
    const issue = await makeBackIssue(services, shop.id, { stock: 3 })
    const form = issueForm(shop, [issue.id], { payment: { provider: 'stripe-card' } })
    const placed = await placeBackIssueOrder(services.as(visitor), form)
    const intent = await intentOf(placed.orderId)
    stripe.pay(intent)
    await confirmOrder(services.as(visitor), placed)
    await postCopies(services.as(await actorOf(services, 'publisher', shop.publisherId)), {
      orderIds: [placed.orderId],
    })
    await dispute({ shop, intent }, 'lost')
    expect(await stateOf(placed.orderId)).toEqual({ order: 'reversed', payment: 'failed' })
    expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 2 }])
  })
})
