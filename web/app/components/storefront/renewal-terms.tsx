import type { Day } from '#core/kernel/dates.ts'
import type { Product } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import type { OwnProfile } from './own-values.ts'
import { PerPlan } from './per-plan.tsx'
import { planText } from './plan-text.ts'

interface RenewalTermsProps {
  plans: readonly PlanOption[]
  buyer: OwnProfile | null
  /** The last day of a term that begins today, by its months; absent for a renewal link, which continues a subscription. */
  termEnds?: Readonly<Record<string, Day>>
}

/** Date and amount of a recurring plan's next charge, and how to stop it: shown next to the button, before the purchase. */
export function RenewalTerms({ plans, buyer, termEnds = {} }: RenewalTermsProps) {
  const t = useT()
  if (!plans.some(({ isRecurring }) => isRecurring)) return null
  const terms = (endsOf: (product: Product) => Readonly<Record<string, Day>>) => (
    <PerPlan plans={plans}>
      {({ product, termMonths, isRecurring, price, currency }) => {
        const day = isRecurring && termMonths !== null && endsOf(product)[termMonths]
        return (
          day &&
          t('Renews on {day} for {amount}, and again after each term, until you turn it off in your account.', {
            day: t.day(day),
            amount: t.money({ amount: price, currency }),
          })
        )
      }}
    </PerPlan>
  )
  if (!buyer) return <p className="mt-6 text-input empty:hidden">{terms(() => termEnds)}</p>
  // The buyer's own running subscription is extended; a gift begins today.
  return (
    <>
      <p className="mt-6 text-input empty:hidden [.shop:has([data-posted=yes]:checked):has([name=isGift]:checked)_&]:hidden">
        {terms((product) => buyer.termEnds[product])}
      </p>
      <p className="mt-6 hidden text-input [.shop:has([data-posted=yes]:checked):has([name=isGift]:checked)_&]:block">
        {terms(() => termEnds)}
      </p>
    </>
  )
}

/** The logged-in buyer's automatic renewal that the chosen plan replaces; nothing for a gift, which replaces none. */
export function ReplacedRenewal({ plans, buyer }: Pick<RenewalTermsProps, 'plans' | 'buyer'>) {
  const t = useT()
  const replacedBy = ({ product, isRecurring }: PlanOption) => (isRecurring && buyer?.replacedRenewal[product]) || null
  if (!plans.some(replacedBy)) return null
  return (
    <p className="mt-3 text-input empty:hidden [.shop:has([data-posted=yes]:checked):has([name=isGift]:checked)_&]:hidden">
      <PerPlan plans={plans}>
        {(plan) => {
          const replaced = replacedBy(plan)
          return (
            replaced &&
            t('This replaces your automatic renewal of {plan}, {amount}, due on {day}.', {
              plan: planText(t, replaced.plan),
              amount: t.money(replaced.price),
              day: t.day(replaced.on),
            })
          )
        }}
      </PerPlan>
    </p>
  )
}
