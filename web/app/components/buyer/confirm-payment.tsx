import { loadStripe } from '@stripe/stripe-js/pure'
import { type FormEvent, useRef, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { outcomeOf } from '../storefront/payment/payment-outcome.ts'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, useForm } from '../ui/form.tsx'
import { beginCardUpdate } from './card-form.tsx'
import { ShopSubmit } from './shop-fields.tsx'

/** Confirms a renewal for which the bank requires 3-D Secure: Stripe's script asks the holder of the card that was charged. */
export function ConfirmPayment({ beginPath, publishableKey }: { beginPath: string; publishableKey: string }) {
  const t = useT()
  const form = useForm({ problem: undefined, identifiedBy: { intent: 'confirmed' } })
  const isConfirmed = useRef(false)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState('')

  /** Returns whether the payment succeeded; otherwise the error is shown on the page. */
  async function confirm(): Promise<boolean> {
    const unreachable = t(
      'The payment provider cannot be reached. Press the button again: you are never charged twice.',
    )
    const stripe = await loadStripe(publishableKey, { locale: t.language }).catch(() => null)
    const { clientSecret, cardReference, problem } = await beginCardUpdate(beginPath, { intent: 'confirm' })
    if (problem) return showError(t.phrase(problem))
    if (!stripe || !clientSecret || !cardReference) return showError(unreachable)
    const result = await stripe.confirmPayment({
      clientSecret,
      confirmParams: { payment_method: cardReference, return_url: window.location.href },
      redirect: 'if_required',
    })
    const { kind } = await outcomeOf(stripe, clientSecret, result)
    return (
      kind === 'paid' ||
      showError(kind === 'unknown' ? unreachable : t('This card was declined. Please try another one.'))
    )
  }

  function showError(text: string): false {
    setMessage(text)
    return false
  }

  /** Confirms with the bank, then submits the form: the server polls Stripe for the result. */
  async function confirmAndSubmit(event: FormEvent): Promise<void> {
    if (isConfirmed.current) return
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    setMessage('')
    isConfirmed.current = await confirm()
    setBusy(false)
    if (isConfirmed.current) form.ref.current?.requestSubmit()
  }

  return (
    <ShopCard heading={t('Your bank asks you to confirm this payment')}>
      <Form form={form} onSubmit={confirmAndSubmit} className="space-y-5">
        <noscript>
          <p className="text-input font-medium">{t('Confirming the payment needs JavaScript. Please switch it on.')}</p>
        </noscript>
        <p role="alert" className="text-body font-medium text-danger empty:hidden">
          {message}
        </p>
        <ShopSubmit isBusy={isBusy}>{t('Confirm with your bank')}</ShopSubmit>
      </Form>
    </ShopCard>
  )
}
