import type Stripe from 'stripe'
import type { PublisherPlan } from '#core/pricing/publisher-plans.rules.ts'
import { missingAsNull, stripeCode } from './stripe-client.ts'

/** A plan's name on Stripe's invoices. One product for each kind: titles are its quantity. */
const products: Record<PublisherPlan['kind'], { id: string; name: string }> = {
  standard: { id: 'masthead-standard', name: 'Masthead, standard plan, per title' },
  plus: { id: 'masthead-plus', name: 'Masthead, plan with the mobile app, per title' },
}

/** The product of a kind of plan, created if it does not exist yet. Returns its id. */
export async function ensureProduct(stripe: Stripe, kind: PublisherPlan['kind']): Promise<string> {
  const { id, name } = products[kind]
  const existing = await stripe.products.retrieve(id).catch(missingAsNull)
  if (existing) return id
  await stripe.products.create({ id, name }, { idempotencyKey: `masthead-product-${kind}` }).catch((error: unknown) => {
    // Another sign-up created it concurrently.
    if (stripeCode(error) !== 'resource_already_exists') throw error
  })
  return id
}

/** The key of the plan for a quantity of a product; null for a product that is not ours. */
export function planKeyOf(product: string, quantity: number): string | null {
  const kind = (Object.keys(products) as PublisherPlan['kind'][]).find((name) => products[name].id === product)
  return kind ? `${kind}-${quantity}` : null
}

/** A plan as an item of a subscription. */
export function planItem(plan: PublisherPlan, product: string, isTaxed: boolean) {
  return {
    price_data: {
      currency: 'gbp',
      product,
      recurring: { interval: 'month' as const },
      unit_amount: (isTaxed ? plan.pricePlusVat : plan.price) / plan.titles,
    },
    quantity: plan.titles,
  }
}

export function describePlan(plan: PublisherPlan, isTaxed: boolean): string {
  return isTaxed ? `${plan.name}, including 20% VAT` : plan.name
}
