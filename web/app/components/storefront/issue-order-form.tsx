import { Form, useNavigation } from '@remix-run/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type IssueOffer, issueTotal } from '#core/back-issues/issue-offer.rules.ts'
import { formatMoney, printMinorUnits } from '#core/kernel/money.ts'
import { Banner } from '../ui/banner.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { AddressFields } from './address-fields.tsx'
import { CountryForm, type CountryFormProps } from './country-form.tsx'
import { Delivery } from './delivery-fields.tsx'
import { BuyerFields } from './detail-fields.tsx'
import { type OrderProblem, useFormState } from './form-state.ts'
import { IssueCards } from './issue-cards.tsx'
import { chosenText, IssueSummary } from './issue-summary.tsx'
import { PaymentFields } from './payment-fields.tsx'
import { ShopButton } from './shop-button.tsx'
import { ShopCard } from './shop-card.tsx'
import type { Shop } from './shop-frame.tsx'
import { summarised } from './summarised.ts'

interface IssueOrderFormProps extends Pick<CountryFormProps, 'countries' | 'country' | 'currency'> {
  shop: Shop
  /** What the country can buy. */
  issues: readonly IssueOffer[]
  /** Makes this form one order, however often it is sent. */
  formKey: string
  leastPassword: number
  problem: OrderProblem | undefined
  /** What was typed and ticked before, when the page comes back. */
  values: Record<string, string>
  sentIds: readonly string[]
  onCountry: (country: string) => void
}

/** The storefront's back issues: covers to tick, the running total, details, payment. Works as plain HTML. */
export function IssueOrderForm({ shop, issues, problem, values, sentIds, ...rest }: IssueOrderFormProps) {
  const { country, currency, countries, formKey, leastPassword, onCountry } = rest
  const [ticked, setTicked] = useState<readonly number[]>(() => sentIds.map(Number))
  const { form, forget } = useFormState(problem, values)
  const { needs, look, element } = useNeeds(form.values)
  const navigation = useNavigation()
  const isPending = navigation.state !== 'idle' && navigation.formMethod === 'POST'
  // What went out of stock meanwhile, or is not sold in the country, is no longer part of the order.
  const chosen = issues.filter(({ id, isInStock }) => isInStock && ticked.includes(id))
  const { amount } = issueTotal(chosen)
  const total = formatMoney({ amount, currency })
  const lacking = [...(chosen.length === 0 ? ['at least one issue'] : []), ...(needs ?? [])]
  const choose = (id: number, isChosen: boolean) =>
    setTicked((before) => (isChosen ? [...before, id] : before.filter((other) => other !== id)))
  return (
    <>
      <div className="mb-6">
        <p>
          <a
            href={`/${shop.urlKey}?country=${country}`}
            className="inline-block min-h-6 text-body text-ink underline underline-offset-3 hover:decoration-2"
          >
            Back to subscriptions
          </a>
        </p>
        <h1 className="mt-2 font-serif text-public-h2">Individual issues of {shop.publicationName}</h1>
      </div>
      {issues.length > 0 && (
        <p className="sticky top-0 z-10 -mx-4 mb-6 flex justify-between gap-4 border-b border-line bg-surface px-4 py-3 text-body font-semibold lg:hidden">
          <span>{chosenText(chosen.length)}</span>
          <span className="numeric whitespace-nowrap">{`${total} ${currency}`}</span>
        </p>
      )}
      {problem && (
        <div className="mb-6">
          <ErrorSummary message={problem.message} hint={problem.hint} fields={summarised(problem.errors, [])} />
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,640px)_minmax(0,1fr)]">
        <div className="grid gap-6">
          <ShopCard>
            <CountryForm countries={countries} country={country} currency={currency} onChange={onCountry} />
          </ShopCard>
          {issues.length === 0 ? (
            <Banner tone="warning" title="Not sold in this country">
              {shop.publicationName} sells no individual issues in the country you chose. Please choose another country
              above.
            </Banner>
          ) : (
            <Form
              method="post"
              id="issue-order"
              ref={element}
              noValidate
              className="grid gap-6"
              onInput={(event: FormEvent<HTMLFormElement>) => {
                forget(event)
                look()
              }}
              preventScrollReset
            >
              <noscript>
                {/* The Enter key presses a form's first button: without a script this one orders, the one for the total does not. */}
                <button type="submit" tabIndex={-1} aria-hidden="true" className="sr-only" />
              </noscript>
              <input type="hidden" name="country" value={country} />
              <input type="hidden" name="currency" value={currency} />
              <input type="hidden" name="idempotencyKey" value={formKey} />
              <input type="hidden" name="total" value={printMinorUnits(amount)} />
              <ShopCard>
                <IssueCards
                  issues={issues}
                  currency={currency}
                  chosen={chosen.map(({ id }) => id)}
                  onChoose={choose}
                  error={form.errors.backIssues}
                />
                <noscript>
                  <button
                    type="submit"
                    name="intent"
                    value="total"
                    className="mt-4 min-h-12 rounded-input border border-control bg-surface px-4 text-body font-medium"
                  >
                    Work out the total
                  </button>
                </noscript>
              </ShopCard>
              <ShopCard heading="Your details">
                <p className="mb-4 text-body text-ink-2">
                  Boxes marked <span className="text-danger">*</span> are needed.
                </p>
                <BuyerFields
                  form={form}
                  passwordHint={`For your account with this publication. At least ${leastPassword} characters. Bought here before? Enter the password you have.`}
                />
              </ShopCard>
              <ShopCard heading="Billing address">
                <AddressFields form={form} prefix="billing" country={country} needsCity={false} />
              </ShopCard>
              <ShopCard heading="Delivery">
                <Delivery form={form} country={country} needsCity={false} />
              </ShopCard>
              <ShopCard heading="Payment">
                <PaymentFields form={form} shop={shop} />
                <div className="mt-6">
                  <ShopButton
                    isPending={isPending}
                    isDisabled={needs !== null && lacking.length > 0}
                    describedBy="still-needed"
                  >
                    {chosen.length > 0 ? `Pay ${total}` : 'Pay'}
                  </ShopButton>
                  <p id="still-needed" role="status" className="mt-3 text-body text-ink-2 empty:hidden">
                    {needs !== null && lacking.length > 0 && `Still needed: ${lacking.join(', ')}.`}
                  </p>
                  <p className="mt-3 text-body text-ink-2">
                    You buy from {shop.publisher.companyName || shop.publicationName}, who keeps your details to deliver
                    your order.
                  </p>
                </div>
              </ShopCard>
            </Form>
          )}
        </div>
        {issues.length > 0 && (
          <div className="lg:sticky lg:top-6">
            <IssueSummary chosen={chosen} currency={currency} publicationName={shop.publicationName} />
          </div>
        )}
      </div>
    </>
  )
}

const neededFields = {
  'billing.addressOne': 'address line 1 of the billing address',
  'billing.postCode': 'its postcode',
}

/** What the billing address lacks before anything can be paid; null until the page's script runs: then the server says it. */
function useNeeds(values: Record<string, string>) {
  const element = useRef<HTMLFormElement>(null)
  const [needs, setNeeds] = useState<string[] | null>(null)
  const look = () => {
    if (!element.current) return
    const typed = new FormData(element.current)
    setNeeds(
      Object.entries(neededFields).flatMap(([name, label]) => (String(typed.get(name) ?? '').trim() ? [] : [label])),
    )
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at the form itself, anew when the form comes back
  useEffect(look, [values])
  return { needs, look, element }
}
