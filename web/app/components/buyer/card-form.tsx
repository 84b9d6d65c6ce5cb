import { useActionData } from '@remix-run/react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Phrase } from '#core/kernel/phrases.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ElementContainer } from '../storefront/payment/element-container.tsx'
import { isUnanswered } from '../storefront/payment/payment-outcome.ts'
import { usePaymentElement } from '../storefront/payment/use-payment-element.ts'
import { ShopCard } from '../storefront/shop-card.tsx'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { ShopSubmit } from './shop-fields.tsx'

/** The server's response when a card change begins: a client secret to confirm with, or a refusal. */
export interface StartedCardUpdate {
  clientSecret: string | null
  /** The card to confirm the open payment with. */
  cardReference?: string | null
  /** Why the change was refused; undefined if the provider or the server failed. */
  problem?: Phrase
}

interface CardFormProps {
  /** The address that begins a card change. */
  beginPath: string
  card: { agreementId: number; publishableKey: string }
  /** What happens when a card is entered. */
  intro: string
  /** The label of the button. */
  label: string
  problem: Refusal | undefined
}

/** Replaces the card of a renewal: the card is entered in the provider's own fields and confirmed there; no money is taken. */
export function CardForm({ beginPath, card, intro, label, problem }: CardFormProps) {
  const t = useT()
  const actionData = useActionData()
  const form = useForm({ problem, hidden: { agreementId: String(card.agreementId) } })
  const reference = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const [message, setMessage] = useState('')
  const { container, parts, state, retry } = usePaymentElement({
    publishableKey: card.publishableKey,
    open: (stripe, elementsOptions) =>
      stripe.elements({ mode: 'setup', currency: 'gbp', allowedPaymentMethodTypes: ['card'], ...elementsOptions }),
    options: { wallets: { applePay: 'never', googlePay: 'never' } },
    // A full page, not a dialog that could be closed.
    onEscape: () => {},
  })

  /** Returns the confirmed setup, or shows what went wrong. */
  async function confirm(): Promise<string | null> {
    if (!parts.current) return null
    const { stripe, elements } = parts.current
    const submitted = await elements.submit()
    if (submitted.error) return showError(submitted.error.message)
    const { clientSecret, problem: refusal } = await beginCardUpdate(beginPath, {
      agreementId: String(card.agreementId),
    })
    if (!clientSecret)
      return showError(refusal ? t.phrase(refusal) : t('The payment provider cannot be reached. No money was taken.'))
    const { error, setupIntent } = await stripe.confirmSetup({
      elements,
      clientSecret,
      confirmParams: { return_url: window.location.href },
      redirect: 'if_required',
    })
    if (!error) return setupIntent.id
    // Already confirmed: the response of an earlier attempt was lost.
    if (error.setup_intent?.status === 'succeeded') return error.setup_intent.id
    if (isUnanswered(error)) return showError(t('The payment provider cannot be reached. No money was taken.'))
    return showError(
      error.type === 'validation_error' ? error.message : t('This card was declined. Please try another one.'),
    )
  }

  function showError(text: string | undefined): null {
    setMessage(text ?? '')
    return null
  }

  // After a response from the server, the next submission confirms whatever card is in the fields by then. Without a response, such as after
  // a lost connection, the confirmed card is submitted again.
  useEffect(() => {
    if (actionData && reference.current) reference.current.value = ''
  }, [actionData])

  /** Confirms the card with the provider, then submits the form. A card that is already confirmed is submitted directly. */
  async function confirmAndSubmit(event: FormEvent): Promise<void> {
    if (reference.current?.value) return
    event.preventDefault()
    if (isBusy || state !== 'ready') return
    setBusy(true)
    setMessage('')
    const confirmed = await confirm()
    setBusy(false)
    if (!confirmed || !reference.current) return
    reference.current.value = confirmed
    form.ref.current?.requestSubmit()
  }

  return (
    <ShopCard>
      <Form form={form} onSubmit={confirmAndSubmit} className="space-y-5">
        <input ref={reference} type="hidden" name="reference" />
        <p className="text-input">{intro}</p>
        <noscript>
          <p className="text-input font-medium">{t('Changing the card needs JavaScript. Please switch it on.')}</p>
        </noscript>
        <ElementContainer container={container} state={state} onRetry={retry} />
        <p role="alert" className="text-body font-medium text-danger empty:hidden">
          {message}
        </p>
        <ShopSubmit isBusy={isBusy} isDisabled={state !== 'ready'}>
          {label}
        </ShopSubmit>
        <p className="text-table text-ink-2">{t('Your card details go straight to the payment provider, Stripe.')}</p>
      </Form>
    </ShopCard>
  )
}

/**
 * Begins a card change on the server; returns no secret if that failed. If the session or the renewal has ended, the page is reloaded: it
 * then shows the log-in form, or says that the renewal has ended.
 */
export async function beginCardUpdate(path: string, fields: Record<string, string>): Promise<StartedCardUpdate> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  try {
    const response = await fetch(path, { method: 'POST', body })
    if (response.redirected || response.status === 404) {
      window.location.reload()
      return new Promise(() => {})
    }
    return (await response.json()) as StartedCardUpdate
  } catch {
    return { clientSecret: null }
  }
}
