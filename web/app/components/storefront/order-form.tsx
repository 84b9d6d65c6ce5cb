import { Form, useNavigation } from '@remix-run/react'
import { useState } from 'react'
import { formatMoney } from '#core/kernel/money.ts'
import { planName } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { Banner } from '../ui/banner.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { AddressFields } from './address-fields.tsx'
import { CountryForm, type CountryFormProps } from './country-form.tsx'
import { Delivery } from './delivery-fields.tsx'
import { BuyerFields, OptOutFields, QuestionFields } from './detail-fields.tsx'
import { type OrderProblem, useFormState } from './form-state.ts'
import { OrderSummary, type Promo, PromoBox, priceWith, type RefusedPromo, totalText } from './order-summary.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { PlanStyles, PlanWords, planKey } from './plan-words.tsx'
import { PriceCards } from './price-cards.tsx'
import { ShopButton } from './shop-button.tsx'
import { ShopCard } from './shop-card.tsx'
import type { Shop } from './shop-frame.tsx'
import { summarised } from './summarised.ts'

interface OrderFormProps extends Pick<CountryFormProps, 'countries' | 'country' | 'currency'> {
  shop: Shop
  plans: readonly PlanOption[]
  /** Makes this form one order, however often it is sent. */
  formKey: string
  leastPassword: number
  promo: Promo | null
  /** A promo code that came with the link and does not apply, and why. */
  refusedLink: RefusedPromo | null
  problem: OrderProblem | undefined
  /** What was typed before, when the page comes back without being refused. */
  values: Record<string, string>
  onCountry: (country: string) => void
}

const formId = 'order'

/** The whole order on one page: country and price, details, payment. Works as plain HTML; the browser's script only keeps it from reloading. */
export function OrderForm({ shop, plans, promo, refusedLink, problem, values, ...rest }: OrderFormProps) {
  const { country, currency, countries, formKey, leastPassword, onCountry } = rest
  const [chosen, setChosen] = useState(() => startingPlan(plans, problem?.values.plan ?? values.plan, promo))
  const selected = plans.some((plan) => planKey(plan) === chosen) ? chosen : plans[0] ? planKey(plans[0]) : ''
  const { form, forget } = useFormState(problem, values)
  const navigation = useNavigation()
  const isPending = navigation.state !== 'idle' && navigation.formMethod === 'POST'
  return (
    <>
      <PlanStyles plans={plans} />
      {plans.length > 0 && (
        <p className="sticky top-0 z-10 -mx-4 -mt-8 mb-6 flex justify-between gap-4 border-b border-line bg-surface px-4 py-3 text-body font-semibold lg:hidden">
          <PlanWords plans={plans}>{(plan) => planName(plan)}</PlanWords>
          <span className="numeric whitespace-nowrap">
            <PlanWords plans={plans}>{(plan) => totalText(plan, promo)}</PlanWords>
          </span>
        </p>
      )}
      {problem && (
        <div className="mb-6">
          <ErrorSummary
            message={problem.message}
            hint={problem.hint}
            fields={summarised(problem.errors, shop.questions)}
          />
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
        <div className="grid gap-6">
          {refusedLink && (
            <Banner tone="warning" title={`The promo code ${refusedLink.code} was not applied`}>
              {refusedLink.message}
            </Banner>
          )}
          <ShopCard>
            <CountryForm
              countries={countries}
              country={country}
              currency={currency}
              promoCode={promo?.code}
              onChange={onCountry}
            />
          </ShopCard>
          {plans.length === 0 ? (
            <Banner tone="warning" title="Not sold in this country">
              {shop.publicationName} has no prices for the country you chose. Please choose another country above.
            </Banner>
          ) : (
            <Form method="post" id={formId} noValidate className="grid gap-6" onInput={forget} preventScrollReset>
              {/* The Enter key presses a form's first button: this one orders, the promo box's does not. */}
              <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
              <input type="hidden" name="country" value={country} />
              <input type="hidden" name="currency" value={currency} />
              <input type="hidden" name="idempotencyKey" value={formKey} />
              <ShopCard>
                <PriceCards plans={plans} chosen={selected} onChoose={setChosen} error={form.errors.plan} />
              </ShopCard>
              <ShopCard heading="Your details">
                <p className="mb-4 text-body text-ink-2">
                  Boxes marked <span className="text-danger">*</span> are needed.
                </p>
                <BuyerFields
                  form={form}
                  passwordHint={`To manage your subscription and read online. At least ${leastPassword} characters. Bought here before? Enter the password you have.`}
                />
              </ShopCard>
              <ShopCard heading="Billing address">
                <AddressFields form={form} prefix="billing" country={country} />
              </ShopCard>
              <div className="if-posted">
                <ShopCard heading="Delivery">
                  <Delivery form={form} country={country} />
                </ShopCard>
              </div>
              {shop.questions.length > 0 && (
                <ShopCard heading="A few questions">
                  <QuestionFields form={form} questions={shop.questions} />
                </ShopCard>
              )}
              <ShopCard heading="Payment">
                <div className="if-paid mb-4">
                  <PaymentFields form={form} shop={shop} />
                </div>
                <PromoBox form={form} promo={promo} refusedLink={refusedLink} />
                <OptOutFields form={form} />
                <div className="mt-6">
                  <ShopButton isPending={isPending}>
                    <PlanWords plans={plans} fallback="Order now">
                      {(plan) => (plan.isFree ? 'Sign up' : payText(plan, promo))}
                    </PlanWords>
                  </ShopButton>
                  <p className="mt-3 text-body text-ink-2">
                    You buy from {shop.publisher.companyName || shop.publicationName}, who keeps your details to deliver
                    your subscription.
                  </p>
                </div>
              </ShopCard>
            </Form>
          )}
        </div>
        {plans.length > 0 && (
          <div className="lg:sticky lg:top-6">
            <OrderSummary plans={plans} promo={promo} publicationName={shop.publicationName} />
          </div>
        )}
      </div>
    </>
  )
}

function payText(plan: PlanOption, promo: Promo | null): string {
  const { amount } = priceWith(promo, plan)
  return amount === 0 ? 'Order without payment' : `Pay ${formatMoney({ amount, currency: plan.currency })}`
}

/** The plan that is ticked at first: the one that was sent, whatever it costs now, else the first that a promo code is for, else the first. */
function startingPlan(plans: readonly PlanOption[], code: string | undefined, promo: Promo | null): string {
  const sent = plans.find((plan) => code !== undefined && plan.code.slice(0, 3) === code.slice(0, 3))
  const first = sent ?? plans.find((plan) => priceWith(promo, plan).discount > 0) ?? plans[0]
  return first ? planKey(first) : ''
}
