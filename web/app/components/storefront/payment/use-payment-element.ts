import type { Stripe, StripeElements, StripePaymentElementOptions } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { type ElementsOptions, stripeAppearance } from './stripe-appearance.ts'

interface PaymentElement {
  publishableKey: string
  /** Creates Stripe's elements for this payment. */
  open: (stripe: Stripe, elementsOptions: ElementsOptions) => StripeElements
  options: StripePaymentElementOptions
  /** Esc was pressed inside the provider's frame, where the page gets no key events. */
  onEscape?: () => void
}

/** Stripe's own fields in `container`: card and bank details go straight from them to Stripe, never through this page. */
export function usePaymentElement({ publishableKey, open, options, onEscape }: PaymentElement) {
  const { language } = useT()
  const container = useRef<HTMLDivElement>(null)
  const parts = useRef<{ stripe: Stripe; elements: StripeElements }>()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const latestOnEscape = useRef(onEscape)
  latestOnEscape.current = onEscape
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: mounted once for each attempt; its options do not change while the dialog is open
  useEffect(() => {
    let isMounted = true
    let close = () => {}
    const fail = () => isMounted && setState('failed')
    setState('loading')
    loadStripe(publishableKey, { locale: language })
      .then((stripe) => {
        if (!isMounted || !container.current || !stripe) return fail()
        const elements = open(stripe, { locale: language, appearance: stripeAppearance })
        const element = elements.create('payment', options)
        close = () => element.destroy()
        element.on('ready', () => isMounted && setState('ready'))
        element.on('loaderror', fail)
        element.on('escape', () => latestOnEscape.current?.())
        element.mount(container.current)
        parts.current = { stripe, elements }
      })
      .catch(fail)
    return () => {
      isMounted = false
      close()
    }
  }, [attempt])
  return { container, parts, state, retry: () => setAttempt((count) => count + 1) }
}
