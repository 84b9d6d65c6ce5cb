import type {
  Stripe,
  StripeElements,
  StripeExpressCheckoutElementClickEvent,
  StripeExpressCheckoutElementConfirmEvent,
} from '@stripe/stripe-js'
import { loadStripe } from '@stripe/stripe-js/pure'
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../i18n/use-t.tsx'
import type { OpenOrder, OrderProblem, OrderResponse } from '../order-response.ts'
import type { Shop } from '../shop-frame.tsx'
import { outcomeOf } from './payment-outcome.ts'
import { stripeAppearance } from './stripe-appearance.ts'
import { walletOrder } from './wallet-order.ts'

interface WalletButtonsProps {
  shop: Shop
  /** Description and amount of what is bought, in the language of the page. */
  item: string
  amount: number
  currency: string
  country: string
  isPosted: boolean
  isRecurring: boolean
  /** Whether buyer and addresses are on file. */
  isAddressKnown: boolean
  /** The email of the logged-in buyer. */
  accountEmail: string | undefined
  /** Places the order with the wallet's contact details. */
  onOrder: (fields: Record<string, string>) => Promise<OrderResponse | null>
  onPaid: (order: OpenOrder) => void
  onFailed: (order: OpenOrder) => void
  onRefused: (problem: OrderProblem | undefined) => void
}

/**
 * The wallet buttons (Apple Pay, Google Pay) of this device: one click pays without the form, because the wallet has name, email and
 * address. They render nothing if the device has no wallet, or while that is still unknown. They are created for one currency, country and kind of
 * plan: pass another `key` when one of these changes.
 */
export default function WalletButtons(props: WalletButtonsProps) {
  const { shop, amount, currency, country, isPosted, isRecurring } = props
  const t = useT()
  const container = useRef<HTMLDivElement>(null)
  const parts = useRef<{ stripe: Stripe; elements: StripeElements }>()
  const [isShown, setShown] = useState(false)
  /** The buttons are created once; their handlers use the page's current state. */
  const latestProps = useRef(props)
  latestProps.current = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: created once; amount changes are passed to the existing buttons
  useEffect(() => {
    let isMounted = true
    let close = () => {}
    loadStripe(shop.stripePublishableKey, { locale: t.language })
      .then((stripe) => {
        if (!isMounted || !container.current || !stripe) return
        const elements = stripe.elements({
          mode: 'payment',
          // The plan or the code may have changed while the script was loaded.
          amount: latestProps.current.amount,
          currency: currency.toLowerCase(),
          allowedPaymentMethodTypes: ['card'],
          ...(isRecurring ? { setupFutureUsage: 'off_session' } : {}),
          locale: t.language,
          appearance: stripeAppearance,
        })
        const buttons = elements.create('expressCheckout', {
          emailRequired: true,
          billingAddressRequired: true,
          shippingAddressRequired: isPosted,
          ...(isPosted
            ? { allowedShippingCountries: [country], shippingRates: [freeDelivery(t('Free delivery'))] }
            : {}),
          business: { name: shop.publicationName },
          paymentMethods: { link: 'never', paypal: 'never', klarna: 'never', amazonPay: 'never' },
        })
        close = () => buttons.destroy()
        buttons.on('ready', ({ availablePaymentMethods: methods }) => {
          if (isMounted) setShown(methods !== undefined && Object.values(methods).some(Boolean))
        })
        buttons.on('click', (event) => openSheet(event, latestProps.current, t('Free delivery')))
        buttons.on('confirm', (event) => {
          // The page may have loaded new prices while the wallet's sheet was open.
          if (isMounted) void pay(event)
          else event.paymentFailed({ reason: 'fail' })
        })
        buttons.mount(container.current)
        parts.current = { stripe, elements }
      })
      // Without the provider's script buyers use the form.
      .catch(() => undefined)
    return () => {
      isMounted = false
      close()
    }
  }, [])
  useEffect(() => {
    parts.current?.elements.update({ amount })
  }, [amount])

  async function pay(event: StripeExpressCheckoutElementConfirmEvent): Promise<void> {
    if (!parts.current) return
    const { stripe, elements } = parts.current
    const { onOrder, onPaid, onFailed, onRefused } = latestProps.current
    onRefused(undefined)
    const wallet = walletOrder(event, latestProps.current)
    if (wallet.refused) {
      const message = t('Choose the country of your address at the top of the page first.')
      event.paymentFailed({ reason: wallet.refused, message })
      return onRefused({ message, hint: undefined, errors: {}, values: {} })
    }
    const submitted = await elements.submit()
    const response = submitted.error ? null : await onOrder(wallet.fields)
    if (response?.kind !== 'step' || response.step.kind !== 'confirm') {
      event.paymentFailed({ reason: 'fail' })
      return onRefused(response?.kind === 'refused' ? response.problem : walletFailed)
    }
    const { order, step } = response
    const result = await stripe.confirmPayment({
      elements,
      clientSecret: step.clientSecret,
      confirmParams: { return_url: new URL(order.successUrl, window.location.href).href },
      redirect: 'if_required',
    })
    const outcome = await outcomeOf(stripe, step.clientSecret, result)
    // The result is unknown: the next page polls the server.
    if (outcome.kind === 'paid' || outcome.kind === 'unknown') return onPaid(order)
    event.paymentFailed({ reason: 'fail' })
    onFailed(order)
  }

  return (
    <section
      aria-label={t('Pay in one step')}
      className={isShown ? 'card p-4 sm:p-6' : 'pointer-events-none invisible absolute inset-x-0 h-0 overflow-hidden'}
      aria-hidden={!isShown}
    >
      <h2 className="mb-4 text-h2">{t('Pay in one step')}</h2>
      <div ref={container} />
      <p className="mt-3 text-body text-ink-2">{t('Or fill in the form below.')}</p>
    </section>
  )
}

const walletFailed: OrderProblem = {
  message: 'The wallet could not be charged. No money was taken.',
  hint: 'Please try again, or fill in the form.',
  errors: {},
  values: {},
}

function freeDelivery(displayName: string) {
  return {
    id: 'free',
    amount: 0,
    displayName,
    deliveryEstimate: { minimum: { unit: 'day' as const, value: 5 }, maximum: { unit: 'day' as const, value: 7 } },
  }
}

/** Opens the wallet's sheet with the item and its price. */
function openSheet(
  event: StripeExpressCheckoutElementClickEvent,
  { item, amount, isPosted }: WalletButtonsProps,
  delivery: string,
): void {
  event.resolve({
    lineItems: [{ name: item, amount }],
    ...(isPosted ? { shippingRates: [freeDelivery(delivery)] } : {}),
  })
}
