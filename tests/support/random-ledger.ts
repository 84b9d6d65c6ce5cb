import fc from 'fast-check'
import { type Actor, visitor } from '#core/access/actor.ts'
import { addDays } from '#core/kernel/calendar.ts'
import type { Day } from '#core/kernel/dates.ts'
import { enterFee, enterTakenBack } from '#core/ledger/ledger-entries.rows.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { postCopies } from '#core/orders/post-copies.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { actorOf, makeBackIssue } from './factories.ts'
import { issueForm, makeShop, orderForm } from './shop.ts'
import type { TestServices } from './test-services.ts'

/**
 * Random sales of two titles and of back issues, posted or not, from the day `first` on, with refunds, disputes and their fees; one of the titles is removed at the end. Leaves
 * the clock on the morning of `last`, and gives the publisher.
 */
export async function makeRandomLedger(
  services: TestServices,
  { first, last, orders, seed }: { first: Day; last: Day; orders: number; seed: number },
): Promise<Actor> {
  const at = (day: string) => {
    services.clock.now = new Date(`${day}T10:00:00Z`)
  }
  at(first)
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
    outcome: fc.constantFrom('nothing', 'amount', 'months', 'whole', 'dispute'),
    after: fc.nat(200),
    share: fc.integer({ min: 1, max: 100 }),
  })
  for (const one of fc.sample(choices, { numRuns: orders, seed })) {
    const bought = addDays(first, one.days)
    at(bought)
    const { plan } = one.plan
    const { orderId: id, amount } =
      plan === 'issue'
        ? await placeBackIssueOrder(services.as(visitor), issueForm(shop, [issue.id]))
        : await placeOrder(services.as(visitor), orderForm(plan === 'FDN' ? shop : one.shop, one.plan))
    const today = addDays(bought, one.after)
    at(today)
    if (plan === 'issue' && one.isPosted) await postCopies(services.as(staff), { orderIds: [id] })
    if (amount === 0 || one.outcome === 'nothing') continue
    if (one.outcome === 'dispute') {
      await services.db.transaction(async () => {
        await enterTakenBack(services.as(staff), { orderId: id, kind: 'dispute', cause: 'dispute:1', amount, today })
        await enterFee(services.as(staff), { orderId: id, cause: 'dispute:1', amount: 2000, currency: 'USD', today })
      })
    } else {
      const asked = one.outcome === 'amount' ? { amount: (Math.ceil((amount * one.share) / 100) / 100).toFixed(2) } : {}
      // A copy has no months.
      const scope = plan === 'issue' && one.outcome === 'months' ? 'whole' : one.outcome
      await refundOrder(services.as(staff), { id, scope, ...asked })
    }
  }
  await services.db.run(`UPDATE publications SET removed_at = :now WHERE id = :id`, {
    now: services.now(),
    id: second.id,
  })
  at(last)
  return staff
}
