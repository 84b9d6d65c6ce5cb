import { useEffect, useRef } from 'react'
import { openEnd } from '#core/kernel/dates.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import type { OpenedLink, RenewalLinkPage } from '#core/orders/renewal-link.ts'
import { methodsFor, type PaidProvider } from '#core/payment-methods/payment-methods.rules.ts'
import { isDelivered } from '#core/pricing/plan-code.rules.ts'
import { useT } from '../../../i18n/use-t.tsx'
import { AddressLines } from '../../buyer/address-lines.tsx'
import { AddressFields } from '../address-fields.tsx'
import { BuyerFields } from '../buyer-fields.tsx'
import { DeliveredTo, Delivery } from '../delivery-fields.tsx'
import { Disclosure } from '../disclosure.tsx'
import { MethodStyles } from '../method-styles.tsx'
import type { OrderProblem, OrderResponse } from '../order-response.ts'
import { OrderSummary, priceWith } from '../order-summary.tsx'
import { PayButton } from '../pay-button.tsx'
import { payTexts } from '../pay-texts.ts'
import { PaymentSteps } from '../payment/payment-steps.tsx'
import { Wallet } from '../payment/wallet.tsx'
import { PaymentFields } from '../payment-fields.tsx'
import { PerPlan, PlanStyles, planKey } from '../per-plan.tsx'
import { planText } from '../plan-text.ts'
import { PostRedirect } from '../post-redirect.tsx'
import { PriceTable } from '../price-table.tsx'
import { PromoBox } from '../promo-box.tsx'
import { QuestionFields } from '../question-fields.tsx'
import { RefusedOrder } from '../refused-order.tsx'
import { RenewalTerms } from '../renewal-terms.tsx'
import { ShopCard } from '../shop-card.tsx'
import type { Shop } from '../shop-frame.tsx'
import { useSubscriptionOrder } from '../use-subscription-order.ts'

interface LinkOrderFormProps {
  shop: Shop
  /** The page's own address. */
  path: string
  country: string
  opened: OpenedLink
  offer: NonNullable<RenewalLinkPage['offer']>
  formKey: string
  response: OrderResponse | undefined
  /** Called with the refusal that the form shows. */
  onRefused: (problem: OrderProblem | undefined) => void
}

