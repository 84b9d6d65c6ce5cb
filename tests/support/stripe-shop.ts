import { visitor } from '#core/access/actor.ts'
import { asJson } from '#core/database.ts'
import type { PlacedOrder } from '#core/orders/order-once.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { refreshOrderPayment } from '#core/orders/refresh-order-payment.ts'
import { settlePendingOrders } from '#core/orders/settle-pending-orders.ts'
import { refreshAgreement } from '#core/payments/refresh-agreement.ts'
import { connectPayee } from './connect-payee.ts'
import { system } from './factories.ts'
import { makeShop, orderForm } from './shop.ts'
import type { StripeServer } from './stripe-server.ts'
import type { TestServices } from './test-services.ts'

const handlers = { 'settle-order': refreshOrderPayment, 'refresh-agreement': refreshAgreement }

type Shop = Awaited<ReturnType<typeof makeShop>>

/** A shop whose publisher is paid through Stripe, with helpers for tests. */
export function stripeShops(services: () => TestServices, stripe: () => StripeServer) {
  const open = async (fields: object = {}): Promise<Shop> => {
    const shop = await makeShop(services(), fields)
    const { publishableKey, secretKey, webhookSecret } = stripe()
    await connectPayee(services(), shop.publisherId, 'stripeDets', { publishableKey, secretKey, webhookSecret })
    await services().db.run(`UPDATE accounts SET direct_debit_option = 'stripe' WHERE user_id = :publisherId`, {
      publisherId: shop.publisherId,
    })
    return shop
  }

  /** Orders by card or debit; returns the order and the id of its payment at Stripe. */
  const order = async (
    fields: object = {},
    provider: 'stripe-card' | 'stripe-bacs' = 'stripe-card',
    existing?: Shop,
  ) => {
    const shop = existing ?? (await open())
    const form = orderForm(shop, { payment: { provider }, ...fields })
    const placed: PlacedOrder = await placeOrder(services().as(visitor), form)
    return { shop, form, placed, intent: await intentOf(placed.orderId) }
  }

  const intentOf = async (orderId: number): Promise<string> => {
    const [payment] = await services().db.query<{ provider_reference: string | null }>(
      `SELECT provider_reference FROM payments WHERE order_id = :orderId`,
      { orderId },
    )
    return payment?.provider_reference ?? ''
  }

  /** Runs the jobs that webhooks queued, as the worker does. Returns how many. */
  const runSettling = async (): Promise<number> => {
    const jobs = await services().db.query<{ id: number; name: keyof typeof handlers; payload: unknown }>(
      `SELECT id, name, payload FROM jobs WHERE name IN ('settle-order', 'refresh-agreement') AND state = 'waiting'`,
    )
    for (const { id, name, payload } of jobs) {
      await handlers[name](services().as(system), asJson(payload))
      await services().db.run(`UPDATE jobs SET state = 'done' WHERE id = :id`, { id })
    }
    return jobs.length
  }

  return {
    open,
    order,
    intentOf,
    runSettling,
    sweep: () => settlePendingOrders(services().as(system), {}),
    async stateOf(orderId: number): Promise<{ order: string; payment: string }> {
      const [row] = await services().db.query<{ order_state: string; payment_state: string }>(
        `SELECT o.state AS order_state, y.state AS payment_state FROM orders o JOIN payments y ON y.order_id = o.id WHERE o.id = :orderId`,
        { orderId },
      )
      return { order: row?.order_state ?? '', payment: row?.payment_state ?? '' }
    },
  }
}
