import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { revenue } from '#core/analytics/revenue.query.ts'
import { addDays, dayOf } from '#core/kernel/calendar.ts'
import { ledgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { listOrders } from '#core/orders/list-orders.query.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { actorOf, makeBackIssue, makePromo, system } from '#tests/support/factories.ts'
import { issueForm, rowsOf } from '#tests/support/shop.ts'
import { stripeAccounts } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { receivePaymentEvent } from './receive-payment-event.ts'

const sendPaymentFailed = mailSender('payment-failed')

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order, runSettling, sweep, stateOf, intentOf } = stripeShops(
  () => services,
  () => stripe,
)
type Shop = Awaited<ReturnType<typeof open>>

const confirm = (placed: object) => confirmOrder(services.as(visitor), placed)

async function sendWebhook(shop: Shop, about: string, type: string): Promise<void> {
  const message = stripe.message({ about, type, at: services.clock.now })
  await receivePaymentEvent(services.as(visitor), { sender: 'stripe', publisherId: shop.publisherId, ...message })
  await runSettling()
}

/** The amounts that a shop's staff see. */
async function moneyOf(shop: Shop) {
  const ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const totals = await ledgerTotals(ctx, {})
  const sold = await revenue(ctx, { publicationId: shop.id })
  const { rows } = await listOrders(ctx, {})
  return { totals: totals.GBP, revenue: sold.overall, rows }
}

const nothing = { net: 0, fulfilled: 0, liability: 0 }

async function payByDebit(shop: Shop, fields: object = {}) {
  const debited = await order(fields, 'stripe-bacs', shop)
  stripe.pay(debited.intent, stripeAccounts.right)
  await confirm(debited.placed)
  return debited
}

