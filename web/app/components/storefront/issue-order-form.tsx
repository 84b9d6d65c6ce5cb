import { type FormEvent, useCallback, useState } from 'react'
import { type IssueOffer, issueTotal } from '#core/back-issues/issue-offer.rules.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import type { FieldPhrases } from '#core/kernel/phrases.ts'
import { methodsFor } from '#core/payment-methods/payment-methods.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { CountryForm, type CountryFormProps } from './country-form.tsx'
import { CustomerAccess } from './customer-access.tsx'
import { CustomerSections } from './customer-sections.tsx'
import { goToField } from './go-to-field.ts'
import { IssueCards } from './issue-cards.tsx'
import { chosenText, IssueSummary } from './issue-summary.tsx'
import { NoPrices } from './no-prices.tsx'
import { type OrderProblem, type OrderResponse, sentValues } from './order-response.ts'
import type { OwnProfile } from './own-values.ts'
import { PayButton } from './pay-button.tsx'
import { payTexts } from './pay-texts.ts'
import { PaymentSteps } from './payment/payment-steps.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { PostRedirect } from './post-redirect.tsx'
import { RefusedOrder } from './refused-order.tsx'
import { RestoredFormNotice } from './restored-form-notice.tsx'
import { ShopCard } from './shop-card.tsx'
import type { Shop } from './shop-frame.tsx'
import { useCheckout } from './use-checkout.ts'
import { useOrderForm } from './use-order-form.ts'

interface IssueOrderFormProps extends Pick<CountryFormProps, 'country' | 'countryName' | 'currency' | 'isOneCountry'> {
  shop: Shop
  /** The issues sold in the country. */
  issues: readonly IssueOffer[]
  /** Idempotency key: the form is one order, however often it is sent. */
  formKey: string
  minPasswordLength: number
  /** The logged-in buyer. */
  buyer: OwnProfile | null
  /** The server's response to a form posted without JavaScript. */
  answer: OrderResponse | undefined
  onCountry: (country: string) => void
}

