import { methodsFor, type PaidProvider } from '#core/payment-methods/payment-methods.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'

/** The rules that hide what the chosen plan cannot be paid by, and the demo card's box where something else is chosen: also without a script. */
export function MethodStyles({
  plans,
  accepts,
  freeIndexes,
}: {
  plans: readonly PlanOption[]
  accepts: readonly PaidProvider[]
  /** The plans for which nothing is paid, by a promo code that takes all off. */
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
    // No quotes: the server writes them as entities, which a style sheet does not know.
    String.raw`.shop:has([name=payment\.provider]:checked):not(:has([name=payment\.provider][value=demo]:checked)) .demo-card`,
  ]
  return <style>{`${hidden.join(',')}{display:none}`}</style>
}