describe('a direct debit', () => {
  it('is accepted while the bank processes it, with its mandate, last four digits and day, and paid days later', async () => {
    const shop = await open()
    const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-bacs', shop)
    expect(placed.next).toMatchObject({ kind: 'confirm', isDirectDebit: true })
    stripe.pay(intent, stripeAccounts.right)
    expect(await confirm(placed)).toMatchObject({ state: 'paid' })
    const [payment] = await services.db.query<Record<string, unknown>>(`SELECT * FROM payments WHERE order_id = :id`, {
      id: placed.orderId,
    })
    expect(payment).toMatchObject({
      state: 'accepted',
      account_last_four: '2345',
      mandate_reference: expect.stringMatching(/^mandate_/),
      charged_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    })
    expect(JSON.stringify(payment)).not.toContain('00012345')
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([
      { state: 'active', mandate_reference: payment?.mandate_reference, customer_reference: expect.any(String) },
    ])

    stripe.finishDebit(intent, 'paid')
    await sendWebhook(shop, intent, 'payment_intent.succeeded')
    expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toHaveLength(1)
  })

  it('is checked once a day when no webhook comes, until the bank has answered', async () => {
    const { placed, intent } = await payByDebit(await open())
    const polls = () => stripe.requests.filter(({ method, path }) => method === 'GET' && path.endsWith(intent)).length
    const before = polls()
    for (const minutes of [11, 60, 60]) {
      services.clock.advance({ minutes })
      await sweep()
    }
    expect(polls()).toBe(before)
    services.clock.advance({ days: 1 })
    await sweep()
    await sweep()
    expect(polls()).toBe(before + 1)
    stripe.finishDebit(intent, 'paid')
    services.clock.advance({ days: 1, minutes: 1 })
    await sweep()
    expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    services.clock.advance({ days: 1, minutes: 1 })
    await sweep()
    expect(polls()).toBe(before + 2)
  })

  it('that fails days later is reversed completely, once', async () => {
    const shop = await open()
    await makePromo(services, shop.id, 'SPRING', { uses: 1, discountPercent: 50 })
    const { placed, intent } = await payByDebit(shop, { promoCode: 'SPRING' })
    expect(await moneyOf(shop)).toMatchObject({ totals: { net: 1499, liability: 1499 } })
    services.clock.advance({ days: 4 })
    const today = dayOf(services.clock.now, 'Europe/London')
    stripe.finishDebit(intent, 'failed')
    await Promise.all([sendWebhook(shop, intent, 'payment_intent.payment_failed'), sweep()])
    await sendWebhook(shop, intent, 'charge.failed')

    expect(await stateOf(placed.orderId)).toEqual({ order: 'reversed', payment: 'failed' })
    const money = await moneyOf(shop)
    expect(money).toMatchObject({ totals: nothing, revenue: [{ amount: 0, currency: 'GBP' }] })
    expect(money.rows).toMatchObject([{ state: 'reversed', fulfilled: 0, liability: 0 }])
    expect(await rowsOf(services, 'ledger_entries', shop.id)).toMatchObject([
      { kind: 'sale', amount: 1499 },
      { kind: 'debit-failed', amount: -1499, entered_on: today },
    ])
    const [sale, reversal] = await rowsOf(services, 'ledger_entries', shop.id)
    expect(reversal).toMatchObject({ service_start_on: sale?.service_start_on, term_months: 12 })
    expect(await rowsOf(services, 'promo_codes', shop.id)).toMatchObject([{ used: 0 }])
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: today, sub_paid: null }])
    const events = await rowsOf(services, 'reader_events', shop.id)
    expect(events.map(({ kind }) => kind)).toEqual(['added', 'reversed'])
    expect(stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
    const audit = await services.db.query(
      `SELECT action FROM audit_log WHERE action = 'order-reversed' AND subject_id = :id`,
      { id: placed.orderId },
    )
    expect(audit).toHaveLength(1)
  })

  it('that fails ends the agreement, and notifies the buyer and the publication, once each', async () => {
    const shop = await open({ publicationName: 'Harbour Light' })
    const { placed, intent } = await payByDebit(shop, { plan: '1PR25.00' })
    stripe.finishDebit(intent, 'failed')
    await sendWebhook(shop, intent, 'payment_intent.payment_failed')
    expect(await rowsOf(services, 'payment_agreements', shop.id)).toMatchObject([{ state: 'ended' }])
    const queued = await queuedEmails(services, 'payment-failed')
    const payloads = queued.filter(({ publisherId }) => publisherId === shop.publisherId).map(({ about }) => about)
    expect(payloads).toEqual([
      { orderId: placed.orderId, to: 'buyer' },
      { orderId: placed.orderId, to: 'publication' },
    ])
    for (const payload of payloads) {
      expect(await sendPaymentFailed(services.as(system), payload)).toBe(true)
      expect(await sendPaymentFailed(services.as(system), payload)).toBe(false)
    }
    const emails = (await services.mail.devMailbox?.list(5)) ?? []
    const about = emails.filter(({ subject }) => subject.includes(placed.orderNumber))
    expect(about.map(({ to }) => to).sort()).toEqual([expect.stringContaining('buyer-'), 'orders@example.test'])
    expect(about.map(({ text }) => text).join('\n')).toMatch(/could not be taken[\s\S]*order again and pay/)
  })

  it('is left for staff if the record was extended since, until the extension is reversed too', async () => {
    const shop = await open()
    const email = 'twice@example.test'
    const buyer = { email, confirmEmail: email, password: 'masthead' }
    const first = await payByDebit(shop, buyer)
    const [afterFirst] = await rowsOf(services, 'readers', shop.id)
    const second = await payByDebit(shop, buyer)
    const [afterSecond] = await rowsOf(services, 'readers', shop.id)
    const [secondTerm] = await services.db.query<{ sub_start_on: string; sub_end_on: string }>(
      `SELECT sub_start_on, sub_end_on FROM orders WHERE id = :id`,
      { id: second.placed.orderId },
    )
    expect(afterSecond).toMatchObject({ sub_end_on: secondTerm?.sub_end_on })

    // The first debit fails after the second one has extended the record.
    stripe.finishDebit(first.intent, 'failed')
    await sendWebhook(shop, first.intent, 'payment_intent.payment_failed')
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([{ sub_end_on: secondTerm?.sub_end_on }])
    const events = await rowsOf(services, 'reader_events', shop.id)
    expect(events.at(-1)).toMatchObject({ kind: 'reversed', note: expect.stringContaining('changed since') })

    stripe.finishDebit(second.intent, 'failed')
    await sendWebhook(shop, second.intent, 'payment_intent.payment_failed')
    expect(secondTerm?.sub_start_on).toBe(addDays(String(afterFirst?.sub_end_on), 1))
    // Neither was paid: the record does not return to the term of the first.
    expect(await rowsOf(services, 'readers', shop.id)).toMatchObject([
      { sub_end_on: dayOf(services.clock.now, 'Europe/London'), sub_paid: null },
    ])
  })

  it('that fails before its first check is declined', async () => {
    const shop = await open()
    const { placed, intent } = await order({}, 'stripe-bacs', shop)
    stripe.pay(intent, stripeAccounts.right)
    stripe.finishDebit(intent, 'failed')
    expect(await confirm(placed)).toMatchObject({ state: 'declined' })
    expect(await rowsOf(services, 'readers', shop.id)).toEqual([])
    expect(stripe.objects.get(intent)).toMatchObject({ status: 'canceled' })
  })
})

