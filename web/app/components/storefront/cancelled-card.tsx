import { type Confirmation, orderAgainAddress } from '#core/orders/confirmation.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ShopLink } from './shop-link.tsx'

interface CancelledCardProps {
  order: Confirmation
  /** False if the provider was unreachable: the order is still open and expires. */
  isCancelled: boolean
}

/** Tells a buyer who cancelled at the provider's page that nothing was charged, and that the order form is kept. */
export function CancelledCard({ order, isCancelled }: CancelledCardProps) {
  const t = useT()
  const { orderNumber } = order
  return (
    <div className="card mx-auto max-w-2xl p-5 sm:p-8">
      <h1 className="font-serif text-public-h2">
        {isCancelled ? t('Your order was cancelled') : t('You left the payment page')}
      </h1>
      <p className="mt-3 text-ink-2">
        {isCancelled
          ? t('No money was taken for order {orderNumber}.', { orderNumber })
          : t(
              'The payment provider is not responding at the moment, so order {orderNumber} is still open there. Unless you confirmed the payment, no money is taken, and the order expires automatically within the hour.',
              { orderNumber },
            )}
      </p>
      <p className="mt-3 text-ink-2">
        {isCancelled
          ? t('No account was created either: that happens when an order is complete. Your choices have been saved.')
          : t('Your choices have been saved.')}
      </p>
      <div className="mt-8">
        <ShopLink to={orderAgainAddress(order)} isMain reloadDocument>
          {t('Back to the shop')}
        </ShopLink>
      </div>
    </div>
  )
}
