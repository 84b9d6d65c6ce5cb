import { useState } from 'react'
import { isDelivered, type Product, products } from '#core/pricing/plan-code.rules.ts'
import { pricePerIssue, savingPercent } from '#core/pricing/plan-value.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import type { Promo } from './order-response.ts'
import { priceWith } from './order-summary.tsx'
import { planKey } from './per-plan.tsx'
import { productText, termText } from './plan-text.ts'
import { ProductTabs } from './product-tabs.tsx'

interface PriceTableProps {
  plans: readonly PlanOption[]
  issuesPerYear: number
  /** The promo code that discounts some of the prices. */
  promo: Promo | null
  chosen: string
  onChoose: (key: string) => void
  error: string | undefined
}

const gridClasses = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3']

/**
 * The prices: a column per product, a row per term; each cell is a radio whose label fills the cell. A product not sold for a term has an
 * empty cell, so that terms line up. On phones the columns are tabs; without JavaScript they are stacked, without empty cells.
 */
export function PriceTable({ plans, issuesPerYear, promo, chosen, onChoose, error }: PriceTableProps) {
  const t = useT()
  const [openedProduct, setOpenedProduct] = useState<Product | null>(null)
  const id = fieldId('plan')
  const columns = products.flatMap((product) => {
    const cells = plans.flatMap((plan, index) => (plan.product === product ? [{ plan, index }] : []))
    return cells.length > 0 ? [{ product, cells }] : []
  })
  const isTabbed = columns.length > 1
  const rows = [...new Set(plans.map(termKey))]
  const hasSavings = plans.some((plan) => savingPercent(plan, priceWith(promo, plan).amount, plans) > 0)
  const chosenProduct = plans.find((plan) => planKey(plan) === chosen)?.product
  const shownColumn = columns.find(({ product }) => product === (openedProduct ?? chosenProduct)) ?? columns[0]
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
            shown={shownColumn?.product}
            columnId={(product) => `prices-${product}`}
            onShow={setOpenedProduct}
          />
        </>
      )}
      <div className={`mt-4 grid gap-4 ${gridClasses[columns.length]}`}>
        {columns.map(({ product, cells }) => (
          <fieldset
            key={product}
            id={`prices-${product}`}
            aria-labelledby={`prices-${product}-name`}
            className={`product-column flex min-w-0 flex-col overflow-hidden rounded-card border border-control ${isTabbed && product !== shownColumn?.product ? 'max-sm:hidden' : ''}`}
          >
            <h3
              id={`prices-${product}-name`}
              className={`product-name bg-subtle px-3 py-2 text-input font-semibold ${isTabbed ? 'max-sm:hidden' : ''}`}
            >
              {productText(t, product)}
            </h3>
            <div className="grid grow sm:auto-rows-fr">
              {rows.map((row) => {
                const cell = cells.find(({ plan }) => termKey(plan) === row)
                if (!cell)
                  return <div key={row} className="border-t border-line bg-surface first:border-t-0 max-sm:hidden" />
                const { plan, index } = cell
                return (
                  <PriceCell
                    key={row}
                    plan={plan}
                    plans={plans}
                    issuesPerYear={issuesPerYear}
                    index={index}
                    promo={promo}
                    isChosen={planKey(plan) === chosen}
                    onChoose={() => onChoose(planKey(plan))}
                  />
                )
              })}
            </div>
          </fieldset>
        ))}
      </div>
      {hasSavings && (
        <p className="mt-2 text-table text-ink-2">
          {t('Savings compared with the highest price per month for the same product.')}
        </p>
      )}
    </fieldset>
  )
}

/** One row of the table: a term, one-off or recurring. */
function termKey({ termMonths, isRecurring }: PlanOption): string {
  return `${termMonths ?? 'free'}-${isRecurring}`
}

interface PriceCellProps {
  plan: PlanOption
  plans: readonly PlanOption[]
  issuesPerYear: number
  index: number
  promo: Promo | null
  isChosen: boolean
  onChoose: () => void
}

function PriceCell({ plan, plans, issuesPerYear, index, promo, isChosen, onChoose }: PriceCellProps) {
  const t = useT()
  const { discount, amount } = priceWith(promo, plan)
  const money = (value: number) => t.money({ amount: value, currency: plan.currency })
  const percent = savingPercent(plan, amount, plans)
  const perIssue = pricePerIssue(plan, amount, issuesPerYear)
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
        {percent > 0 && <span className="block text-table text-ink-2">{t('Save {percent}%', { percent })}</span>}
        {perIssue !== null && amount > 0 && (
          <span className="numeric block text-table text-ink-2">
            {t('{amount} an issue', { amount: money(perIssue) })}
          </span>
        )}
        {plan.isRecurring && <span className="block text-table text-ink-2">{t('Renews automatically')}</span>}
      </span>
    </label>
  )
}
