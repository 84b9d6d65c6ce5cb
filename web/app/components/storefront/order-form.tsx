import { Form, useNavigation } from '@remix-run/react'
import { type ReactNode, useEffect, useState } from 'react'
import { formatMoney } from '#core/kernel/money.ts'
import { planName } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { Banner } from '../ui/banner.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { CountryForm, type CountryFormProps } from './country-form.tsx'
import { AddressFields, BuyerFields, OptOutFields, QuestionFields } from './detail-fields.tsx'
import { OrderSummary, type Promo, PromoBox, priceWith, type RefusedPromo, totalText } from './order-summary.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { PlanStyles, PlanWords, planKey } from './plan-words.tsx'
import { PriceCards } from './price-cards.tsx'
import { ShopButton } from './shop-button.tsx'
import type { Shop } from './shop-frame.tsx'
import { summarised } from './summarised.ts'
import { type FormState, TextField } from './text-field.tsx'

interface Problem extends FormState {
  message: string
  hint: string | undefined
}

interface OrderFormProps extends Pick<CountryFormProps, 'countries' | 'country' | 'currency'> {
  shop: Shop
  plans: readonly PlanOption[]
  /** Makes this form one order, however often it is sent. */
  formKey: string
  leastPassword: number
  promo: Promo | null
  /** A promo code that came with the link and does not apply, and why. */
  refusedLink: RefusedPromo | null
  problem: Problem | undefined
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
          <Card>
            <CountryForm
              countries={countries}
              country={country}
              currency={currency}
              promoCode={promo?.code}
              onChange={onCountry}
            />
          </Card>
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
              <Card>
                <PriceCards plans={plans} chosen={selected} onChoose={setChosen} error={form.errors.plan} />
              </Card>
              <Card heading="Your details">
                <p className="mb-4 text-body text-ink-2">
                  Boxes marked <span className="text-danger">*</span> are needed.
                </p>
                <BuyerFields form={form} leastPassword={leastPassword} />
              </Card>
              <Card heading="Billing address">
                <AddressFields form={form} prefix="billing" country={country} />
              </Card>
              <div className="if-posted">
                <Card heading="Delivery">
                  <Delivery form={form} country={country} />
                </Card>
              </div>
              {shop.questions.length > 0 && (
                <Card heading="A few questions">
                  <QuestionFields form={form} questions={shop.questions} />
                </Card>
              )}
              <Card heading="Payment">
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
              </Card>
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

/** The messages of the last refusal; one goes away when its field is changed. */
function useFormState(problem: Problem | undefined, values: Record<string, string>) {
  const [mended, setMended] = useState<readonly string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new refusal starts afresh
  useEffect(() => setMended([]), [problem])
  const errors = Object.fromEntries(Object.entries(problem?.errors ?? {}).filter(([name]) => !mended.includes(name)))
  const form: FormState = { errors, values: problem?.values ?? values }
  const forget = (event: { target: EventTarget }) => {
    const { name } = event.target as HTMLInputElement
    if (errors[name]) setMended([...mended, name])
  }
  return { form, forget }
}

function Card({ heading, children }: { heading?: string; children: ReactNode }) {
  return (
    <section className="card p-4 sm:p-6">
      {heading && <h2 className="mb-4 text-h2">{heading}</h2>}
      {children}
    </section>
  )
}

/** Where it is posted to. The fields follow the tick by style alone, so that they are there without JavaScript. */
function Delivery({ form, country }: { form: FormState; country: string }) {
  const isSame = form.values.isDeliveredToBilling !== 'false'
  return (
    <div>
      <input type="hidden" name="isDeliveredToBilling" value="false" />
      <input
        id="same-address"
        type="checkbox"
        name="isDeliveredToBilling"
        value="true"
        defaultChecked={isSame}
        className="peer mr-2.5 size-4.5 align-[-3px] accent-ink"
      />
      <label htmlFor="same-address" className="text-input">
        Deliver to the billing address
      </label>
      <div className="mt-5 grid gap-5 peer-checked:hidden">
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            form={form}
            name="shipping.firstName"
            label="First name"
            autoComplete="shipping given-name"
            maxLength={100}
          />
          <TextField
            form={form}
            name="shipping.lastName"
            label="Last name"
            autoComplete="shipping family-name"
            maxLength={100}
          />
        </div>
        <AddressFields form={form} prefix="shipping" country={country} />
      </div>
    </div>
  )
}
