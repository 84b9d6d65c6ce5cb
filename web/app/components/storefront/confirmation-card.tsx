import Printer from 'lucide-react/icons/printer'
import type { ReactNode } from 'react'
import { openEnd } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import type { Confirmation } from '#core/orders/confirmation.rules.ts'
import { Button } from '../ui/button.tsx'
import { DayText } from '../ui/formats.tsx'
import type { Shop } from './shop-frame.tsx'

const titles: Record<Confirmation['face'], string> = {
  confirmed: 'Thank you for your order',
  'being-confirmed': 'We are confirming your order',
  'not-confirmed': 'Your order was not completed',
}

/** What became of an order: confirmed, still with the bank, or not. It never thanks for an order that does not exist. */
export function ConfirmationCard({ order, shop }: { order: Confirmation; shop: Shop }) {
  return (
    <div className="card mx-auto max-w-2xl p-5 sm:p-8">
      <h1 className="font-serif text-public-h2">{titles[order.face]}</h1>
      {order.face === 'confirmed' && <Confirmed order={order} shop={shop} />}
      {order.face === 'being-confirmed' && (
        <p role="status" className="mt-3 text-ink-2">
          The bank has not answered yet. This page looks again by itself; you need not order again. Your order number is{' '}
          <strong className="text-ink">{order.orderNumber}</strong>, and the receipt goes to {order.email}.
        </p>
      )}
      {order.face === 'not-confirmed' && (
        <p className="mt-3 text-ink-2">
          No money was taken for order {order.orderNumber}. You can order again whenever you like.
        </p>
      )}
      <div className="no-print mt-8 flex flex-wrap gap-3">
        <a
          href={`/${shop.urlKey}`}
          className="inline-flex min-h-12 items-center rounded-input border border-(--shop-edge) bg-(--shop) px-5 font-semibold text-(--shop-label) no-underline hover:bg-(--shop-hover)"
        >
          Return to {shop.publicationName}
        </a>
        {order.face === 'confirmed' && (
          <Button size="large" icon={<Printer size={18} aria-hidden="true" />} onClick={() => window.print()}>
            Print this page
          </Button>
        )}
      </div>
    </div>
  )
}

function Confirmed({ order, shop }: { order: Confirmation; shop: Shop }) {
  const money = (amount: number) => formatMoney({ amount, currency: order.currency })
  const apps = [
    { label: 'Read it online', url: shop.links.digitalEdition },
    { label: 'iPhone and iPad app', url: shop.links.ios },
    { label: 'Android app', url: shop.links.android },
    { label: 'Kindle app', url: shop.links.kindle },
  ].filter(({ url }) => url !== '')
  return (
    <>
      <p className="mt-3 text-ink-2">
        Your order is confirmed. The receipt goes to <strong className="text-ink">{order.email}</strong>.
      </p>
      <dl className="mt-6 divide-y divide-line border-y border-line">
        <Line label="Order number">{order.orderNumber}</Line>
        <Line label="Publication">{shop.publicationName}</Line>
        {order.product ? (
          <>
            <Line label="Subscription">{order.productName}</Line>
            <Line label="Starts">
              <DayText day={order.subStartOn} />
            </Line>
            <Line label={order.isRecurring ? 'Renews' : 'Ends'}>
              {order.subEndOn === openEnd ? 'Until further notice' : <DayText day={order.subEndOn} />}
            </Line>
          </>
        ) : (
          order.issues.map(({ volume, price, postage }) => (
            <Line key={volume} label={volume}>
              {postage > 0 ? `${money(price)} + ${money(postage)} postage` : money(price)}
            </Line>
          ))
        )}
        <Line label="Total">{order.isFree ? 'Free' : `${money(order.amount)} ${order.currency}`}</Line>
      </dl>
      <h2 className="mt-6 text-h3">What happens next</h2>
      {!order.product && (
        <p className="mt-2 text-ink-2">Your issues are posted to the delivery address of this order.</p>
      )}
      {(order.product === 'print' || order.product === 'bundle') && (
        <p className="mt-2 text-ink-2">
          Your printed copies are posted from the next issue on, to the delivery address of this order.
        </p>
      )}
      {(order.product === 'digital' || order.product === 'bundle') && (
        <>
          <p className="mt-2 text-ink-2">
            You can start reading now, with the email and the password you ordered with.
          </p>
          <ul className="mt-2 space-y-1">
            {apps.map(({ label, url }) => (
              <li key={label}>
                <a href={url} className="inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2">
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  )
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-2.5">
      <dt className="text-body text-muted">{label}</dt>
      <dd className="numeric font-medium">{children}</dd>
    </div>
  )
}
