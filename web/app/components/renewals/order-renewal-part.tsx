import { Link } from '@remix-run/react'
import type { OrderRenewal } from '#core/orders/order-renewal.query.ts'
import { Badge } from '../ui/badge.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { DayText } from '../ui/formats.tsx'
import { CycleList } from './renewal-part.tsx'

interface OrderRenewalPartProps {
  /** The order of this page. */
  orderId: number
  renewal: OrderRenewal
  readerId: number | null
}

/** The automatic renewal of an order: the first order, and each charge since. */
export function OrderRenewalPart({ orderId, renewal, readerId }: OrderRenewalPartProps) {
  const { isOn, chargeOn, endedBecause, first, cycles } = renewal
  return (
    <Section
      title="Automatic renewal"
      action={<Badge tone={isOn ? 'success' : 'neutral'}>{isOn ? 'On' : 'Off'}</Badge>}
    >
      <Facts>
        <Fact label="Began with">
          {first.id === orderId ? (
            'This order'
          ) : (
            <Link to={`/orderDetails/${first.id}`} className="link">
              Order {first.orderNumber}
            </Link>
          )}
        </Fact>
        {isOn ? (
          <Fact label="Next charge">{chargeOn ? <DayText day={chargeOn} /> : 'Not scheduled'}</Fact>
        ) : (
          <Fact label="Why it is off">{endedBecause}</Fact>
        )}
      </Facts>
      {cycles.length > 0 && (
        <div className="mt-4 border-t border-line pt-3">
          <CycleList cycles={cycles} mayOpen currentOrderId={orderId} />
        </div>
      )}
      {isOn && readerId !== null && (
        <p className="mt-3 text-body">
          <Link to={`/editreader/${readerId}`} className="link">
            Charge it now, turn it off or change the card on the reader’s page
          </Link>
        </p>
      )}
    </Section>
  )
}
