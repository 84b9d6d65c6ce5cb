import type { PaymentMethod } from '@stripe/stripe-js'
import { type FormEvent, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { ShopButton } from '../shop-button.tsx'
import { billingDetails } from './billing-details.ts'
import { DebitCheck } from './debit-check.tsx'
import { ElementContainer } from './element-container.tsx'
import { PaymentDialog } from './payment-dialog.tsx'
import { outcomeOf } from './payment-outcome.ts'
import type { PaymentProps } from './payment-props.ts'
import { PaymentSummary } from './payment-summary.tsx'
import { usePaymentElement } from './use-payment-element.ts'

/** A direct debit in two steps: the account is entered in the provider's own fields, then shown for confirmation. */
export default function DebitDialog({ shop, item, step, order, typed, onPaid, onDeclined, onClose }: PaymentProps) {
  const t = useT()
  const [account, setAccount] = useState<PaymentMethod | null>(null)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const payer = billingDetails(typed)
  const { container, parts, state, retry } = usePaymentElement({
    publishableKey: step.publishableKey,
    // Not opened with the client secret: the account is shown before anything is confirmed.
    open: (stripe, elementsOptions) =>
      stripe.elements({
        mode: 'payment',
        amount: order.amount,
        currency: order.currency.toLowerCase(),
        allowedPaymentMethodTypes: ['bacs_debit'],
        paymentMethodCreation: 'manual',
        ...elementsOptions,
      }),
    options: { defaultValues: { billingDetails: payer } },
    onEscape: () => !isBusy && onClose(),
  })
  const unreachable = t('The payment provider cannot be reached. Press the button again: you are never charged twice.')

  async function checkDetails(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (isBusy || state !== 'ready' || !parts.current) return
    const { stripe, elements } = parts.current
    setBusy(true)
    setMessage('')
    const submitted = await elements.submit()
    const { paymentMethod, error } = submitted.error
      ? { paymentMethod: undefined, error: submitted.error }
      : await stripe.createPaymentMethod({ elements })
    setBusy(false)
    if (paymentMethod) setAccount(paymentMethod)
    else setMessage(error?.type === 'api_connection_error' ? unreachable : (error?.message ?? unreachable))
  }

  async function pay(): Promise<void> {
    if (isBusy || !account || !parts.current) return
    const { stripe } = parts.current
    setBusy(true)
    setMessage('')
    const result = await stripe.confirmPayment({
      clientSecret: step.clientSecret,
      confirmParams: {
        payment_method: account.id,
        mandate_data: { customer_acceptance: { type: 'online', online: { infer_from_client: true } } },
        return_url: new URL(order.successUrl, window.location.href).href,
      },
      redirect: 'if_required',
    })
    const outcome = await outcomeOf(stripe, step.clientSecret, result)
    if (outcome.kind === 'paid') return onPaid()
    setBusy(false)
    if (outcome.kind === 'declined') return onDeclined()
    setMessage(outcome.kind === 'unknown' ? unreachable : (outcome.message ?? ''))
    if (outcome.kind === 'invalid') setAccount(null)
  }

  const alert = (
    <p role="alert" className="mt-3 text-body font-medium text-danger empty:hidden">
      {message}
    </p>
  )
  return (
    <PaymentDialog shop={shop} title={t('Direct debit')} isBusy={isBusy} onClose={onClose}>
      <PaymentSummary shop={shop} item={item} order={order} />
      {/* The fields stay mounted while the buyer checks them, so that “Change the account” shows them as they were. */}
      <form onSubmit={checkDetails} className={account ? 'hidden' : undefined}>
        <ElementContainer container={container} state={state} onRetry={retry} />
        {!account && alert}
        <div className="mt-5">
          <ShopButton isPending={isBusy} isDisabled={state !== 'ready'}>
            {t('Continue')}
          </ShopButton>
        </div>
        <p className="mt-3 text-table text-ink-2">
          {t(
            'Your account details go straight to the payment provider, Stripe. Nothing is taken until you have checked them.',
          )}
        </p>
      </form>
      {account && (
        <DebitCheck
          account={account}
          payerName={payer.name}
          statementName={shop.statementName}
          amount={t.money(order)}
          isBusy={isBusy}
          alert={alert}
          onChange={() => setAccount(null)}
          onPay={() => void pay()}
        />
      )}
    </PaymentDialog>
  )
}
