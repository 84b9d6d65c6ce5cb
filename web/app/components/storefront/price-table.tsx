import { useState } from 'react'
import { isDelivered, type Product, products } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import type { Promo } from './order-answer.ts'
import { priceWith } from './order-summary.tsx'
import { productText, termText } from './plan-text.ts'
import { planKey } from './plan-words.tsx'
import { ProductTabs } from './product-tabs.tsx'

interface PriceTableProps {
  plans: readonly PlanOption[]
  /** The code that takes something off some of the prices. */
  promo: Promo | null
  chosen: string
  onChoose: (key: string) => void
  error: string | undefined
}

const widths = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3']

/**
 * The prices: a column per product, a row per term, each cell a radio whose label is the whole cell. What is not sold is not there, so
 * a short column has no holes. On phones the columns are tabs; without a script they stand one under the other.
 */
export function PriceTable({ plans, promo, chosen, onChoose, error }: PriceTableProps) {
  const t = useT()
  const [opened, setOpened] = useState<Product | null>(null)
  const id = fieldId('plan')
  const columns = products.flatMap((product) => {
    const cells = plans.flatMap((plan, index) => (plan.product === product ? [{ plan, index }] : []))
    return cells.length > 0 ? [{ product, cells }] : []
  })
  const isTabbed = columns.length > 1
  const isEven = new Set(columns.map(({ cells }) => cells.length)).size === 1
  const ofChosen = plans.find((plan) => planKey(plan) === chosen)?.product
  const shown = columns.find(({ product }) => product === (opened ?? ofChosen)) ?? columns[0]
  return (
    <fieldset id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : undefined} className="outline-none">
      <legend>
        <h2 className="wrap-anywhere hyphens-auto text-h2">{t('Choose your subscription')}</h2>
      </legend>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {isTabbed && (
        <>
          <noscript>
            <style>
              {'.product-tabs{display:none!important}.product-column,.product-name{display:block!important}'}
            </style>
          </noscript>
          <ProductTabs
            products={columns.map(({ product }) => product)}
            shown={shown?.product}
            columnId={(product) => `prices-${product}`}
            onShow={setOpened}
          />
        </>
      )}
      <div className={`mt-4 grid gap-4 ${widths[columns.length]} ${isEven ? '' : 'items-start'}`}>
        {columns.map(({ product, cells }) => (
          <fieldset
            key={product}
            id={`prices-${product}`}
            aria-labelledby={`prices-${product}-name`}
            className={`product-column flex min-w-0 flex-col overflow-hidden rounded-card border border-control ${isTabbed && product !== shown?.product ? 'max-sm:hidden' : ''}`}
          >
            <h3
              id={`prices-${product}-name`}
              className={`product-name bg-subtle px-3 py-2 text-input font-semibold ${isTabbed ? 'max-sm:hidden' : ''}`}
            >
              {productText(t, product)}
            </h3>
            <div className={`grid grow ${isEven ? 'auto-rows-fr' : ''}`}>
              {cells.map(({ plan, index }) => (
                <PriceCell
                  key={planKey(plan)}
                  plan={plan}
                  index={index}
                  promo={promo}
                  isChosen={planKey(plan) === chosen}
                  onChoose={() => onChoose(planKey(plan))}
                />
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </fieldset>
  )
}

interface PriceCellProps {
  plan: PlanOption
  index: number
  promo: Promo | null
  isChosen: boolean
  onChoose: () => void
}

function PriceCell({ plan, index, promo, isChosen, onChoose }: PriceCellProps) {
  const t = useT()
  const { discount, amount } = priceWith(promo, plan)
  const money = (value: number) => t.money({ amount: value, currency: plan.currency })
  return (
    <label className="relative flex min-h-18 items-start gap-2.5 border-t border-line bg-surface p-3 first:border-t-0 hover:bg-subtle has-checked:z-1 has-checked:bg-subtle has-checked:outline-2 has-checked:-outline-offset-2 has-checked:outline-ink has-focus-visible:z-1 has-focus-visible:outline-3 has-focus-visible:-outline-offset-3 has-focus-visible:outline-black">
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
        <span className="block text-body text-ink-2">{termText(t, plan.termMonths)}</span>
        <span className="block text-lead font-semibold">
          {discount > 0 && (
            <>
              <span className="sr-only">{t('was')} </span>
              <s className="numeric mr-1.5 text-body font-normal text-ink-2">{money(plan.price)}</s>
              <span className="sr-only">{t('now')} </span>
            </>
          )}
          <span className="numeric">{plan.isFree ? t('Free') : money(amount)}</span>
        </span>
        {plan.isRecurring && <span className="block text-table text-ink-2">{t('Renews automatically')}</span>}
      </span>
    </label>
  )
}
