import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { StaffProvider } from '../payment-methods/payment-methods.rules.ts'
import type { Sale } from './make-sales.ts'
import { demoBuyerEmail } from './seed-people.ts'

/** How staff took an order that was not placed at the storefront. */
export interface StaffSale {
  method: StaffProvider | 'free'
  channel: 'phone' | 'post'
  note: string
}

/** The orders that the demo's back office handles; orders not taken by staff were paid by card. */
const staffSales = [
  { name: 'open', daysAgo: 9, staffSale: { method: 'invoice', channel: 'phone', note: 'PO 4471' } },
  { name: 'partPaid', daysAgo: 16, staffSale: { method: 'invoice', channel: 'post', note: '' } },
  { name: 'german', daysAgo: 12, country: 'DE', staffSale: { method: 'invoice', channel: 'post', note: '' } },
  { name: 'overdue', daysAgo: 48, staffSale: { method: 'invoice', channel: 'phone', note: 'PO 4390' } },
  { name: 'longOverdue', daysAgo: 135, staffSale: { method: 'invoice', channel: 'post', note: '' } },
  { name: 'paidInvoice', daysAgo: 75, staffSale: { method: 'invoice', channel: 'phone', note: '' } },
  { name: 'writtenOff', daysAgo: 190, staffSale: { method: 'invoice', channel: 'phone', note: '' } },
  { name: 'cheque', daysAgo: 6, staffSale: { method: 'cheque', channel: 'post', note: '000412' } },
  { name: 'refundedCheque', daysAgo: 60, staffSale: { method: 'cheque', channel: 'post', note: '000388' } },
  {
    name: 'transfer',
    daysAgo: 11,
    staffSale: { method: 'bank-transfer', channel: 'phone', note: 'HARBOUR LIGHT SUB' },
  },
  { name: 'oldTransfer', daysAgo: 100, staffSale: { method: 'bank-transfer', channel: 'phone', note: '' } },
  { name: 'free', daysAgo: 21, staffSale: { method: 'free', channel: 'phone', note: 'Reviews books for us' } },
  { name: 'refunded', daysAgo: 40, staffSale: null },
  { name: 'disputed', daysAgo: 25, staffSale: null },
] as const satisfies readonly { name: string; daysAgo: number; country?: string; staffSale: StaffSale | null }[]

export type StaffSales = Record<(typeof staffSales)[number]['name'], Sale>

/** Chooses the order of each name, the newest that is old enough and fits, and records on it how it was taken. */
export function takeByStaff(sales: readonly Sale[], today: Day): StaffSales {
  const newestFirst = sales.toReversed()
  const chosen: Partial<StaffSales> = {}
  for (const { name, daysAgo, staffSale, ...where } of staffSales) {
    const country = 'country' in where ? where.country : 'GB'
    const sale = newestFirst.find(
      (candidate) =>
        candidate.on <= addDays(today, -daysAgo) &&
        candidate.customer.buyer.country === country &&
        fits(candidate) &&
        !Object.values(chosen).includes(candidate),
    )
    if (!sale) throw new Error(`The demo has no order that can be ${name}`)
    Object.assign(sale, { staffSale })
    if (staffSale?.method === 'free') Object.assign(sale, { price: 0 })
    chosen[name] = sale
  }
  return chosen as StaffSales
}

function fits({ customer, price, promo, isRecurring, termMonths }: Sale): boolean {
  const { isGift, buyer } = customer
  return termMonths === 12 && price > 0 && !promo && !isRecurring && !isGift && buyer.email !== demoBuyerEmail
}
