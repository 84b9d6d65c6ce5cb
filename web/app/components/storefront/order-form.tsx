import { useState } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { methodsFor, type PaidProvider } from '#core/payment-methods/payment-methods.rules.ts'
import type { PlanOption } from '#core/pricing/price-table.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { AlreadySubscribed } from './already-subscribed.tsx'
import { CountryForm, type CountryFormProps } from './country-form.tsx'
import { CustomerAccess } from './customer-access.tsx'
import { CustomerSections } from './customer-sections.tsx'
import { MethodStyles } from './method-styles.tsx'
import { NoPrices } from './no-prices.tsx'
import { OptOutFields } from './opt-out-fields.tsx'
import { OrderSummary, priceWith, totalText } from './order-summary.tsx'
import { PayButton } from './pay-button.tsx'
import { payTexts } from './pay-texts.ts'
import { PaymentSteps } from './payment/payment-steps.tsx'
import { canPayAtOnce, Wallet, walletFields } from './payment/wallet.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { PerPlan, PlanStyles, planKey } from './per-plan.tsx'
import { planText } from './plan-text.ts'
import { PostRedirect } from './post-redirect.tsx'
import { PriceTable } from './price-table.tsx'
import { PromoBox, type RefusedPromo } from './promo-box.tsx'
import { QuestionFields } from './question-fields.tsx'
import { RefusedOrder } from './refused-order.tsx'
import { RenewalTerms, ReplacedRenewal } from './renewal-terms.tsx'
import { RestoredFormNotice } from './restored-form-notice.tsx'
import { ShopCard } from './shop-card.tsx'
import type { Shop } from './shop-frame.tsx'
import { type SubscriptionOrderOptions, useSubscriptionOrder } from './use-subscription-order.ts'

interface OrderFormProps
  extends SubscriptionOrderOptions,
    Pick<CountryFormProps, 'countryName' | 'currency' | 'isOneCountry'> {
  /** The promo code in the link, with the reason, when it does not apply. */
  refusedLink: RefusedPromo | null
  /** The last day of a term that begins today, keyed by the term's months. */
  termEnds: Readonly<Record<string, Day>>
  onCountry: (country: string, promoCode: string | undefined) => void
}

/**
 * The whole checkout on one page: country and price, details, payment. Works without JavaScript; with it, the form is submitted without a
 * page load.
 */
