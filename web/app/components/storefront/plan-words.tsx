import type { ReactNode } from 'react'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'

/**
 * Words that go with the chosen plan: one text per plan, of which the style sheet shows the chosen one's. So the total and the button
 * are right without JavaScript, too. `fallback` stands where a browser cannot do that.
 */
export function PlanWords({
  plans,
  fallback = '',
  children,
}: {
  plans: readonly PlanOption[]
  fallback?: ReactNode
  children: (plan: PlanOption) => ReactNode
}) {
  return (
    <>
      <span className="plan-fallback">{fallback}</span>
      {plans.map((plan, index) => (
        <span key={planKey(plan)} className={`plan-words plan-words-${index}`}>
          {children(plan)}
        </span>
      ))}
    </>
  )
}

/** The rules that show what belongs to the chosen plan, and hide what it does not need. */
export function PlanStyles({ plans }: { plans: readonly PlanOption[] }) {
  const shown = plans.map((_, index) => `.shop:has(#plan-${index}:checked) .plan-words-${index}{display:inline}`)
  const hidden =
    '.shop:has([data-posted=no]:checked) .if-posted,.shop:has([data-free=yes]:checked) :is(.if-paid,.if-priced){display:none}'
  return (
    <style>{`.plan-words{display:none}@supports selector(:has(*)){.plan-fallback{display:none}${shown.join('')}${hidden}}`}</style>
  )
}

/** Names a plan whatever it costs, so that a choice outlives a change of country. */
export function planKey(plan: Pick<PlanOption, 'product' | 'termMonths' | 'isRecurring'>): string {
  return `${plan.product}-${plan.termMonths ?? 'free'}-${plan.isRecurring ? 'renewing' : 'once'}`
}
