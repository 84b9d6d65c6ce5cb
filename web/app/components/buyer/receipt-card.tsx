import type { ReactNode } from 'react'
import type { OwnReceipt } from '#core/buyers/get-own-receipt.query.ts'
import { openEnd } from '#core/kernel/dates.ts'
import { useT } from '../../i18n/use-t.tsx'
import { planText } from '../storefront/plan-text.ts'
import type { Shop } from '../storefront/shop-frame.tsx'
import { FactLine, FactLines } from '../ui/fact-lines.tsx'
import { PrintButton } from '../ui/print-button.tsx'
import { AddressLines } from './address-lines.tsx'
import { orderStateText } from './order-state-text.ts'

/** A printable receipt: seller, buyer, date, items and amounts. */
export function ReceiptCard({ receipt, shop }: { receipt: OwnReceipt; shop: Shop }) {
  const t = useT()
  const money = (amount: number) => t.money({ amount, currency: receipt.currency })
  const state = orderStateText(t, receipt.state)
  return (
    <div className="card p-5 sm:p-8">
      <p className="text-input font-semibold">{shop.publicationName}</p>
      <p className="text-body text-ink-2">{[shop.publisher.companyName, ...shop.publisher.addressLines].join(', ')}</p>
      <FactLines className="mt-6">
        <FactLine label={t('Order number')}>{receipt.orderNumber}</FactLine>
        <FactLine label={t('Order date')}>{t.day(receipt.orderedOn)}</FactLine>
        {state && <FactLine label={t('Status')}>{state}</FactLine>}
        {receipt.startOn && <FactLine label={t('Starts')}>{t.day(receipt.startOn)}</FactLine>}
        {receipt.endOn && (
          <FactLine label={receipt.renews ? t('Renews') : t('Ends')}>
            {receipt.endOn === openEnd
              ? t('Until further notice')
              : receipt.renews
                ? t('{day} for {amount}', { day: t.day(receipt.endOn), amount: money(receipt.price) })
                : t.day(receipt.endOn)}
          </FactLine>
        )}
        <FactLine label={t('Paid by')}>{t(receipt.paymentType)}</FactLine>
      </FactLines>
      <table className="mt-6 w-full text-input">
        <caption className="sr-only">{t('What was ordered')}</caption>
        <thead>
          <tr className="border-b border-line text-body text-muted">
            <th scope="col" className="py-2 pr-4 text-left font-normal">
              {t('What was ordered')}
            </th>
            <th scope="col" className="py-2 text-right font-normal">
              {t('Price')}
            </th>
          </tr>
        </thead>
        <tbody>
          {receipt.items.map((item) => (
            <Row key={item.description} label={receipt.plan ? planText(t, receipt.plan) : item.description}>
              {receipt.isFree && receipt.discount === 0 ? t('Free') : money(item.unitPrice)}
              {item.postage > 0 && (
                <span className="block text-body text-muted">
                  {t('+ {amount} postage', { amount: money(item.postage) })}
                </span>
              )}
            </Row>
          ))}
          {receipt.discount > 0 && (
            <Row label={t('Promo code {code}', { code: receipt.promoCode })}>{`−${money(receipt.discount)}`}</Row>
          )}
        </tbody>
        <tfoot>
          <tr className="font-semibold">
            <th scope="row" className="py-3 pr-4 text-left">
              {t('Total')}
            </th>
            <td className="numeric py-3 text-right whitespace-nowrap">
              {receipt.isFree ? t('Free') : t.moneyWithCode(receipt)}
            </td>
          </tr>
        </tfoot>
      </table>
      <div className="mt-6 grid gap-6 sm:grid-cols-2">
        <section>
          <h2 className="mb-1 text-input font-semibold">{t('Billing address')}</h2>
          <AddressLines address={receipt.billing} />
        </section>
        {receipt.delivery && (
          <section>
            <h2 className="mb-1 text-input font-semibold">{t('Delivered to')}</h2>
            <AddressLines address={receipt.delivery} />
          </section>
        )}
      </div>
      <p className="no-print mt-8">
        <PrintButton label={t('Print this page')} size="large" />
      </p>
    </div>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <tr className="border-b border-line align-top">
      <th scope="row" className="py-3 pr-4 text-left font-normal wrap-anywhere">
        {label}
      </th>
      <td className="numeric py-3 text-right whitespace-nowrap">{children}</td>
    </tr>
  )
}