export function OrderForm(props: OrderFormProps) {
  const { shop, plans, country, currency, countryName, isOneCountry, minPasswordLength, buyer, refusedLink } = props
  const t = useT()
  const [isLoggingIn, setLoggingIn] = useState(false)
  const { order, checkout, promo, selected, setChosenPlan, usable, method, setMethod, amount, submit } =
    useSubscriptionOrder(props)
  const { form, problems, refused } = order
  const promoForm = refused?.values.promoCode
    ? { ...form, values: { ...form.values, promoCode: refused.values.promoCode } }
    : form
  if (checkout.open?.step.kind === 'post') {
    return <PostRedirect step={checkout.open.step} orderNumber={checkout.open.order.orderNumber} />
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
          <PerPlan plans={plans}>{(plan) => planText(t, plan)}</PerPlan>
          <span className="numeric whitespace-nowrap">
            <PerPlan plans={plans}>{(plan) => totalText(t, plan, promo)}</PerPlan>
          </span>
        </p>
      )}
      {refused && !refused.isFieldOnly && !checkout.isDeclined && (
        <RefusedOrder problem={refused} country={country} questions={shop.questions} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
        <div className="grid gap-6">
          {refusedLink && !promo && (
            <Banner tone="warning" title={t('The promo code {code} was not applied', { code: refusedLink.code })}>
              {t.phrase(refusedLink.message)}
            </Banner>
          )}
          <RestoredFormNotice order={order} />
          <ShopCard>
            <CountryForm
              country={country}
              countryName={countryName}
              isOneCountry={isOneCountry}
              currency={currency}
              promoCode={promo?.code}
              orderForm={plans.length > 0 && !shop.preview ? 'order' : undefined}
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
              // Without JavaScript the next page is scrolled past the introduction, to the reason of a refusal.
              action="#choose"
              id="order"
              ref={order.element}
              noValidate
              className="grid gap-6"
              onSubmit={submit}
              {...order.listeners}
            >
              {/* Enter activates a form's first submit button, so this one comes before the promo box's. */}
              <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
              <input type="hidden" name="country" value={country} />
              <input type="hidden" name="currency" value={currency} />
              <input type="hidden" name="idempotencyKey" value={checkout.key} />
              <ShopCard>
                <PriceTable
                  plans={plans}
                  issuesPerYear={shop.issuesPerYear}
                  promo={promo}
                  chosen={selected ? planKey(selected) : ''}
                  onChoose={setChosenPlan}
                  error={form.errors.plan && t.phrase(form.errors.plan)}
                />
              </ShopCard>
              <Wallet
                shop={shop}
                plan={selected}
                amount={amount}
                country={country}
                isUsable={usable.includes('stripe-card') && canPayAtOnce(problems, order.typed, selected)}
                accountEmail={buyer?.email}
                onOrder={(fields) =>
                  checkout.orderByWallet({ ...walletFields(order.typed), total: formatMinorUnits(amount), ...fields })
                }
                onPaid={checkout.finish}
                onFailed={checkout.failWallet}
                onRefused={checkout.refuseWallet}
              />
              <CustomerSections
                key={order.version}
                shop={shop}
                form={form}
                buyer={buyer}
                country={country}
                minPasswordLength={minPasswordLength}
                isForIssues={false}
                isGift={(order.typed ?? form.values).isGift === 'true'}
                onLogIn={() => setLoggingIn(true)}
              />
              {shop.questions.length > 0 && (
                <ShopCard heading={t('A few questions')}>
                  <QuestionFields key={order.version} form={form} questions={shop.questions} />
                </ShopCard>
              )}
              <ShopCard
                heading={
                  <PerPlan plans={plans} fallback={t('Payment')}>
                    {({ isFree }) => (isFree ? t('Sign up') : t('Payment'))}
                  </PerPlan>
                }
              >
                <div className="if-paid mb-4">
                  <PaymentFields
                    form={form}
                    shop={shop}
                    offered={usableMethods(shop, plans)}
                    chosen={method}
                    onChoose={setMethod}
                  />
                </div>
                {/* A promo code cannot lower a free price, but one already typed must stay removable. */}
                <div className={(order.typed ?? form.values).promoCode ? undefined : 'if-priced'}>
                  <PromoBox key={`promo-${order.version}`} form={promoForm} promo={promo} refusedLink={refusedLink} />
                </div>
                <OptOutFields key={`offers-${order.version}`} form={form} />
                <RenewalTerms plans={plans} buyer={buyer} termEnds={props.termEnds} />
                <ReplacedRenewal plans={plans} buyer={buyer} />
                <AlreadySubscribed buyer={buyer} plans={plans} form={form} />
                <PayButton
                  shop={shop}
                  problems={problems}
                  country={country}
                  questions={shop.questions}
                  isPending={checkout.isPending}
                >
                  <PerPlan plans={plans} fallback={t('Order now')}>
                    {(plan) => {
                      const price = t.money({ amount: priceWith(promo, plan).amount, currency: plan.currency })
                      if (plan.isFree) return t('Sign up')
                      if (priceWith(promo, plan).amount === 0) return t('Order without payment')
                      return t(problems && method ? payTexts[method] : payTexts.demo, { amount: price })
                    }}
                  </PerPlan>
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
      {!shop.preview && (
        <CustomerAccess
          shop={shop}
          country={country}
          isLoggingIn={isLoggingIn}
          onClose={() => setLoggingIn(false)}
          onLeave={order.leave}
        />
      )}
      <PaymentSteps
        shop={shop}
        item={selected ? planText(t, selected) : ''}
        open={checkout.open}
        typed={order.typed ?? {}}
        isDeclined={checkout.isDeclined}
        onPaid={checkout.finish}
        onBack={checkout.closePayment}
        onDeclinedClose={checkout.closeDeclined}
      />
    </>
  )
}

/** The payment methods that at least one plan on the page can use. */
function usableMethods(shop: Shop, plans: readonly PlanOption[]): PaidProvider[] {
  const paid = plans.filter(({ isFree }) => !isFree)
  return shop.accepts.filter((method) => paid.some((plan) => methodsFor(shop.accepts, plan).includes(method)))
}
