import type { Stripe, StripeElements, StripePaymentElementOptions } from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import { type ElementsLook, stripeLook } from './stripe-look.ts'

interface PaymentElement {
  publishableKey: string
  /** Opens the group of fields for what is paid. */
  open: (stripe: Stripe, look: ElementsLook) => StripeElements
  options: StripePaymentElementOptions
  /** Esc was pressed inside the provider's frame, where the page cannot hear it. */
  onEscape?: () => void
}

/** Stripe's own fields in `place`: a card or a bank account goes from them to Stripe and never through this page. */
export function usePaymentElement({ publishableKey, open, options, onEscape }: PaymentElement) {
  const { language } = useT()
  const place = useRef<HTMLDivElement>(null)
  const parts = useRef<{ stripe: Stripe; elements: StripeElements }>()
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading')
  const escaped = useRef(onEscape)
  escaped.current = onEscape
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn once for each try; what it is drawn with does not change in a window
  useEffect(() => {
    let isWanted = true
    let close = () => {}
    const fail = () => isWanted && setState('failed')
    setState('loading')
    loadStripe(publishableKey, { locale: language })
      .then((stripe) => {
        if (!isWanted || !place.current || !stripe) return fail()
        const elements = open(stripe, { locale: language, appearance: stripeLook })
        const element = elements.create('payment', options)
        close = () => element.destroy()
        element.on('ready', () => isWanted && setState('ready'))
        element.on('loaderror', fail)
        element.on('escape', () => escaped.current?.())
        element.mount(place.current)
        parts.current = { stripe, elements }
      })
      .catch(fail)
    return () => {
      isWanted = false
      close()
    }
  }, [attempt])
  return { place, parts, state, again: () => setAttempt((count) => count + 1) }
}
