import { openEnd } from '../kernel/dates.ts'
import { postalLines } from '../kernel/postal-address.ts'
import { planPhrase } from '../pricing/plan-code.rules.ts'
import { type MailRow, nonEmptyRows } from './mail-frame.rules.ts'
import type { MailTranslator } from './mail-translator.ts'
import type { OrderFacts } from './order-facts.query.ts'

/** The name of an order: "Print, one year", "2 back issues: Winter, Spring". The English name is used in lists and the ledger. */
export function orderName(t: MailTranslator, { plan, issues, productName }: OrderFacts): string {
  if (t.language === 'en') return productName
  if (plan) return t.phrase(planPhrase(plan))
  const volumes = issues.map(({ volume }) => volume)
  return volumes.length === 1
    ? t('Back issue: {volume}', { volume: volumes[0] ?? '' })
    : t('{count} back issues: {volumes}', { count: volumes.length, volumes: volumes.join(', ') })
}

/** "£29.99 GBP", or "Free". */
export function orderTotal(t: MailTranslator, { amount, currency, isFree }: OrderFacts): string {
  return isFree ? t('Free') : t.moneyWithCode({ amount, currency })
}

/** The rows of an order's table. */
export function orderRows(t: MailTranslator, order: OrderFacts): MailRow[] {
  const { orderNumber, orderedOn, issues, readerReference, currency, price, discount, promoCode } = order
  const money = (amount: number) => t.money({ amount, currency })
  return nonEmptyRows([
    { label: t('Order number'), value: orderNumber },
    { label: t('Order date'), value: t.day(orderedOn) },
    ...subscriptionRow(t, order),
    ...issues.map(({ volume, price: each, postage }) => ({
      label: t('Back issue: {volume}', { volume }),
      value:
        postage > 0 ? t('{price} + {postage} postage', { price: money(each), postage: money(postage) }) : money(each),
    })),
    ...termRows(t, order),
    { label: t('Your reference'), value: readerReference },
    ...(discount > 0
      ? [
          { label: t('Price'), value: money(price) },
          { label: t('Promo code {code}', { code: promoCode }), value: `−${money(discount)}` },
        ]
      : []),
  ])
}

/** The name of what a gift's recipient gets. Whether it renews is between the giver and the publication. */
export function giftName(t: MailTranslator, order: OrderFacts): string {
  return order.plan ? t.phrase(planPhrase({ ...order.plan, isRecurring: false })) : orderName(t, order)
}

/** The rows for a gift: without its price, and without the day of its next payment. */
export function giftRows(t: MailTranslator, order: OrderFacts): MailRow[] {
  const [starts, ends] = termRows(t, order)
  const isRenewed = order.plan?.isRecurring ?? false
  return nonEmptyRows([
    { label: t('Subscription'), value: giftName(t, order) },
    ...(starts ? [starts] : []),
    ...(ends && !isRenewed ? [ends] : []),
  ])
}

function subscriptionRow(t: MailTranslator, order: OrderFacts): MailRow[] {
  return order.plan ? [{ label: t('Subscription'), value: orderName(t, order) }] : []
}

function termRows(t: MailTranslator, { plan, startOn, endOn, price, currency }: OrderFacts): MailRow[] {
  const starts = { label: t('Starts'), value: startOn ? t.day(startOn) : '' }
  if (!endOn) return [starts]
  if (plan?.isRecurring) {
    const amount = t.money({ amount: price, currency })
    return [starts, { label: t('Renews'), value: t('{day} for {amount}', { day: t.day(endOn), amount }) }]
  }
  return [starts, { label: t('Ends'), value: endOn === openEnd ? t('Until further notice') : t.day(endOn) }]
}

/** The delivery address, line by line; empty if nothing is posted. */
export function deliveryLines(t: MailTranslator, { delivery }: OrderFacts): string[] {
  return delivery ? postalLines(delivery, t.language) : []
}
