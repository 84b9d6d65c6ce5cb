import { Link } from '@remix-run/react'
import type { OwnOrder } from '#core/buyers/list-own-orders.query.ts'
import type { Page } from '#core/kernel/paging.ts'
import { useT } from '../../i18n/use-t.tsx'
import { issuesText, planText } from '../storefront/plan-text.ts'
import { ShopCard } from '../storefront/shop-card.tsx'
import { invoiceStateText, orderStateText } from './order-state-text.ts'

const link = 'inline-block min-h-6 text-ink underline underline-offset-3 hover:decoration-2'

/** The buyer's orders, each with a link to its receipt. */
export function OrdersCard({ urlKey, orders }: { urlKey: string; orders: Page<OwnOrder> }) {
  const t = useT()
  return (
    <ShopCard heading={t('Orders and receipts')}>
      {orders.total === 0 ? (
        <p className="text-input text-ink-2">{t('You have not ordered anything yet.')}</p>
      ) : (
        <ul className="divide-y divide-line border-y border-line">
          {orders.rows.map((order) => (
            <li key={order.orderNumber} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 py-3">
              <div className="min-w-0">
                <p className="text-input font-medium wrap-anywhere">
                  {order.plan ? planText(t, order.plan) : issuesText(t, order.volumes)}
                </p>
                <p className="text-body text-muted">
                  {[
                    t.day(order.orderedOn),
                    orderStateText(t, order.state),
                    order.invoice && order.state === 'paid' ? invoiceStateText(t, order.invoice) : null,
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </div>
              <div className="text-body">
                <span className="numeric mr-4">{order.money ? t.money(order.money) : t('Free')}</span>
                <Link to={`/${urlKey}/account/orders/${order.orderNumber}`} className={link}>
                  {order.invoice
                    ? t('Invoice {number}', { number: order.invoice.number })
                    : t('Receipt {number}', { number: order.orderNumber })}
                </Link>
              </div>
            </li>
          ))}
        </ul>
      )}
      {orders.pages > 1 && (
        <nav aria-label={t('Orders and receipts')} className="mt-3 flex flex-wrap items-baseline gap-x-6 text-body">
          <span className="numeric text-muted">
            {t('Page {page} of {pages}', { page: orders.page, pages: orders.pages })}
          </span>
          {orders.page > 1 && (
            <Link to={`?page=${orders.page - 1}`} preventScrollReset className={link}>
              {t('Newer orders')}
            </Link>
          )}
          {orders.page < orders.pages && (
            <Link to={`?page=${orders.page + 1}`} preventScrollReset className={link}>
              {t('Older orders')}
            </Link>
          )}
        </nav>
      )}
    </ShopCard>
  )
}
