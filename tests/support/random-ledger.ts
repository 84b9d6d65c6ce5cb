import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { type Actor, visitor } from '#core/access/actor.ts'
import { addDays } from '#core/kernel/calendar.ts'
import type { Day } from '#core/kernel/dates.ts'
import { enterFee, enterReversal, enterUndone } from '#core/ledger/ledger-entries.rows.ts'
import { Orders } from '#core/orders/orders.rows.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { recordInvoicePayment } from '#core/orders/record-invoice-payment.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settleRefund } from '#core/orders/settle-refund.ts'
import { takeStaffOrder } from '#core/orders/take-staff-order.ts'
import { actorOf, makeBackIssue } from './factories.ts'
import { issueForm, makeShop, orderForm } from './shop.ts'
import type { TestServices } from './test-services.ts'

/**
 * Random sales of two titles and of back issues, posted or not, from the day `first` on, by card and on account with part payments of the
 * invoice, with refunds, some of them kept as credit and used, disputes and their fees, some of which fail or are won later; one of the titles
 * is removed at the end. Sets the clock to the morning of `last`, and returns the publisher.
 */
export async function makeRandomLedger(
  services: TestServices,
  { first, last, orders, seed }: { first: Day; last: Day; orders: number; seed: number },
): Promise<Actor> {
  const setClock = (day: string) => {
    services.clock.now = new Date(`${day}T10:00:00Z`)
  }
  setClock(first)
  const shop = await makeShop(services, {
    publicationName: 'Harbour Light',
    digitalIsFree: true,
    sellsBackIssues: true,
  })
  const issue = await makeBackIssue(services, shop.id, { stock: null })
  const second = await makeShop(services, { publicationName: 'Removed' })
  await services.db.run(`UPDATE publications SET publisher_id = :to WHERE id = :id`, {
    to: shop.publisherId,
    id: second.id,
  })
  const staff = await actorOf(services, 'publisher', shop.publisherId)
  const choices = fc.record({
    shop: fc.constantFrom(shop, second),
    plan: fc.constantFrom(
      { plan: '1PN29.99' },
      { plan: '1PN39.99', country: 'DE' },
      { plan: '1BN39.99' },
      { plan: 'FDN' },
      { plan: 'issue' },
    ),
    isPosted: fc.boolean(),
    days: fc.nat(90),
    isOnAccount: fc.boolean(),
    outcome: fc.constantFrom('nothing', 'amount', 'months', 'whole', 'dispute'),
    /** The refund fails or the dispute is won, this many days later. */
    undoneAfter: fc.option(fc.nat(60)),
    after: fc.nat(200),
    share: fc.integer({ min: 1, max: 100 }),
    /** The refund of an invoice is kept as credit, and pays a part of another one this many days later. */
    usedAfter: fc.option(fc.nat(60)),
  })
  for (const sale of fc.sample(choices, { numRuns: orders, seed })) {
    const bought = addDays(first, sale.days)
    setClock(bought)
    const { plan } = sale.plan
    const isOnAccount = sale.isOnAccount && plan !== 'FDN' && plan !== 'issue'
    const from = plan === 'FDN' ? shop : sale.shop
    const email = `ann-${randomUUID()}@example.test`
    const { orderId: id, amount } = isOnAccount
      ? await takeStaffOrder(services.as(staff), onAccount(from, { ...sale.plan, email }))
      : plan === 'issue'
        ? await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id]))
        : await placeOrder(services.as(visitor), orderForm(from, sale.plan))
    const today = addDays(bought, sale.after)
    setClock(today)
    if (plan === 'issue' && sale.isPosted) await postCopies(services.as(staff), { orderIds: [id] })
    const part = (Math.ceil((amount * sale.share) / 100) / 100).toFixed(2)
    const pay = (orderId: number, amount: string, method: string) =>
      recordInvoicePayment(services.as(staff), { orderId, amount, method, key: randomUUID() })
    const due = isOnAccount ? (await pay(id, part, 'cheque')).outstanding : 0
    // A payment by cheque cannot be disputed.
    const outcome = isOnAccount && sale.outcome === 'dispute' ? 'nothing' : sale.outcome
    if (amount === 0 || outcome === 'nothing') continue
    const later = sale.undoneAfter === null || isOnAccount ? null : addDays(today, sale.undoneAfter)
    if (outcome === 'dispute') {
      await services.db.transaction(async () => {
        await enterReversal(services.as(staff), { orderId: id, kind: 'dispute', cause: 'dispute:1', amount, today })
        await enterFee(services.as(staff), { orderId: id, cause: 'dispute:1', amount: 2000, currency: 'USD', today })
      })
      if (later === null) continue
      setClock(later)
      const won = { kind: 'dispute', cause: 'dispute:1', by: 'dispute-won', today: later } as const
      await services.db.transaction(() => enterUndone(services.as(staff), { orderId: id, ...won }))
    } else {
      const isCredited = isOnAccount && sale.usedAfter !== null && today < last
      // Only what was paid can become credit.
      if (isCredited && due > 0) await pay(id, (due / 100).toFixed(2), 'cash')
      const { id: refundId, amount: refunded } = await refundOrder(services.as(staff), {
        // A back issue has no months.
        id,
        scope: plan === 'issue' && outcome === 'months' ? 'whole' : outcome,
        ...(outcome === 'amount' ? { amount: part } : {}),
        ...(isCredited ? { method: 'credit' } : {}),
      })
      if (isCredited) {
        // No later than the last day, or the sale would be in no report.
        const used = addDays(today, sale.usedAfter ?? 0)
        setClock(used < last ? used : last)
        const next = await takeStaffOrder(services.as(staff), onAccount(from, { ...sale.plan, email }))
        await pay(
          next.orderId,
          (Math.ceil((Math.min(refunded, next.amount) * sale.share) / 100) / 100).toFixed(2),
          'credit',
        )
      }
      if (later === null) continue
      setClock(later)
      await services.db.transaction(async () => {
        const order = await Orders.find(services.as(staff), { id }, { isLocked: true })
        const result = { state: 'failed', reference: null, reason: 'The account is closed' } as const
        if (order) await settleRefund(services.as(staff), { order, refundId, result })
      })
    }
  }
  await services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
    now: services.now(),
    id: second.id,
  })
  setClock(last)
  return staff
}

/** An order on account as staff enter it, at the storefront's prices. */
function onAccount(
  shop: { id: number },
  { plan, email, country = 'GB' }: { plan: string; email: string; country?: string },
) {
  return {
    publicationId: shop.id,
    plan,
    country,
    idempotencyKey: randomUUID(),
    method: 'invoice',
    firstName: 'Ann',
    lastName: 'Lee',
    email,
    billing: { addressOne: '1 Quay Street', city: 'London', postCode: 'SW1A 1AA' },
  }
}
