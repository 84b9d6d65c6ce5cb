import { type FormEvent, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { ShopButton } from '../shop-button.tsx'
import { billingDetails } from './billing-details.ts'
import { ElementContainer } from './element-container.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { outcomeOf } from './payment-outcome.ts'
import type { PaymentProps } from './payment-props.ts'
import { PaymentSummary } from './payment-summary.tsx'
import { usePaymentElement } from './use-payment-element.ts'

/** Card details are entered in Stripe's own fields and confirmed there; the bank may open a 3-D Secure challenge on top. */
export default function CardDialog({ shop, item, step, order, typed, onPaid, onDeclined, onClose }: PaymentProps) {
  const t = useT()
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const { container, parts, state, retry } = usePaymentElement({
    publishableKey: step.publishableKey,
    open: (stripe, elementsOptions) => stripe.elements({ clientSecret: step.clientSecret, ...elementsOptions }),
    options: {
      defaultValues: { billingDetails: billingDetails(typed) },
      wallets: { applePay: 'never', googlePay: 'never' },
    },
    onEscape: () => !isBusy && onClose(),
  })

  async function pay(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || state !== 'ready' || !parts.current) return
    const { stripe, elements } = parts.current
    setBusy(true)
    setMessage('')
    const result = await stripe.confirmPayment({
      elements,
      confirmParams: { return_url: new URL(order.successUrl, window.location.href).href },
      redirect: 'if_required',
    })
    const outcome = await outcomeOf(stripe, step.clientSecret, result)
    if (outcome.kind === 'paid') return onPaid()
    setBusy(false)
    if (outcome.kind === 'declined') return onDeclined()
    const unreachable = t(
      'The payment provider cannot be reached. Press the button again: you are never charged twice.',
    )
    setMessage(outcome.kind === 'unknown' ? unreachable : (outcome.message ?? ''))
  }

  return (
    <PaymentDialog shop={shop} title={t('Credit Card')} isBusy={isBusy} onClose={onClose}>
      <PaymentSummary shop={shop} item={item} order={order} />
      <form onSubmit={pay}>
        <ElementContainer container={container} state={state} onRetry={retry} />
        <p role="alert" className="mt-3 text-body font-medium text-danger empty:hidden">
          {message}
        </p>
        <div className="mt-5">
          <ShopButton isPending={isBusy} isDisabled={state !== 'ready'}>
            {t('Pay {amount}', { amount: t.money(order) })}
          </ShopButton>
        </div>
        <p className="mt-3 text-table text-ink-2">
          {t('Your card details go straight to the payment provider, Stripe.')}
        </p>
      </form>
    </PaymentDialog>
  )
}
