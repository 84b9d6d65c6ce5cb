import { formatMoney } from '#core/kernel/money.ts'
import { type ApplicableProducts, discounted, promoMessages, promoProblem } from '#core/pricing/discount.rules.ts'
import { planName } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { FieldError, fieldId } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'
import { Disclosure } from './disclosure.tsx'
import { PlanWords } from './plan-words.tsx'
import type { FormState } from './text-field.tsx'

/** A promo code that was checked and applies to some plans. */
export interface Promo {
  code: string
  discountPercent: number
  applicableProducts: ApplicableProducts
}

/** A promo code that came with the link and does not apply. */
export interface RefusedPromo {
  code: string
  message: string
}

/** What a plan costs with the promo code, and what the code takes off; nothing where it is for other plans. */
export function priceWith(promo: Promo | null, plan: PlanOption): { discount: number; amount: number } {
  // The days and the uses were checked on the server; here only the plan can change.
  const terms = promo && { ...promo, startsOn: null, endsOn: null, uses: 0, used: 0 }
  if (!terms || promoProblem(terms, plan, '')) return { discount: 0, amount: plan.price }
  return discounted(plan.price, terms.discountPercent)
}

/** "£29.99 GBP", as a total is said; "Free" where nothing is paid. */
export function totalText(plan: PlanOption, promo: Promo | null): string {
  if (plan.isFree) return 'Free'
  return `${formatMoney({ amount: priceWith(promo, plan).amount, currency: plan.currency })} ${plan.currency}`
}

/** What is bought and what it costs, beside the form; on small screens under it. */
export function OrderSummary({
  plans,
  promo,
  publicationName,
}: {
  plans: readonly PlanOption[]
  promo: Promo | null
  publicationName: string
}) {
  return (
    <section aria-labelledby="summary-heading" className="card p-5">
      <h2 id="summary-heading" className="text-h3">
        Your order
      </h2>
      <p className="mt-3 font-medium">{publicationName}</p>
      <p className="text-body text-ink-2">
        <PlanWords plans={plans} fallback="The subscription you choose">
          {(plan) => planName(plan)}
        </PlanWords>
      </p>
      {promo && (
        <p className="mt-3 text-body">
          <PlanWords plans={plans}>{(plan) => <PromoLine promo={promo} plan={plan} />}</PlanWords>
        </p>
      )}
      <p className="mt-4 flex items-baseline justify-between gap-4 border-t border-line pt-4 text-lead font-semibold">
        <span>Total</span>
        <span className="numeric">
          <PlanWords plans={plans} fallback="As shown above">
            {(plan) => <Total plan={plan} promo={promo} />}
          </PlanWords>
        </span>
      </p>
    </section>
  )
}

function Total({ plan, promo }: { plan: PlanOption; promo: Promo | null }) {
  const isReduced = priceWith(promo, plan).discount > 0
  return (
    <>
      {isReduced && (
        <>
          <span className="sr-only">was </span>
          <s className="mr-2 text-body font-normal text-muted">
            {formatMoney({ amount: plan.price, currency: plan.currency })}
          </s>
          <span className="sr-only">, now </span>
        </>
      )}
      {totalText(plan, promo)}
    </>
  )
}

function PromoLine({ promo, plan }: { promo: Promo; plan: PlanOption }) {
  const { discount } = priceWith(promo, plan)
  if (discount === 0) return <span className="text-danger">{promoMessages.otherProduct}</span>
  const off = formatMoney({ amount: discount, currency: plan.currency })
  return <span className="text-success">{`${promo.code}: ${promo.discountPercent} % off, −${off}`}</span>
}

/** The promo box, behind a link: an open one sends people hunting for codes. Gone once a code is applied. */
export function PromoBox({
  form,
  promo,
  refusedLink,
}: {
  form: FormState
  promo: Promo | null
  refusedLink: RefusedPromo | null
}) {
  if (promo) return <input type="hidden" name="promoCode" value={promo.code} />
  // The box stays empty: a code that nobody typed must not stop an order.
  const error = form.errors.promoCode ?? (refusedLink && `${refusedLink.code}: ${refusedLink.message}`)
  const id = fieldId('promoCode')
  return (
    <Disclosure label="Have a promo code?" isOpen={Boolean(error || form.values.promoCode)}>
      <label htmlFor={id} className="mt-2 block text-body font-medium text-ink-2">
        Promo code <span className="font-normal text-muted">(optional)</span>
      </label>
      <div className="mt-1.5 flex max-w-sm gap-2">
        <Input
          id={id}
          name="promoCode"
          defaultValue={form.values.promoCode}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={60}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          className="h-12!"
        />
        <button
          type="submit"
          name="intent"
          value="promo"
          className="min-h-12 shrink-0 rounded-input border border-control bg-surface px-4 text-body font-medium hover:bg-subtle"
        >
          Apply
        </button>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </Disclosure>
  )
}
