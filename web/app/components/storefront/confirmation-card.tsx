import { type Confirmation, orderAgainAddress } from '#core/orders/confirmation.rules.ts'
import { phrase } from '../../i18n/phrase.ts'
import { useT } from '../../i18n/use-t.tsx'
import { PrintButton } from '../ui/print-button.tsx'
import { ConfirmedOrder } from './confirmed-order.tsx'
import type { Shop } from './shop-frame.tsx'
import { ShopLink } from './shop-link.tsx'

const titles: Record<Confirmation['status'], string> = {
  confirmed: phrase('Thank you for your order'),
  'being-confirmed': phrase('We are confirming your order'),
  'not-confirmed': phrase('Your order was not completed'),
}

const reasons: Record<NonNullable<Confirmation['why']>, string> = {
  declined: phrase(
    'Sorry your payment has been declined. Please try with another payment method. No money was taken for order {orderNumber}.',
  ),
  cancelled: phrase('No money was taken for order {orderNumber}. You can order again whenever you like.'),
  refunded: phrase('Order {orderNumber} was refunded and cancelled.'),
  reversed: phrase('The bank did not pay for order {orderNumber}, so the order was cancelled.'),
}

interface ConfirmationCardProps {
  order: Confirmation
  shop: Shop
  /** Cancels the order while it is being confirmed; null once the provider processes its payment. */
  cancelUrl: string | null
}

/** The result of an order: confirmed, being confirmed, or failed. Thanks the buyer only for an order that exists. */
export function ConfirmationCard({ order, shop, cancelUrl }: ConfirmationCardProps) {
  const t = useT()
  const { status, why, orderNumber, email } = order
  const canRetry = why === 'declined' || why === 'cancelled'
  return (
    <div className="card mx-auto max-w-2xl p-5 sm:p-8">
      {/* Always on the page, so that screen readers announce the result when the bank has responded. */}
      <div role="status">
        <h1 className="font-serif text-public-h2">{t(titles[status])}</h1>
        {status === 'being-confirmed' && (
          <p className="mt-3 text-ink-2">
            {t(
              'The bank has not responded yet. This page refreshes automatically; you do not need to order again. Your order number is {orderNumber}, and the receipt goes to {email}.',
              { orderNumber, email },
            )}
          </p>
        )}
        {why && <p className="mt-3 text-ink-2">{t(reasons[why], { orderNumber })}</p>}
      </div>
      {status === 'confirmed' && <ConfirmedOrder order={order} shop={shop} />}
      {status === 'being-confirmed' && cancelUrl && (
        <p className="mt-3 text-ink-2">
          {t('Did you leave before paying?')}{' '}
          <a href={cancelUrl} className="text-ink underline underline-offset-3 hover:decoration-2">
            {t('Cancel this order')}
          </a>
        </p>
      )}
      <div className="no-print mt-8 flex flex-wrap gap-3">
        <ShopLink to={canRetry ? orderAgainAddress(order) : `/${shop.urlKey}`} isMain reloadDocument>
          {canRetry ? t('Try again') : t('Return to {title}', { title: shop.publicationName })}
        </ShopLink>
        {status === 'confirmed' && <PrintButton label={t('Print this page')} size="large" />}
      </div>
    </div>
  )
}
