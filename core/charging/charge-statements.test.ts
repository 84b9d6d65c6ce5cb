import { beforeAll, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { announceRenewals } from '#tests/support/announce-renewals.ts'
import { rowsOf } from '#tests/support/shop.ts'
import { stripeCards } from '#tests/support/stripe-cards.ts'
import { type StripeServer, startStripeServer } from '#tests/support/stripe-server.ts'
import { stripeShops } from '#tests/support/stripe-shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { chargeRenewal } from './charge-renewal.ts'

let services: TestServices
let stripe: StripeServer
beforeAll(async () => {
  stripe = await startStripeServer()
  services = await openTestServices({ STRIPE_API_BASE: stripe.url })
})
const { open, order } = stripeShops(
  () => services,
  () => stripe,
)

/**
 * The maximum number of statements per charge; for PostgreSQL the number of messages, each of which may contain several statements. Two of
 * SQLite's statements enqueue webhooks: for the order, and for the term.
 */
const max = { sqlite: 50, postgres: 25 }

it('a charge needs few database statements', async () => {
  services.clock.now = new Date('2026-11-22T10:00:00Z')
  const shop = await open()
  const { placed, intent } = await order({ plan: '1PR25.00' }, 'stripe-card', shop)
  stripe.pay(intent, stripeCards.paid)
  expect(await confirmOrder(services.as(visitor), placed)).toMatchObject({ state: 'paid' })
  const system = services.as({ kind: 'system' })
  services.clock.now = new Date('2027-10-23T05:00:00Z')
  await announceRenewals(system, '2027-10-23')
  services.clock.now = new Date('2027-11-22T05:00:00Z')
  const [renewal] = await rowsOf(services, 'renewals', shop.id)

  const { options } = services.db.sequelize as unknown as { options: { logging: unknown } }
  const statements: string[] = []
  options.logging = (statement: string) => statements.push(statement)
  expect(await chargeRenewal(system, Number(renewal?.id), '2027-11-22')).toBe('paid')
  options.logging = false
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(max[services.db.dialect])
})
