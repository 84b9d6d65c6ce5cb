import type { OwnInvoice } from '#core/buyers/list-own-orders.query.ts'
import type { Translator } from '#core/kernel/translator.ts'

/** The state shown next to an order's date; null for a paid order. */
export function orderStateText(t: Translator, state: string): string | null {
  if (state === 'pending') return t('Being confirmed by the bank')
  if (state === 'reversed') return t('The payment failed')
  return state === 'refunded' ? t('Refunded') : null
}

/** The state shown for an order on account. */
export function invoiceStateText(t: Translator, { number, state, dueOn, due }: OwnInvoice): string {
  const day = t.day(dueOn)
  const amount = t.money(due)
  if (state === 'unpaid') return t('Invoice {number}: {amount} due on {day}', { number, amount, day })
  if (state === 'part-paid') return t('Invoice {number}, part paid: {amount} due on {day}', { number, amount, day })
  if (state === 'overdue') return t('Invoice {number}, overdue: {amount} was due on {day}', { number, amount, day })
  if (state === 'written-off') return t('Invoice {number}, written off', { number })
  return state === 'credited' ? t('Invoice {number}, credited', { number }) : t('Invoice {number}, paid', { number })
}
