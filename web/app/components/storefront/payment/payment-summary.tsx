import { useT } from '../../../i18n/use-t.tsx'
import type { PaymentProps } from './payment-props.ts'

/** Repeats product and amount in the payment dialog. */
export function PaymentSummary({ shop, item, order }: Pick<PaymentProps, 'shop' | 'item' | 'order'>) {
  const t = useT()
  return (
    <p className="mb-5 flex flex-wrap items-baseline justify-between gap-x-4 border-y border-line py-3">
      <span className="min-w-0 wrap-anywhere">{`${shop.publicationName}: ${item}`}</span>
      <strong className="numeric whitespace-nowrap">{t.moneyWithCode(order)}</strong>
    </p>
  )
}
