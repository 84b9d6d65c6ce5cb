import { useEffect, useRef } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { ShopButton } from './shop-button.tsx'

interface PostRedirectProps {
  /** The provider's page and the fields to post to it, as the gateway returned them. */
  step: { url: string; fields: { name: string; value: string }[] }
  orderNumber: string
}

/** Redirects the buyer to a provider's page by a form post: by script, or by its button. */
export function PostRedirect({ step, orderNumber }: PostRedirectProps) {
  const t = useT()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.submit(), [])
  return (
    <section className="card mx-auto max-w-2xl p-5 sm:p-8">
      <h1 className="font-serif text-public-h2">{t('Pay by card')}</h1>
      <p className="mt-3 text-ink-2">
        {t(
          'Your order {orderNumber} has been saved. You pay on the secure page of our payment provider and come back here.',
          {
            orderNumber,
          },
        )}
      </p>
      <form id="payment-step" ref={form} method="post" action={step.url} className="mt-6 max-w-sm">
        {step.fields.map(({ name, value }) => (
          <input key={`${name} ${value}`} type="hidden" name={name} value={value} />
        ))}
        <ShopButton>{t('Continue to the payment page')}</ShopButton>
      </form>
    </section>
  )
}
