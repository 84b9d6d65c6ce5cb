import { demoCards, groupedCard } from '#core/payment-methods/demo-cards.rules.ts'
import type { PaidProvider } from '#core/payment-methods/payment-methods.rules.ts'
import { noPaymentsMessage } from '#core/storefronts/storefront.rules.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from '../ui/banner.tsx'
import { FieldError, fieldId } from '../ui/field.tsx'
import type { Shop } from './shop-frame.tsx'
import { type FormState, TextField } from './text-field.tsx'

const texts: Record<PaidProvider, { name: string; hint: string }> = {
  'stripe-card': { name: phrase('Card'), hint: phrase('You enter your card details in the next step.') },
  'stripe-bacs': {
    name: phrase('Direct debit'),
    hint: phrase('From a UK bank account. The money is taken in a few days.'),
  },
  paypal: { name: phrase('PayPal'), hint: phrase('You pay at PayPal and come back here.') },
  'secure-trading': {
    name: phrase('Card, on a secure page'),
    hint: phrase('You pay on Secure Trading’s page and come back here.'),
  },
  demo: { name: phrase('Demo card'), hint: phrase('No money is taken.') },
}

interface PaymentFieldsProps {
  form: FormState
  shop: Shop
  /** Methods that at least one plan of the page can use; CSS hides those that the chosen one cannot. */
  offered: readonly PaidProvider[]
  /** Null if the chosen plan has no payment method. */
  chosen: PaidProvider | null
  onChoose: (method: PaidProvider) => void
}

/** The payment methods as radio cards: only usable methods, or a message if no payments can be taken. */
export function PaymentFields({ form, shop, offered, chosen, onChoose }: PaymentFieldsProps) {
  const t = useT()
  const id = fieldId('payment')
  const error = form.errors.payment
  if (offered.length === 0 || !chosen) {
    return (
      <div id={id} tabIndex={-1} className="outline-none">
        <Banner tone="warning" isAlert>
          {t.phrase(noPaymentsMessage(shop.publisher))}
        </Banner>
      </div>
    )
  }
  return (
    <div className="grid gap-5">
      <fieldset id={id} tabIndex={-1} aria-describedby={error ? `${id}-error` : undefined} className="outline-none">
        <legend className="text-body font-medium text-ink-2">{t('How to pay')}</legend>
        <div className="mt-2 grid gap-2">
          {offered.map((method) => (
            <label
              key={method}
              className={`pays-${method} flex min-h-12 items-start gap-2.5 rounded-card border border-control bg-surface p-3 hover:bg-subtle has-checked:border-ink has-checked:bg-subtle has-checked:outline-1 has-checked:outline-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-black`}
            >
              <input
                type="radio"
                name="payment.provider"
                value={method}
                checked={method === chosen}
                onChange={() => onChoose(method)}
                className="mt-1 size-4.5 shrink-0 accent-ink focus-visible:outline-none"
              />
              <span>
                <span className="block text-input font-semibold">{t(texts[method].name)}</span>
                <span className="block text-table text-ink-2">{t(texts[method].hint)}</span>
              </span>
            </label>
          ))}
        </div>
        {error && <FieldError id={`${id}-error`}>{t.phrase(error)}</FieldError>}
      </fieldset>
      {offered.some((method) => method.startsWith('stripe-')) && (
        <noscript>
          <Banner tone="info">
            {t(
              'Paying by card or direct debit here needs JavaScript. Please switch it on, or choose another payment method.',
            )}
          </Banner>
        </noscript>
      )}
      {offered.includes('demo') && (
        <div className="demo-card">
          <DemoCard form={form} isPreview={shop.preview !== undefined} />
        </div>
      )}
    </div>
  )
}

/** The demo bank's card field, with its test numbers. A preview never redirects to a bank. */
function DemoCard({ form, isPreview }: { form: FormState; isPreview: boolean }) {
  const t = useT()
  return (
    <div className="grid gap-5">
      <Banner tone="info" title={t('Demo payments')}>
        <p>{t('No money is taken. Use one of these card numbers:')}</p>
        <ul className="numeric mt-1">
          <li>{t('{card} is accepted', { card: groupedCard(demoCards.paid) })}</li>
          <li>{t('{card} is declined', { card: groupedCard(demoCards.declined) })}</li>
          {!isPreview && (
            <li>
              {t('{card} asks for confirmation on the bank’s page first', { card: groupedCard(demoCards.needsAction) })}
            </li>
          )}
        </ul>
      </Banner>
      <TextField
        // Not prefilled, except for a test order.
        form={{ ...form, values: isPreview ? { 'payment.cardNumber': groupedCard(demoCards.paid) } : {} }}
        name="payment.cardNumber"
        label={t('Card number')}
        isRequired
        inputMode="numeric"
        autoComplete="off"
        maxLength={30}
        className="numeric max-w-72"
      />
    </div>
  )
}
