import { Fragment, type ReactNode } from 'react'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import { Section } from '#web/app/components/ui/facts.tsx'
import { Money } from '#web/app/components/ui/formats.tsx'

/** The amounts of an order by item, and how much of it is refunded, earned and still owed. */
export function AmountsPart({ order }: { order: OrderDetails }) {
  const { currency } = order
  const isFree = order.paymentType === 'Free'
  const money = (amount: number | null) => <Money value={amount === null ? null : { amount, currency }} />
  return (
    <Section title="Amounts">
      <dl className="numeric text-body">
        {order.kind === 'back-issues' ? (
          order.items.map((item) => (
            <Fragment key={item.description}>
              <Line label={item.description}>{money(item.unitPrice)}</Line>
              {item.postage > 0 && <Line label={`${item.description}, postage`}>{money(item.postage)}</Line>}
            </Fragment>
          ))
        ) : (
          <Line label="Price">{isFree && order.discount === 0 ? 'Free' : money(order.productPrice)}</Line>
        )}
        {order.discount > 0 && (
          <Line label={order.promoCode ? `Discount (${order.promoCode})` : 'Discount'}>{money(-order.discount)}</Line>
        )}
        <Line label="Total" isTotal>
          {isFree ? (
            'Free'
          ) : (
            <>
              {money(order.amount)} {currency}
            </>
          )}
        </Line>
        {order.refunded !== null && order.refunded !== 0 && (
          <>
            <Line label="Refunded">{money(-order.refunded)}</Line>
            <Line label="Net" isTotal>
              {money(order.net)}
            </Line>
          </>
        )}
        <Line label="Fulfilled">{money(order.fulfilled)}</Line>
        <Line label="Liability">{money(order.liability)}</Line>
      </dl>
    </Section>
  )
}

function Line({ label, isTotal = false, children }: { label: string; isTotal?: boolean; children: ReactNode }) {
  return (
    <div className={`flex justify-between gap-4 py-1 ${isTotal ? 'mb-2 border-b border-line pb-2 font-semibold' : ''}`}>
      <dt className={isTotal ? '' : 'text-ink-2'}>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
