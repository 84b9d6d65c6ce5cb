import { useFetcher } from '@remix-run/react'
import { type ReactNode, useEffect, useState } from 'react'
import { paymentDeclinedMessage } from '#core/payment-methods/declined-message.rules.ts'
import { demoCards, groupedCard } from '#core/payment-methods/demo-cards.rules.ts'
import type { PlanQuote, PriceType } from '#core/pricing/publisher-plans.rules.ts'
import type { DraftAnswers } from '#core/signup/wizard-steps.rules.ts'
import type { StartedPayment } from '../../routes/public/sign-up-begin.ts'
import { pounds } from '../account/plan-texts.ts'
import { PaymentDialog } from '../storefront/payment/payment-dialog.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button, buttonClass, LinkButton } from '../ui/button.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'
import { SummaryList } from '../ui/summary-list.tsx'
import { chargeTexts } from './charge-texts.ts'
import { PlanPrice } from './plan-price.tsx'
import { signUpLabels } from './sign-up-labels.ts'
import { StripeDialog } from './stripe-dialog.tsx'

interface PayStepProps {
  problem: Refusal | undefined
  answers: DraftAnswers
  countryName: string
  quote: PlanQuote
  priceType: PriceType
  payment: 'stripe' | 'demo'
}

/** Step four: a summary of all answers, each with a link to change it, and the payment. */
export function PayStep(props: PayStepProps) {
  const { answers, countryName, quote, priceType, payment } = props
  const { person, company, plan, coupon } = answers
  const isFree = quote.total === 0
  const address = company && [company.addressOne, company.addressTwo, company.addressThree, company.addressFour]
  return (
    <div className="card space-y-5 p-4 lg:p-6">
      <h2 className="text-h3 font-semibold">Check your answers</h2>
      <SummaryList
        title="Company"
        changeTo="/signup?change"
        rows={[
          { label: 'Name', value: `${person?.firstName} ${person?.lastName}` },
          { label: 'Email', value: person?.email },
          { label: 'Password', value: 'Not shown' },
        ]}
      />
      <SummaryList
        title="Billing"
        changeTo="/signup/billing?change"
        rows={[
          { label: 'Company name', value: company?.companyName },
          { label: 'Address', value: address?.filter(Boolean).join('\n') || null },
          { label: 'Postcode', value: company?.postZip || null },
          { label: 'Country', value: countryName },
        ]}
      />
      <SummaryList
        title="Plan Type"
        changeTo="/signup/plan?change"
        rows={[
          {
            label: 'Plan',
            value: `${plan.kind === 'plus' ? 'Plus, with the mobile app' : 'Standard'}, ${plan.titles === 1 ? '1 title' : `${plan.titles} titles`}`,
          },
          { label: 'Promo code', value: coupon ? `${coupon.name}: ${coupon.percentOff}% off` : 'None' },
        ]}
      />
      <section className="border-t border-line pt-4">
        <h3 className="mb-2 text-body font-semibold">What you pay</h3>
        {isFree ? (
          <Banner tone="success">Promotion Code Successfully Applied - Free Unlimited Use Plan</Banner>
        ) : (
          <>
            <PlanPrice quote={quote} coupon={coupon} priceType={priceType} />
            <p className="mt-2 text-body text-ink-2">
              {`${chargeTexts(quote, coupon, priceType).due} You can cancel at any time.`}
            </p>
          </>
        )}
      </section>
      {isFree ? (
        <FreePlan problem={props.problem} />
      ) : payment === 'demo' ? (
        <DemoPay {...props} />
      ) : (
        <StripePay {...props} />
      )}
    </div>
  )
}

function FreePlan({ problem }: { problem: Refusal | undefined }) {
  const form = useForm({ problem, labels: signUpLabels })
  return (
    <Form form={form}>
      <FormButtons>
        <LinkButton to="/signup/plan">Previous</LinkButton>
        <SubmitButton>Sign up</SubmitButton>
      </FormButtons>
    </Form>
  )
}

