import type { Translator } from '#core/kernel/translator.ts'
import { discounted, type PromoConditions, promoProblem } from '#core/pricing/discount.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import type { Promo } from './order-response.ts'
import { PerPlan } from './per-plan.tsx'
import { planText } from './plan-text.ts'

/** The price of a plan with the promo code, and the discount; 0 if the code is not for this plan. */
export function priceWith(promo: Promo | null, plan: PlanOption): { discount: number; amount: number } {
  if (!promo || promoProblem(conditionsOf(promo), plan, '')) return { discount: 0, amount: plan.price }
  return discounted(plan.price, promo.discountPercent)
}

const conditionsByPromo = new WeakMap<Promo, PromoConditions>()

/** The server has checked the code's days and uses; only the plan is checked here. Called for each price of a page. */
function conditionsOf(promo: Promo): PromoConditions {
  let conditions = conditionsByPromo.get(promo)
  if (!conditions) {
    conditions = { ...promo, startsOn: null, endsOn: null, uses: 0, used: 0 }
    conditionsByPromo.set(promo, conditions)
  }
  return conditions
}

/** The total as text: "£29.99 GBP", or "Free". */
export function totalText(t: Translator, plan: PlanOption, promo: Promo | null): string {
  if (plan.isFree) return t('Free')
  return t.moneyWithCode({ amount: priceWith(promo, plan).amount, currency: plan.currency })
}

/** The chosen plan and its price, next to the form; below it on small screens. */
export function OrderSummary({
  plans,
  promo,
  publicationName,
}: {
  plans: readonly PlanOption[]
  promo: Promo | null
  publicationName: string
}) {
  const t = useT()
  return (
    <section aria-labelledby="summary-heading" className="card p-5">
      <h2 id="summary-heading" className="text-h3">
        {t('Your order')}
      </h2>
      <p className="mt-3 font-medium">{publicationName}</p>
      <p className="text-body text-ink-2">
        <PerPlan plans={plans} fallback={t('The subscription you choose')}>
          {(plan) => planText(t, plan)}
        </PerPlan>
      </p>
      {promo && (
        <p className="mt-3 text-body">
          <PerPlan plans={plans}>{(plan) => <PromoLine promo={promo} plan={plan} />}</PerPlan>
        </p>
      )}
      <p className="mt-4 flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-4 text-lead font-semibold">
        <span>{t('Total')}</span>
        <span className="numeric">
          <PerPlan plans={plans} fallback={t('As shown above')}>
            {(plan) => <Total plan={plan} promo={promo} />}
          </PerPlan>
        </span>
      </p>
    </section>
  )
}

function Total({ plan, promo }: { plan: PlanOption; promo: Promo | null }) {
  const t = useT()
  const isReduced = priceWith(promo, plan).discount > 0
  return (
    <>
      {isReduced && (
        <>
          <span className="sr-only">{t('was')} </span>
          <s className="mr-2 text-body font-normal text-muted">
            {t.money({ amount: plan.price, currency: plan.currency })}
          </s>
          <span className="sr-only">, {t('now')} </span>
        </>
      )}
      {totalText(t, plan, promo)}
    </>
  )
}

function PromoLine({ promo, plan }: { promo: Promo; plan: PlanOption }) {
  const t = useT()
  const problem = promoProblem(conditionsOf(promo), plan, '')
  if (problem) return <span className="text-danger">{t.phrase(problem)}</span>
  const { discount } = priceWith(promo, plan)
  const off = t.money({ amount: discount, currency: plan.currency })
  return (
    <span className="text-success">
      {t('{code}: {percent}% off, −{amount}', { code: promo.code, percent: promo.discountPercent, amount: off })}
    </span>
  )
}
