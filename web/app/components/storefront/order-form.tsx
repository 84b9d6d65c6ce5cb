import { type FormEvent, useCallback, useState } from 'react'
import { printMinorUnits } from '#core/kernel/money.ts'
import { methodsFor, type PaidProvider } from '#core/payments/payment-methods.rules.ts'
import { isDelivered } from '#core/pricing/plan-code.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { CountryForm, type CountryFormProps } from './country-form.tsx'
import { CustomerDoors } from './customer-doors.tsx'
import { CustomerSections } from './customer-sections.tsx'
import { goToField } from './go-to-field.ts'
import { MethodStyles } from './method-styles.tsx'
import { NoPrices } from './no-prices.tsx'
import { OptOutFields } from './opt-out-fields.tsx'
import { type OrderAnswer, type OrderProblem, type Promo, sentValues } from './order-answer.ts'
import { summarised } from './order-labels.ts'
import { OrderSummary, priceWith, totalText } from './order-summary.tsx'
import type { OwnProfile } from './own-values.ts'
import { PayButton } from './pay-button.tsx'
import { payTexts } from './pay-texts.ts'
import { PaymentSteps } from './payment/payment-steps.tsx'
import { canPayAtOnce, Wallet, walletFields } from './payment/wallet.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { planText } from './plan-text.ts'
import { PlanStyles, PlanWords, planKey } from './plan-words.tsx'
import { PostStep } from './post-step.tsx'
import { PriceTable } from './price-table.tsx'
import { PromoBox, type RefusedPromo } from './promo-box.tsx'
import { QuestionFields } from './question-fields.tsx'
import { ShopCard } from './shop-card.tsx'
import type { Shop } from './shop-frame.tsx'
import { useCheckout } from './use-checkout.ts'
import { useOrderForm } from './use-order-form.ts'

interface OrderFormProps extends Pick<CountryFormProps, 'country' | 'countryName' | 'currency' | 'isOneCountry'> {
  shop: Shop
  plans: readonly PlanOption[]
  /** Makes this form one order, however often it is sent. */
  formKey: string
  leastPassword: number
  /** The plan that the link names, for those who come back to it. */
  plan: string | undefined
  /** The reader who is logged in. */
  buyer: OwnProfile | null
  /** The promo code of the link, if it applies. */
  linked: Promo | null
  /** A promo code that came with the link and does not apply, and why. */
  refusedLink: RefusedPromo | null
  /** What the server said to a form that the browser posted by itself. */
  answer: OrderAnswer | undefined
  onCountry: (country: string, promoCode: string | undefined) => void
}