describe('money that is returned', () => {
  it('in full reverses the order and keeps posted copies; in part it leaves the order paid', async () => {
    const shop = await open({ sellsBackIssues: true })
    const issue = await makeBackIssue(services, shop.id, { stock: 3 })
    const placed = await placeBackIssueOrder(
      services.as(visitor),
      issueForm(shop, [issue.id], { payment: { provider: 'stripe-card' } }),
    )
    const intent = await intentOf(placed.orderId)
    stripe.pay(intent)
    await confirm(placed)
    const ctx = services.as(await actorOf(services, 'publisher', shop.publisherId))
    await postCopies(ctx, { orderIds: [placed.orderId] })
    stripe.refund(intent, 100)
    await sendWebhook(shop, intent, 'charge.refunded')
    expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await moneyOf(shop)).toMatchObject({ totals: { amount: 800, refunded: 100, net: 700, fulfilled: 700 } })

    stripe.refund(intent, 700)
    await sendWebhook(shop, intent, 'charge.refunded')
    expect(await stateOf(placed.orderId)).toEqual({ order: 'refunded', payment: 'refunded' })
    expect(await rowsOf(services, 'back_issues', shop.id)).toMatchObject([{ stock: 2 }])
    expect(await moneyOf(shop)).toMatchObject({ totals: nothing })
    expect(await getOrder(ctx, { id: placed.orderId })).toMatchObject({
      state: 'refunded',
      liability: 0,
      payment: { state: 'refunded', reason: 'The money was refunded', takenBackAt: expect.any(Date) },
    })
  })

  it('by a dispute is reversed when it is lost, not while it is open, nor when it is won', async () => {
    const shop = await open()
    const lost = await order({}, 'stripe-card', shop)
    const won = await order({}, 'stripe-card', shop)
    for (const { placed, intent } of [lost, won]) {
      stripe.pay(intent)
      await confirm(placed)
      stripe.dispute(intent, 'needs_response')
      await sendWebhook(shop, intent, 'charge.dispute.created')
      expect(await stateOf(placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    }
    stripe.dispute(lost.intent, 'lost')
    stripe.dispute(won.intent, 'won')
    for (const { intent } of [lost, won]) await sendWebhook(shop, intent, 'charge.dispute.closed')
    expect(await stateOf(lost.placed.orderId)).toEqual({ order: 'reversed', payment: 'failed' })
    expect(await stateOf(won.placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    expect(await moneyOf(shop)).toMatchObject({ totals: { net: 2999, liability: 2999 } })
  })

  it('by a dispute that was prevented is reversed if it took money', async () => {
    const shop = await open()
    const taken = await order({}, 'stripe-card', shop)
    const kept = await order({}, 'stripe-card', shop)
    for (const { placed, intent } of [taken, kept]) {
      stripe.pay(intent)
      await confirm(placed)
      stripe.dispute(intent, 'prevented', { takesMoney: intent === taken.intent })
      await sendWebhook(shop, intent, 'charge.dispute.created')
    }
    expect(await stateOf(taken.placed.orderId)).toEqual({ order: 'reversed', payment: 'failed' })
    expect(await stateOf(kept.placed.orderId)).toEqual({ order: 'paid', payment: 'paid' })
    const states = `SELECT order_id, state FROM disputes WHERE order_id IN (:taken, :kept)`
    const ids = { taken: taken.placed.orderId, kept: kept.placed.orderId }
    expect(await services.db.query(states, ids)).toEqual([{ order_id: ids.taken, state: 'lost' }])
  })
})
