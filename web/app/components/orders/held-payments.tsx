import { Link } from '@remix-run/react'
import { countOf } from '#core/kernel/text-format.ts'
import type { HeldPayment } from '#core/orders/held-payments.query.ts'
import { Banner } from '#web/app/components/ui/banner.tsx'
import { Money } from '#web/app/components/ui/formats.tsx'

type Held = Omit<HeldPayment, 'heldAt'>

/** The payments whose amount differs from their order's, above the ledger, which does not contain them. */
export function HeldPayments({ held }: { held: Held[] }) {
  if (held.length === 0) return null
  return (
    <div className="mb-4">
      <Banner
        tone="warning"
        title={`${countOf(held.length, 'payment is', 'payments are')} held: the amount paid differs from the order`}
      >
        <p>Nothing was delivered for them, and they are not in the ledger. Open the order to see what to do.</p>
        <ul className="mt-1 space-y-0.5">
          {held.map((payment) => (
            <li key={payment.orderId}>
              <Link to={`/orderDetails/${payment.orderId}`} className="link numeric">
                {payment.orderNumber}
              </Link>{' '}
              {payment.publicationName}: <Money value={payment.paid} /> paid by {payment.paymentType} instead of{' '}
              <Money value={payment.due} />
            </li>
          ))}
        </ul>
      </Banner>
    </div>
  )
}

/** What staff do about the held payment of an order. */
export function HeldPaymentBanner({ held: { paid, due, paymentType, reference } }: { held: Held }) {
  return (
    <Banner tone="warning" title="This payment is held: the amount paid differs from the order">
      <p>
        <Money value={paid} /> was paid by {paymentType} instead of <Money value={due} />
        {reference && ` (transaction ${reference})`}. Nothing was delivered, and it is not in the ledger.
      </p>
      <p className="mt-1">
        Refund it in the provider’s own back office: once the provider reports the refund, this order is closed. Tell
        the buyer, who can then order again, or enter the order for them.
      </p>
    </Banner>
  )
}