/** The whole order on one page: country and price, details, payment. Works as plain HTML; a script keeps the page while it is sent. */
export function OrderForm(props: OrderFormProps) {
  const {
    shop,
    plans,
    country,
    currency,
    countryName,
    isOneCountry,
    formKey,
    leastPassword,
    plan,
    buyer,
    linked,
    refusedLink,
    answer,
  } = props
  const t = useT()
  const sent = sentValues(answer)
  const [promo, setPromo] = useState(answer?.kind === 'refused' || answer?.kind === 'promo' ? answer.promo : linked)
  const [chosen, setChosen] = useState(() => startingPlan(plans, sent.plan ?? plan, promo))
  const selected = plans.find((plan) => planKey(plan) === chosen) ?? plans[0]
  const [wanted, setMethod] = useState(sent['payment.provider'])
  const [isLoggingIn, setLoggingIn] = useState(false)
  const usable = selected ? methodsFor(shop.accepts, selected) : []
  const method = usable.find((one) => one === wanted) ?? usable[0] ?? null
  const amount = selected ? priceWith(promo, selected).amount : 0

  const order = useOrderForm({
    urlKey: shop.urlKey,
    buyer,
    refusal: answer?.kind === 'refused' ? answer.problem : undefined,
    values: sent,
    asksOf: () => ({
      isForIssues: false,
      country,
      isPosted: selected !== undefined && isDelivered(selected.product),
      needsPassword: buyer === null,
      leastPassword,
      questions: shop.questions,
      methods: amount === 0 ? null : usable,
    }),
    onRestore: useCallback(
      ({ plan, 'payment.provider': provider }: Record<string, string>) => {
        if (plan) setChosen((before) => knownPlan(plans, plan) ?? before)
        if (provider) setMethod(provider)
      },
      [plans],
    ),
  })
  const { form, problems, refuse, refused } = order
  const checkout = useCheckout({
    urlKey: shop.urlKey,
    what: 'subscription',
    formKey,
    element: order.element,
    answer,
    onRefused: useCallback(
      (problem: OrderProblem | undefined, left?: Promo | null) => {
        refuse(problem)
        if (left !== undefined) setPromo(left)
      },
      [refuse],
    ),
    onPromo: useCallback(
      (applied: Promo) => {
        refuse(undefined)
        setPromo(applied)
      },
      [refuse],
    ),
  })

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const { submitter } = event.nativeEvent as SubmitEvent
    if (submitter?.getAttribute('value') === 'promo') {
      const code = (order.typed?.promoCode ?? '').trim()
      if (code) void checkout.applyPromo(code)
      return
    }
    const [first] = Object.keys(problems ?? {})
    if (!first) return void checkout.order(printMinorUnits(amount))
    order.showAll()
    goToField(first)
  }

  const promoForm = refused?.values.promoCode
    ? { ...form, values: { ...form.values, promoCode: refused.values.promoCode } }
    : form
  if (checkout.open?.step.kind === 'post') {
    return <PostStep step={checkout.open.step} orderNumber={checkout.open.order.orderNumber} />
  }
  return (
    <>
      <PlanStyles plans={plans} />
      <MethodStyles
        plans={plans}
        accepts={shop.accepts}
        freeIndexes={plans.flatMap((plan, index) => (priceWith(promo, plan).amount === 0 ? [index] : []))}
      />
      {plans.length > 0 && (
        <p className="sticky top-0 z-10 -mx-4 -mt-8 mb-6 flex justify-between gap-4 border-b border-line bg-surface px-4 py-3 text-body font-semibold lg:hidden">
          <PlanWords plans={plans}>{(plan) => planText(t, plan)}</PlanWords>
          <span className="numeric whitespace-nowrap">
            <PlanWords plans={plans}>{(plan) => totalText(t, plan, promo)}</PlanWords>
          </span>
        </p>
      )}
      {refused && !checkout.isDeclined && (
        <div className="mb-6">
          <ErrorSummary
            message={t.sentence(refused.message)}
            hint={refused.hint && t.sentence(refused.hint)}
            fields={summarised(t, refused.errors, shop.questions)}
          />
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
        <div className="grid gap-6">
          {refusedLink && !promo && (
            <Banner tone="warning" title={t('The promo code {code} was not applied', { code: refusedLink.code })}>
              {t.sentence(refusedLink.message)}
            </Banner>
          )}
          <ShopCard>
            <CountryForm
              country={country}
              countryName={countryName}
              isOneCountry={isOneCountry}
              currency={currency}
              promoCode={promo?.code}
              onChange={(next) => props.onCountry(next, promo?.code)}
            />
          </ShopCard>
          {plans.length === 0 ? (
            <NoPrices isOneCountry={isOneCountry}>
              {t('{publication} has no prices for the country you chose.', { publication: shop.publicationName })}
            </NoPrices>
          ) : (
            <form
              method="post"
              id="order"
              ref={order.element}
              noValidate
              className="grid gap-6"
              onSubmit={submit}
              {...order.listeners}
            >
              {/* The Enter key presses a form's first button: this one orders, the promo box's does not. */}
              <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
              <input type="hidden" name="country" value={country} />
              <input type="hidden" name="currency" value={currency} />
              <input type="hidden" name="idempotencyKey" value={checkout.key} />
              <ShopCard>
                <PriceTable
                  plans={plans}
                  promo={promo}
                  chosen={selected ? planKey(selected) : ''}
                  onChoose={setChosen}
                  error={form.errors.plan && t.sentence(form.errors.plan)}
                />
              </ShopCard>
              <Wallet
                shop={shop}
                plan={selected}
                amount={amount}
                country={country}
                isUsable={usable.includes('stripe-card') && canPayAtOnce(problems, order.typed)}
                onOrder={(fields) =>
                  checkout.orderByWallet({ ...walletFields(order.typed), total: printMinorUnits(amount), ...fields })
                }
                onPaid={checkout.finish}
                onFailed={checkout.failWallet}
                onRefused={refuse}
              />
              <CustomerSections
                key={order.version}
                shop={shop}
                form={form}
                buyer={buyer}
                country={country}
                leastPassword={leastPassword}
                isForIssues={false}
                isGift={order.typed?.isGift === 'true'}
                onLogIn={() => setLoggingIn(true)}
              />
              {shop.questions.length > 0 && (
                <ShopCard heading={t('A few questions')}>
                  <QuestionFields key={order.version} form={form} questions={shop.questions} />
                </ShopCard>
              )}
              <ShopCard heading={t('Payment')}>
                <div className="if-paid mb-4">
                  <PaymentFields
                    form={form}
                    shop={shop}
                    offered={offered(shop, plans)}
                    chosen={method}
                    onChoose={setMethod}
                  />
                </div>
                <PromoBox key={`promo-${order.version}`} form={promoForm} promo={promo} refusedLink={refusedLink} />
                <OptOutFields key={`offers-${order.version}`} form={form} />
                <PayButton shop={shop} problems={problems} questions={shop.questions} isPending={checkout.isPending}>
                  <PlanWords plans={plans} fallback={t('Order now')}>
                    {(plan) => {
                      const price = t.money({ amount: priceWith(promo, plan).amount, currency: plan.currency })
                      if (plan.isFree) return t('Sign up')
                      if (priceWith(promo, plan).amount === 0) return t('Order without payment')
                      return t(problems && method ? payTexts[method] : payTexts.demo, { amount: price })
                    }}
                  </PlanWords>
                </PayButton>
              </ShopCard>
            </form>
          )}
        </div>
        {plans.length > 0 && (
          <div className="lg:sticky lg:top-6">
            <OrderSummary plans={plans} promo={promo} publicationName={shop.publicationName} />
          </div>
        )}
      </div>
      <CustomerDoors shop={shop} isLoggingIn={isLoggingIn} onClose={() => setLoggingIn(false)} onLeave={order.leave} />
      <PaymentSteps
        shop={shop}
        bought={selected ? planText(t, selected) : ''}
        open={checkout.open}
        typed={order.typed ?? {}}
        isDeclined={checkout.isDeclined}
        onPaid={checkout.finish}
        onBack={checkout.closePayment}
        onDeclinedRead={checkout.closeDeclined}
      />
    </>
  )
}

/** What some plan on the page can be paid by. */
function offered(shop: Shop, plans: readonly PlanOption[]): PaidProvider[] {
  const paid = plans.filter(({ isFree }) => !isFree)
  return shop.accepts.filter((method) => paid.some((plan) => methodsFor(shop.accepts, plan).includes(method)))
}

/** The plan of a code, whatever it costs now. */
function knownPlan(plans: readonly PlanOption[], code: string): string | undefined {
  const plan = plans.find((one) => one.code.slice(0, 3) === code.slice(0, 3))
  return plan && planKey(plan)
}

/** The plan that is ticked at first: the one that was sent, else the first that a promo code is for, else the first. */
function startingPlan(plans: readonly PlanOption[], code: string | undefined, promo: Promo | null): string {
  const sent = code === undefined ? undefined : knownPlan(plans, code)
  const first = plans.find((plan) => priceWith(promo, plan).discount > 0) ?? plans[0]
  return sent ?? (first ? planKey(first) : '')
}
