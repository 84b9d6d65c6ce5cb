import { type FormEvent, useState } from 'react'
import { formatMoney } from '#core/kernel/money.ts'
import { ElementContainer } from '../storefront/payment/element-container.tsx'
import { PaymentDialog } from '../storefront/payment/payment-dialog.tsx'
import { isUnanswered, paidStatuses } from '../storefront/payment/payment-outcome.ts'
import { usePaymentElement } from '../storefront/payment/use-payment-element.ts'
import { Button } from '../ui/button.tsx'

interface StripeDialogProps {
  payment: { clientSecret: string; publishableKey: string; amount: number }
  /** What is charged, and when. */
  summary: string
  onClose: () => void
  onDeclined: () => void
}

/** Stripe's payment element in a dialog. After payment the browser goes to the page that shows the result. */
export function StripeDialog({ payment, summary, onClose, onDeclined }: StripeDialogProps) {
  const { clientSecret, publishableKey, amount } = payment
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const { container, parts, state, retry } = usePaymentElement({
    publishableKey,
    open: (stripe, elementsOptions) => stripe.elements({ clientSecret, ...elementsOptions }),
    options: { layout: 'tabs' },
    onEscape: () => !isBusy && onClose(),
  })

  async function pay(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || state !== 'ready' || !parts.current) return
    const { stripe, elements } = parts.current
    setBusy(true)
    setMessage('')
    const { error } = await stripe.confirmPayment({
      elements,
      confirmParams: { return_url: new URL('/success', window.location.href).href },
    })
    // Only failures return here: otherwise the browser has left for the return page.
    if (error.payment_intent && paidStatuses.has(error.payment_intent.status)) {
      // Already paid in another tab, or by an earlier click whose response was lost.
      window.location.assign('/success')
      return
    }
    setBusy(false)
    if (error.type === 'validation_error') setMessage(error.message ?? unexpected)
    else if (error.type === 'card_error') onDeclined()
    else setMessage(isUnanswered(error) ? unanswered : unexpected)
  }

  return (
    <PaymentDialog title="Payment" isBusy={isBusy} onClose={onClose}>
      <p className="mb-4 text-body text-ink-2">{summary}</p>
      <form onSubmit={pay}>
        <ElementContainer container={container} state={state} onRetry={retry} />
        <p role="alert" className="mt-3 text-body font-medium text-danger empty:hidden">
          {message}
        </p>
        <Button
          type="submit"
          kind="primary"
          size="large"
          isWide
          isPending={isBusy}
          isDisabled={state !== 'ready'}
          className="mt-5"
        >
          {`Pay ${formatMoney({ amount, currency: 'GBP' })}`}
        </Button>
      </form>
    </PaymentDialog>
  )
}

const unexpected = 'An unexpected error occurred.'
const unanswered = `${unexpected} Press the button again: you are never charged twice.`