/** The demo payment: a test card in a dialog, or on the page without JavaScript. */
function DemoPay({ problem, quote }: PayStepProps) {
  const [isOpen, setOpen] = useState(false)
  const [isDeclined, setDeclined] = useState(false)
  const fetcher = useFetcher<{ problem?: Refusal }>()
  const refusal = fetcher.data?.problem
  const otherProblem = problem && problem.message !== paymentDeclinedMessage ? problem : undefined
  useEffect(() => {
    if (refusal?.message !== paymentDeclinedMessage) return
    setOpen(false)
    setDeclined(true)
  }, [refusal])
  const form = useForm({
    problem: refusal?.message === paymentDeclinedMessage ? undefined : refusal,
    labels: signUpLabels,
    fetcher,
    prefix: 'pay-',
    isUnmarked: true,
  })
  return (
    <>
      {problem?.message === paymentDeclinedMessage && (
        <Banner tone="danger" isAlert>
          {paymentDeclinedMessage}
        </Banner>
      )}
      {otherProblem && <Banner tone="danger">{otherProblem.fields?.cardNumber ?? otherProblem.message}</Banner>}
      <noscript>
        <form id="demo-pay" method="post" className="mb-5">
          <label className="block text-body font-medium text-ink-2">
            Card number for the demo, such as {groupedCard(demoCards.paid)}
            <input
              name="cardNumber"
              inputMode="numeric"
              className="mt-1.5 block h-11 w-full rounded-input border border-control bg-surface px-3 text-input text-ink"
            />
          </label>
        </form>
      </noscript>
      <PayButtons total={quote.total} onPay={() => setOpen(true)}>
        <noscript>
          <button type="submit" form="demo-pay" className={buttonClass('primary')}>
            Pay {pounds(quote.total)}
          </button>
        </noscript>
      </PayButtons>
      {isOpen && (
        <PaymentDialog title="Payment" isBusy={form.isPending} onClose={() => setOpen(false)}>
          <Form form={form} className="space-y-5">
            <Banner>
              {`Demo payments: nobody is charged. ${groupedCard(demoCards.paid)} is accepted, ${groupedCard(demoCards.declined)} is declined.`}
            </Banner>
            <TextField name="cardNumber" isRequired inputMode="numeric" autoComplete="off" maxLength={30} />
            <FormButtons>
              <SubmitButton>{`Pay ${pounds(quote.total)}`}</SubmitButton>
            </FormButtons>
          </Form>
        </PaymentDialog>
      )}
      {isDeclined && <DeclinedDialog onClose={() => setDeclined(false)} />}
    </>
  )
}

/** The payment by Stripe: its fields in a dialog. */
function StripePay({ answers, quote, priceType }: PayStepProps) {
  const [startedPayment, setStartedPayment] = useState<Extract<StartedPayment, { clientSecret: string }> | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [isDeclined, setDeclined] = useState(false)
  const [message, setMessage] = useState('')

  async function begin(): Promise<void> {
    setBusy(true)
    setMessage('')
    try {
      const response = await fetch('/signup/begin', { method: 'POST', body: new FormData() })
      const data = (await response.json()) as StartedPayment
      if ('goTo' in data) return window.location.assign(data.goTo)
      if ('message' in data) setMessage(data.message)
      else setStartedPayment(data)
    } catch {
      setMessage('The payment provider cannot be reached. No money was taken. Please press the button again.')
    }
    setBusy(false)
  }

  return (
    <>
      <noscript>
        <div className="mb-5">
          <Banner tone="warning">
            Paying needs JavaScript. Please switch it on and load this page again: nothing will be lost.
          </Banner>
        </div>
      </noscript>
      <p role="alert" className="text-body font-medium text-danger empty:hidden">
        {message}
      </p>
      <PayButtons total={quote.total} isBusy={isBusy} onPay={() => void begin()} />
      <p className="text-table text-ink-2">Your card details go straight to the payment provider, Stripe.</p>
      {startedPayment && (
        <StripeDialog
          payment={startedPayment}
          summary={chargeTexts(quote, answers.coupon, priceType).summary(startedPayment.amount)}
          onClose={() => setStartedPayment(null)}
          onDeclined={() => {
            setStartedPayment(null)
            setDeclined(true)
          }}
        />
      )}
      {isDeclined && <DeclinedDialog onClose={() => setDeclined(false)} />}
    </>
  )
}

interface PayButtonsProps {
  total: number
  isBusy?: boolean
  onPay: () => void
  /** How to pay without JavaScript. */
  children?: ReactNode
}

function PayButtons({ total, isBusy = false, onPay, children }: PayButtonsProps) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <LinkButton to="/signup/plan">Previous</LinkButton>
      <Button kind="primary" isPending={isBusy} onClick={onPay} className="scripted">
        {`Pay ${pounds(total)}`}
      </Button>
      {children}
    </div>
  )
}

function DeclinedDialog({ onClose }: { onClose: () => void }) {
  return (
    <PaymentDialog title="Payment declined" role="alertdialog" onClose={onClose}>
      <p className="mb-5">{paymentDeclinedMessage}</p>
      <Button kind="primary" size="large" isWide onClick={onClose}>
        Close
      </Button>
    </PaymentDialog>
  )
}