/** The order form for back issues: covers to tick, the running total, details, payment. Works without JavaScript. */
export function IssueOrderForm(props: IssueOrderFormProps) {
  const { shop, issues, country, countryName, currency, isOneCountry, formKey, minPasswordLength, buyer, answer } =
    props
  const t = useT()
  const submitted = sentValues(answer)
  const [selectedIds, setSelectedIds] = useState<readonly number[]>(() => idsOf(submitted))
  const [chosenMethod, setMethod] = useState(submitted['payment.provider'])
  const [isLoggingIn, setLoggingIn] = useState(false)
  const usable = methodsFor(shop.accepts, { currency, isRecurring: false })
  const method = usable.find((candidate) => candidate === chosenMethod) ?? usable[0] ?? null
  // Issues that have sold out or are not sold in the country are removed from the order.
  const chosen = issues.filter(({ id, isInStock }) => isInStock && selectedIds.includes(id))
  const { amount } = issueTotal(chosen)
  const total = t.money({ amount, currency })

  const order = useOrderForm({
    draftName: shop.urlKey,
    buyer,
    product: null,
    refusal: answer?.kind === 'refused' ? answer.problem : undefined,
    values: submitted,
    requirementsOf: () => ({
      isForIssues: true,
      country,
      isPosted: true,
      checksPostCode: true,
      needsPassword: buyer === null,
      minPasswordLength,
      questions: [],
      methods: usable,
      isSecond: false,
    }),
    onRestore: useCallback((values: Record<string, string>) => {
      if (values.backIssues !== undefined) setSelectedIds(idsOf(values))
      if (values['payment.provider']) setMethod(values['payment.provider'])
    }, []),
  })
  const { form, problems, refuse, refused } = order
  const checkout = useCheckout({
    urlKey: shop.urlKey,
    draftName: shop.urlKey,
    sendTo: `/${shop.urlKey}/order`,
    what: 'issues',
    formKey,
    element: order.element,
    answer,
    onRefused: useCallback((problem: OrderProblem | undefined) => refuse(problem), [refuse]),
    onPromo: useCallback(() => undefined, []),
  })
  const choose = (id: number, isChosen: boolean) =>
    setSelectedIds((ids) => (isChosen ? [...ids, id] : ids.filter((selectedId) => selectedId !== id)))

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const [firstProblem] = Object.keys(problems ?? {})
    if (!firstProblem) return void checkout.order(formatMinorUnits(amount))
    order.showAll()
    goToField(firstProblem)
  }

  if (checkout.open?.step.kind === 'post') {
    return <PostRedirect step={checkout.open.step} orderNumber={checkout.open.order.orderNumber} />
  }
  return (
    <>
      <div className="mb-6">
        <p>
          <a
            href={`/${shop.urlKey}?country=${country}`}
            className="inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2"
          >
            {t('Back to subscriptions')}
          </a>
        </p>
        <h1 className="mt-2 font-serif text-public-h2">
          {t('Individual issues of {publication}', { publication: shop.publicationName })}
        </h1>
      </div>
      {issues.length > 0 && (
        <p className="sticky top-0 z-10 -mx-4 mb-6 flex justify-between gap-4 border-b border-line bg-surface px-4 py-3 text-body font-semibold lg:hidden">
          <span>{chosenText(t, chosen.length)}</span>
          <span className="numeric whitespace-nowrap">{t.moneyWithCode({ amount, currency })}</span>
        </p>
      )}
      {refused && !checkout.isDeclined && <RefusedOrder problem={refused} country={country} questions={[]} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,40rem)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <RestoredFormNotice order={order} />
          <ShopCard>
            <CountryForm
              country={country}
              countryName={countryName}
              isOneCountry={isOneCountry}
              currency={currency}
              orderForm={issues.length > 0 ? 'issue-order' : undefined}
              onChange={props.onCountry}
            />
          </ShopCard>
          {issues.length === 0 ? (
            <NoPrices isOneCountry={isOneCountry}>
              {t('{publication} sells no individual issues in the country you chose.', {
                publication: shop.publicationName,
              })}
            </NoPrices>
          ) : (
            <form
              method="post"
              id="issue-order"
              ref={order.element}
              noValidate
              className="grid gap-6"
              onSubmit={submit}
              {...order.listeners}
            >
              <noscript>
                {/* Enter presses the first button of a form: without JavaScript this one, which places the order, not the one for the total. */}
                <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
              </noscript>
              <input type="hidden" name="what" value="issues" />
              <input type="hidden" name="country" value={country} />
              <input type="hidden" name="currency" value={currency} />
              <input type="hidden" name="idempotencyKey" value={checkout.key} />
              <input type="hidden" name="total" value={formatMinorUnits(amount)} />
              <ShopCard>
                <IssueCards
                  issues={issues}
                  currency={currency}
                  chosen={chosen.map(({ id }) => id)}
                  onChoose={choose}
                  error={form.errors.backIssues && t.phrase(form.errors.backIssues)}
                />
                <noscript>
                  <button
                    type="submit"
                    name="intent"
                    value="total"
                    className="mt-4 min-h-12 rounded-input border border-control bg-surface px-4 text-body font-medium"
                  >
                    {t('Calculate the total')}
                  </button>
                </noscript>
              </ShopCard>
              <CustomerSections
                key={order.version}
                shop={shop}
                form={form}
                buyer={buyer}
                country={country}
                minPasswordLength={minPasswordLength}
                isForIssues
                isGift={false}
                onLogIn={() => setLoggingIn(true)}
              />
              <ShopCard heading={t('Payment')}>
                <PaymentFields form={form} shop={shop} offered={usable} chosen={method} onChoose={setMethod} />
                <PayButton
                  shop={shop}
                  problems={blockingProblems(problems)}
                  country={country}
                  questions={[]}
                  isPending={checkout.isPending}
                >
                  {chosen.length > 0
                    ? t(problems && method ? payTexts[method] : payTexts.demo, { amount: total })
                    : t('Pay')}
                </PayButton>
              </ShopCard>
            </form>
          )}
        </div>
        {issues.length > 0 && (
          <div className="lg:sticky lg:top-6">
            <IssueSummary chosen={chosen} currency={currency} publicationName={shop.publicationName} />
          </div>
        )}
      </div>
      <CustomerAccess
        shop={shop}
        country={country}
        isLoggingIn={isLoggingIn}
        onClose={() => setLoggingIn(false)}
        onLeave={order.leave}
      />
      <PaymentSteps
        shop={shop}
        item={chosen.map(({ volume }) => volume).join(', ')}
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

/** The problems that disable the button (spec 1, section 4.4). Anything else missing is reported on submit. */
function blockingProblems(problems: FieldPhrases | null): FieldPhrases | null {
  const blockingFields = ['backIssues', 'billing.addressOne', 'billing.postCode']
  return problems && Object.fromEntries(Object.entries(problems).filter(([name]) => blockingFields.includes(name)))
}

function idsOf({ backIssues = '' }: Record<string, string>): number[] {
  return backIssues.split(',').filter(Boolean).map(Number)
}
