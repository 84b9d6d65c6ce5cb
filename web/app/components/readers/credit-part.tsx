import { Link } from '@remix-run/react'
import { type Currency, formatMoney } from '#core/kernel/money.ts'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Moment, Money } from '#web/app/components/ui/formats.tsx'

interface Amount {
  amount: number
  currency: Currency
}

interface Props {
  left: readonly Amount[]
  credits: readonly (Amount & {
    refundId: number
    orderId: number
    orderNumber: string
    givenAt: Date
    uses: readonly (Amount & { orderId: number; orderNumber: string; usedAt: Date })[]
  })[]
  timeZone: string
}

/** A reader's credit: how much is left, which orders it comes from, and which it paid for. */
export function CreditPart({ left, credits, timeZone }: Props) {
  return (
    <Section title="Credit">
      <p className="mb-3 text-body">
        Credit: {left.length > 0 ? `${left.map((money) => formatMoney(money)).join(', ')} left` : 'nothing left'}
      </p>
      <ul className="space-y-2 text-body">
        {credits.map(({ refundId, orderId, orderNumber, amount, currency, givenAt, uses }) => (
          <li key={refundId}>
            <Line
              what="Kept from order"
              orderId={orderId}
              orderNumber={orderNumber}
              at={givenAt}
              amount={amount}
              currency={currency}
              timeZone={timeZone}
            />
            {uses.map((use) => (
              <Line
                key={`${use.orderId} ${String(use.usedAt)}`}
                what="Used for order"
                {...use}
                at={use.usedAt}
                amount={-use.amount}
                timeZone={timeZone}
              />
            ))}
          </li>
        ))}
      </ul>
    </Section>
  )
}

function Line({
  what,
  orderId,
  orderNumber,
  at,
  timeZone,
  ...money
}: Amount & { what: string; orderId: number; orderNumber: string; at: Date; timeZone: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <span>
        {what}{' '}
        <Link to={`/orderDetails/${orderId}`} className="link whitespace-nowrap">
          {orderNumber}
        </Link>
        , <Moment at={at} timeZone={timeZone} />
      </span>
      <span className="numeric">
        <Money value={{ amount: money.amount, currency: money.currency }} />
      </span>
    </div>
  )
}
