import type { ReactNode } from 'react'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'

/**
 * Text that depends on the chosen plan: it is rendered for every plan, and CSS shows only the text of the chosen one, so that total and button are
 * also right without JavaScript. `fallback` is shown by browsers without `:has()`.
 */
export function PerPlan({
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
        <span key={planKey(plan)} className={`per-plan per-plan-${index}`}>
          {children(plan)}
        </span>
      ))}
    </>
  )
}

/** CSS that shows the parts of the chosen plan, and hides what it does not need. */
export function PlanStyles({ plans }: { plans: readonly PlanOption[] }) {
  const showRules = plans.map((_, index) => `.shop:has(#plan-${index}:checked) .per-plan-${index}{display:inline}`)
  const hideRules =
    '.shop:has([data-posted=no]:checked) .if-posted,.shop:has([data-free=yes]:checked) :is(.if-paid,.if-priced){display:none}'
  return (
    <style>{`.per-plan{display:none}@supports selector(:has(*)){.plan-fallback{display:none}${showRules.join('')}${hideRules}}`}</style>
  )
}

/** Identifies a plan independently of its price, so that the choice is kept when the country changes. */
export function planKey(plan: Pick<PlanOption, 'product' | 'termMonths' | 'isRecurring'>): string {
  return `${plan.product}-${plan.termMonths ?? 'free'}-${plan.isRecurring ? 'renewing' : 'once'}`
}
