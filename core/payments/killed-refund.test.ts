import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { getOrder } from '#core/orders/get-order.query.ts'
import { refundOrder } from '#core/orders/refund-order.ts'
import { settleRefunds } from '#core/orders/settle-refunds.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { actorOf, system } from '#tests/support/factories.ts'
import { killedBeforeCommit, killedWhile } from '#tests/support/killed-process.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  // The process that is killed calls the same Stripe server.
  process.env.STRIPE_API_BASE = stripe.url
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { order, stateOf } = stripeShops(
  () => services,
  () => stripe,
)

/** The refunds differ from seed to seed: `FAULT_SEED=7 npm run test:faults`. */
const { roll } = seededRandom(Number(process.env.FAULT_SEED ?? 20261122))
const amounts = Array.from({ length: process.env.TEST_FAULTS ? 4 : 1 }, () => 1 + roll(2999))

/** An order of £29.99 that was paid by card, and the form of its refund. */
async function paidOrder(amount: number) {
  services.clock.now = new Date()
  const { shop, placed, intent } = await order()
  stripe.pay(intent)
  await confirmOrder(services.as(visitor), placed)
  const staff = services.as(await actorOf(services, 'publisher', shop.publisherId))
  const scope = amount === 2999 ? 'whole' : 'amount'
  const form = { id: placed.orderId, scope, amount: (amount / 100).toFixed(2), reason: 'Late', key: randomUUID() }
  const program = {
    imports: `import { refundOrder } from '#core/orders/refund-order.ts'`,
    body: `await refundOrder({ ...ctx, actor: ${JSON.stringify(staff.actor)} }, ${JSON.stringify(form)})`,
  }
  return { intent, staff, form, program, id: placed.orderId }
}
type Refunded = Awaited<ReturnType<typeof paidOrder>>

/** Reports when Stripe is about to be called for a refund, and when it has answered. */
const reporting = `
  const gateway = services.payments['stripe-card']
  const { refund } = gateway
  gateway.refund = async (...args) => {
    tell({ at: 'before' })
    const answer = await refund(...args)
    tell({ at: 'answered' })
    return answer
  }
`

const points: [string, (refunded: Refunded) => Promise<void>, { reached: boolean }][] = [
  [
    'before the provider is called',
    ({ program }) =>
      killedWhile(services, { ...program, body: reporting + program.body, shouldKill: ({ at }) => at === 'before' }),
    { reached: false },
  ],
  [
    'after the provider has answered',
    ({ program }) =>
      killedWhile(services, { ...program, body: reporting + program.body, shouldKill: ({ at }) => at === 'answered' }),
    { reached: true },
  ],
  // The first commit stores the refund, the second enters it.
  [
    'before the ledger entry',
    ({ program }) => killedBeforeCommit(services, { ...program, commit: 2 }),
    { reached: true },
  ],
]

describe.each(points)('a refund whose process is killed %s', (_, kill, { reached }) => {
  it.each(amounts)('is made once, here and at the provider, without being entered again (%i)', async (amount) => {
    const refunded = await paidOrder(amount)
    const { id, intent, staff, form } = refunded
    await kill(refunded)
    expect(stripe.refunds(intent)).toHaveLength(reached ? 1 : 0)
    expect(await getOrder(staff, { id })).toMatchObject({ net: 2999, refunds: [{ state: 'planned', amount }] })

    services.clock.advance({ minutes: 6 })
    const sweep = () => settleRefunds(services.as(system), {})
    await Promise.all([sweep(), sweep()])
    await sweep()

    expect(stripe.refunds(intent)).toMatchObject([{ amount }])
    expect(await getOrder(staff, { id })).toMatchObject({
      net: 2999 - amount,
      refunds: [{ state: 'succeeded', amount }],
    })
    const [entered] = await services.db.query<{ sum: number }>(
      `SELECT SUM(amount) AS sum FROM ledger_entries WHERE order_id = :id AND kind = 'refund'`,
      { id },
    )
    expect(Number(entered?.sum)).toBe(-amount)
    expect((await stateOf(id)).order).toBe(amount === 2999 ? 'refunded' : 'paid')
    // The browser that never got a response sends its form again: it is the same refund, and one email.
    await refundOrder(staff, form)
    expect(stripe.refunds(intent)).toHaveLength(1)
    expect((await queuedEmails(services, 'refund-notice')).filter(({ about }) => about.orderId === id)).toHaveLength(
      amount === 2999 ? 0 : 1,
    )
    expect(await verifyLedger(staff, {})).toMatchObject({ different: 0 })
  })
})