/** The order form of a renewal link: everything is filled in, and one click pays. Changes are collapsed. */
export function LinkOrderForm(props: LinkOrderFormProps) {
  const { path, country, opened, offer, response, formKey, onRefused } = props
  const t = useT()
  const { profile, plans, endsOn, recipient } = opened
  // Questions that are already answered are not asked again.
  const questions = props.shop.questions.filter(({ key }) => !opened.answered.includes(key))
  const shop = useRef({ ...props.shop, questions }).current
  const isGift = recipient !== null
  const { order, checkout, promo, selected, setChosenPlan, usable, method, setMethod, amount, submit } =
    useSubscriptionOrder({
      shop,
      plans,
      country,
      formKey,
      answer: response,
      minPasswordLength: 0,
      plan: offer.plan.code,
      buyer: profile,
      linked: offer.promo,
      destination: { sendTo: `${path}/order`, draft: path },
    })
  const { form, problems, refused } = order
  useEffect(() => onRefused(refused), [refused, onRefused])
  if (checkout.open?.step.kind === 'post')
    return <PostRedirect step={checkout.open.step} orderNumber={checkout.open.order.orderNumber} />
  const missingFields = Object.keys(problems ?? {}).filter((name) => !name.startsWith('payment'))
  const isComplete = problems !== null && missingFields.length === 0
  const methods = shop.accepts.filter((provider) =>
    plans.some((plan) => methodsFor(shop.accepts, plan).includes(provider)),
  )
  return (
    <>
      <PlanStyles plans={plans} />
      <MethodStyles
        plans={plans}
        accepts={shop.accepts}
        freeIndexes={plans.flatMap((plan, index) => (priceWith(promo, plan).amount === 0 ? [index] : []))}
      />
      {refused && !refused.isFieldOnly && !checkout.isDeclined && (
        <RefusedOrder problem={refused} country={country} questions={questions} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
        <form
          method="post"
          id="order"
          ref={order.element}
          noValidate
          className="grid gap-6"
          onSubmit={submit}
          {...order.listeners}
        >
          <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
          <input type="hidden" name="country" value={country} />
          <input type="hidden" name="currency" value={offer.plan.currency} />
          <input type="hidden" name="idempotencyKey" value={checkout.key} />
          <input type="hidden" name="isGift" value={String(isGift)} />
          <h1 className="font-serif text-public-h2">{isGift ? t('Renew your gift') : t('Renew your subscription')}</h1>
          <ShopCard heading={<PerPlan plans={plans}>{(plan) => planText(t, plan)}</PerPlan>}>
            <EndDates plans={plans} endsOn={endsOn} recipient={recipient} hasEnded={opened.hasEnded} />
            {plans.length > 1 ? (
              <Disclosure label={t('Choose another plan')} isOpen={form.errors.plan !== undefined}>
                <div className="pt-4">
                  <PriceTable
                    plans={plans}
                    issuesPerYear={shop.issuesPerYear}
                    promo={promo}
                    chosen={selected ? planKey(selected) : ''}
                    onChoose={setChosenPlan}
                    error={form.errors.plan && t.phrase(form.errors.plan)}
                  />
                </div>
              </Disclosure>
            ) : (
              <OnlyPlan plan={plans[0]} />
            )}
          </ShopCard>
          <Details
            form={form}
            opened={opened}
            country={country}
            isGift={isGift}
            version={order.version}
            missingFields={missingFields}
          />
          {questions.length > 0 && (
            <ShopCard heading={t('A few questions')}>
              <QuestionFields key={order.version} form={form} questions={questions} />
            </ShopCard>
          )}
          <ShopCard heading={t('Payment')}>
            <Wallet
              shop={shop}
              plan={selected}
              amount={amount}
              country={country}
              isUsable={usable.includes('stripe-card') && isComplete}
              isAddressKnown
              onOrder={() => checkout.orderByWallet(walletOrder(order.typed, amount))}
              onPaid={checkout.finish}
              onFailed={checkout.failWallet}
              onRefused={checkout.refuseWallet}
            />
            <div className="if-paid mb-4">
              <PaymentFields form={form} shop={shop} offered={methods} chosen={method} onChoose={setMethod} />
            </div>
            <div className={(order.typed ?? form.values).promoCode ? undefined : 'if-priced'}>
              <PromoBox key={`promo-${order.version}`} form={form} promo={promo} refusedLink={null} />
            </div>
            <RenewalTerms plans={plans} buyer={profile} />
            <PayButton
              shop={shop}
              problems={problems}
              country={country}
              questions={questions}
              isPending={checkout.isPending}
            >
              <PerPlan plans={plans} fallback={t('Order now')}>
                {(plan) => {
                  const price = priceWith(promo, plan).amount
                  if (price === 0) return t('Order without payment')
                  const text = problems && method ? payTexts[method as PaidProvider] : payTexts.demo
                  return t(text, { amount: t.money({ amount: price, currency: plan.currency }) })
                }}
              </PerPlan>
            </PayButton>
          </ShopCard>
        </form>
        <div className="lg:sticky lg:top-6">
          <OrderSummary plans={plans} promo={promo} publicationName={shop.publicationName} />
        </div>
      </div>
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

/** The form's values for a wallet payment: buyer and address come from the record, not from the wallet. */
function walletOrder(typed: Readonly<Record<string, string>> | null, amount: number): Record<string, string> {
  return {
    ...typed,
    total: formatMinorUnits(amount),
    'payment.provider': 'stripe-card',
    'payment.wallet': 'true',
  }
}

/** The end date of the subscription, and its end date after this order. */
function EndDates({
  plans,
  endsOn,
  hasEnded,
  recipient,
}: Pick<OpenedLink, 'plans' | 'endsOn' | 'hasEnded' | 'recipient'>) {
  const t = useT()
  return (
    <div className="space-y-1 text-input text-ink-2">
      {recipient && <p className="wrap-anywhere">{t('Your gift to {name}.', { name: recipient })}</p>}
      <p>
        {hasEnded
          ? t('The subscription ended on {day}.', { day: t.day(endsOn) })
          : t('The subscription ends on {day}.', { day: t.day(endsOn) })}
      </p>
      <p>
        <PerPlan plans={plans}>
          {(plan) => {
            // All plans of this page come from the link.
            const { endOn } = plan as OpenedLink['plans'][number]
            return endOn >= openEnd
              ? t('With this order it runs until further notice.')
              : t('With this order it runs until {day}.', { day: t.day(endOn) })
          }}
        </PerPlan>
      </p>
    </div>
  )
}

/** A single plan is a hidden radio button, so that it is submitted and everything that depends on the ticked plan works. */
function OnlyPlan({ plan }: { plan: OpenedLink['plans'][number] | undefined }) {
  if (!plan) return null
  return (
    <input
      type="radio"
      id="plan-0"
      name="plan"
      value={plan.code}
      checked
      readOnly
      hidden
      data-posted={isDelivered(plan.product) ? 'yes' : 'no'}
      data-free={plan.isFree ? 'yes' : 'no'}
    />
  )
}

interface DetailsProps {
  form: Parameters<typeof Delivery>[0]['form']
  opened: OpenedLink
  country: string
  isGift: boolean
  version: number
  /** The fields still missing, except for the payment. */
  missingFields: readonly string[]
}

/** The reader and the address on file, with the fields to change them collapsed below. */
function Details({ form, opened, country, isGift, version, missingFields }: DetailsProps) {
  const t = useT()
  const { profile, plans } = opened
  const { delivery, lastOrder, email } = profile
  const isPosted = plans.some(({ product }) => isDelivered(product))
  const shownAddress = isPosted || isGift ? delivery : (lastOrder?.billing ?? delivery)
  const isMissing = (names: RegExp) =>
    missingFields.some((name) => names.test(name)) || Object.keys(form.errors).some((name) => names.test(name))
  const isIncomplete = [
    shownAddress?.lastName,
    shownAddress?.addressOne,
    shownAddress?.city,
    shownAddress?.postCode,
  ].some((part) => !part)
  return (
    <ShopCard heading={isGift ? t('Your gift goes to') : isPosted ? t('Delivered to') : t('Your details')}>
      {shownAddress && <AddressLines address={shownAddress} />}
      {email && (
        <p className="mt-2 text-body text-ink-2 wrap-anywhere">{t('The receipt goes to {email}.', { email })}</p>
      )}
      <Disclosure
        label={t('Change name or address')}
        isOpen={
          isIncomplete || email === '' || isMissing(/^(?:title|firstName|lastName|email|mobile|billing|shipping)/)
        }
      >
        <div key={version} className="grid gap-8 pt-4">
          <BuyerFields
            form={form}
            buyer={profile}
            minPasswordLength={0}
            passwordReason=""
            emailNote={null}
            samplePassword={undefined}
          />
          <section>
            <h3 className="mb-4 text-h3">{t('Billing address')}</h3>
            <AddressFields form={form} prefix="billing" country={country} />
          </section>
          {isPosted && (
            <section className="if-posted">
              <h3 className="mb-4 text-h3">{isGift ? t('Your gift goes to') : t('Delivery')}</h3>
              {isGift ? (
                <div className="grid gap-5">
                  <DeliveredTo form={form} country={country} needsCity isNameRequired />
                </div>
              ) : (
                <Delivery form={form} country={country} canBeGift={false} />
              )}
            </section>
          )}
        </div>
      </Disclosure>
    </ShopCard>
  )
}
