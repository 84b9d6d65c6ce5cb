import { formatMoney } from '#core/kernel/money.ts'
import { isDelivered, productNames, termName } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { FieldError, fieldId } from '../ui/field.tsx'
import { planKey } from './plan-words.tsx'

interface PriceCardsProps {
  plans: readonly PlanOption[]
  chosen: string
  onChoose: (key: string) => void
  error: string | undefined
}

/** The price table as radio cards: a column per product, a card per term; the whole card is the target. */
export function PriceCards({ plans, chosen, onChoose, error }: PriceCardsProps) {
  const columns = [...new Set(plans.map(({ product }) => product))]
  const widths = ['', 'sm:grid-cols-1', 'sm:grid-cols-2', 'sm:grid-cols-3']
  const id = fieldId('plan')
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : undefined} className="outline-none">
      <legend className="text-h2 font-semibold">Choose your subscription</legend>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className={`mt-4 grid gap-x-4 gap-y-6 ${widths[columns.length]}`}>
        {columns.map((product) => (
          <fieldset key={product} className="min-w-0">
            <legend className="mb-2 text-input font-semibold">{productNames[product]}</legend>
            <div className="grid grid-cols-2 gap-2 sm:grid-cols-1">
              {plans.map((plan, index) =>
                plan.product === product ? (
                  <PriceCard
                    key={planKey(plan)}
                    plan={plan}
                    index={index}
                    isChosen={planKey(plan) === chosen}
                    onChoose={() => onChoose(planKey(plan))}
                  />
                ) : null,
              )}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}

interface PriceCardProps {
  plan: PlanOption
  index: number
  isChosen: boolean
  onChoose: () => void
}

function PriceCard({ plan, index, isChosen, onChoose }: PriceCardProps) {
  return (
    <label className="flex min-h-18 items-start gap-2.5 rounded-card border border-control bg-surface p-3 hover:bg-subtle has-checked:border-ink has-checked:bg-subtle has-checked:outline-1 has-checked:outline-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-black">
      <input
        type="radio"
        id={`plan-${index}`}
        name="plan"
        value={plan.code}
        checked={isChosen}
        onChange={onChoose}
        data-posted={isDelivered(plan.product) ? 'yes' : 'no'}
        data-free={plan.isFree ? 'yes' : 'no'}
        className="mt-1 size-4.5 shrink-0 accent-ink focus-visible:outline-none"
      />
      <span className="min-w-0">
        <span className="block text-body text-ink-2">
          {plan.isFree ? 'Until further notice' : termName(plan.termMonths)}
        </span>
        <span className="numeric block text-lead font-semibold">
          {plan.isFree ? 'Free' : formatMoney({ amount: plan.price, currency: plan.currency })}
        </span>
        {plan.isRecurring && <span className="block text-table text-ink-2">Renews automatically</span>}
      </span>
    </label>
  )
}
