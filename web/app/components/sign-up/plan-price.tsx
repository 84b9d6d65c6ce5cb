import type { Coupon } from '#core/ports/plan-billing.ts'
import type { PlanQuote, PriceType } from '#core/pricing/publisher-plans.rules.ts'
import { pounds } from '../account/plan-texts.ts'
import { chargeTexts } from './charge-texts.ts'

interface PlanPriceProps {
  quote: PlanQuote
  coupon: Coupon | null
  priceType: PriceType
}

/** The price of a plan line by line: titles, VAT, coupon, and the total that is due first. */
export function PlanPrice({ quote, coupon, priceType }: PlanPriceProps) {
  const { titles, perTitle, net, vat, off, total } = quote
  const isTaxed = priceType === 'VAT'
  return (
    <dl className="rounded-card bg-subtle px-4 py-3 text-body" aria-live="polite">
      <Line
        label={`${titles === 1 ? '1 title' : `${titles} titles`} at ${pounds(perTitle)} per title`}
        value={pounds(net)}
      />
      {isTaxed && <Line label="VAT at 20%" value={pounds(vat)} />}
      {coupon && off > 0 && <Line label={`${coupon.name}: ${coupon.percentOff}% off`} value={`−${pounds(off)}`} />}
      <div className="mt-2 flex items-baseline justify-between gap-4 border-t border-line pt-2">
        <dt className="font-semibold">{chargeTexts(quote, coupon, priceType).total}</dt>
        <dd className="numeric text-h3 font-semibold">
          {off > 0 && (
            <s className="mr-2 text-body font-normal text-muted max-sm:block max-sm:text-right">
              <span className="sr-only">was </span>
              {pounds(net + vat)}
            </s>
          )}
          {pounds(total)}
        </dd>
      </div>
    </dl>
  )
}

function Line({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-4 py-0.5">
      <dt className="text-ink-2">{label}</dt>
      <dd className="numeric whitespace-nowrap">{value}</dd>
    </div>
  )
}
