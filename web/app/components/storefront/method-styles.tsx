import { methodsFor, type PaidProvider } from '#core/payment-methods/payment-methods.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'

/** CSS that hides the payment methods the chosen plan does not have, and the demo card's field for other methods; works without JavaScript. */
export function MethodStyles({
  plans,
  accepts,
  freeIndexes,
}: {
  plans: readonly PlanOption[]
  accepts: readonly PaidProvider[]
  /** The plans that cost nothing because of a promo code. */
  freeIndexes: readonly number[]
}) {
  const unusable = plans.flatMap((plan, index) => {
    const usable = methodsFor(accepts, plan)
    return accepts.flatMap((method) =>
      usable.includes(method) ? [] : [`.shop:has(#plan-${index}:checked) .pays-${method}`],
    )
  })
  const free = freeIndexes.map((index) => `.shop:has(#plan-${index}:checked) .if-paid`)
  const hidden = [
    ...unusable,
    ...free,
    // No quotes: the server escapes them as entities, which CSS does not decode.
    String.raw`.shop:has([name=payment\.provider]:checked):not(:has([name=payment\.provider][value=demo]:checked)) .demo-card`,
  ]
  return <style>{`${hidden.join(',')}{display:none}`}</style>
}
