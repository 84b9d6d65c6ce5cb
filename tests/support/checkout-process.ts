import { visitor } from '#core/access/actor.ts'
import { contextFor, type Log } from '#core/context.ts'
import { confirmOrder } from '#core/orders/confirm-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { readEnv } from '#core/platform/env.ts'
import { makeServices } from '#core/platform/make-services.ts'
import { orderForm } from './shop.ts'

/**
 * A process of the product that sells in a loop until it is killed: it takes an order, the buyer pays it at the fake Stripe as a
 * browser would, and returns. Its fixtures are in the environment: the database, the shop, Stripe.
 */
export async function sellForever(): Promise<never> {
  const { SHOP_URL_KEY: urlKey = '', SHOP_PROMO: promoCode = '', STRIPE_API_BASE: stripe = '' } = process.env
  const silent: Log = { info: () => {}, warn: () => {}, error: () => {} }
  const services = await makeServices(readEnv(process.env), { log: silent })
  const ctx = () => contextFor(services, visitor, { entryPoint: 'test' })
  for (;;) await buyOnce().catch(() => {})

  async function buyOnce(): Promise<void> {
    const form = orderForm({ id: 0, urlKey, publisherId: 0 }, { promoCode, payment: { provider: 'stripe-card' } })
    const placed = await placeOrder(ctx(), form)
    if (placed.next?.kind !== 'confirm') return
    const { clientSecret, publishableKey } = placed.next
    await fetch(`${stripe}/v1/payment_intents/${clientSecret.split('_secret_')[0]}/confirm`, {
      method: 'POST',
      body: new URLSearchParams({
        key: publishableKey,
        client_secret: clientSecret,
        'payment_method_data[type]': 'card',
        'payment_method_data[card][number]': '4242424242424242',
      }),
    })
    await confirmOrder(ctx(), placed)
  }
}
