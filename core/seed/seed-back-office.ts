import { contextFor, type Services } from '../context.ts'
import { issueInvoice } from '../invoices/issue-invoice.ts'
import { addDays, addMonths } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { formatMinorUnits } from '../kernel/money.ts'
import { closeMonth } from '../ledger/close-month.ts'
import { fillVat } from '../ledger/fill-vat.ts'
import { setJournalAccounts } from '../ledger/journal-accounts.ts'
import { type OrderRow, Orders } from '../orders/orders.rows.ts'
import { recordInvoicePayment } from '../orders/record-invoice-payment.ts'
import { refundOrder } from '../orders/refund-order.ts'
import { settleReversal } from '../orders/settle-reversal.ts'
import { writeOffInvoice } from '../orders/write-off-invoice.ts'
import { setVatRate, setVatSettings } from '../vat/vat-settings.ts'
import { insertRows } from './insert-rows.ts'
import type { Sale } from './make-sales.ts'
import { amountOf } from './sale-facts.ts'
import { demoUsers } from './seed-people.ts'
import type { StaffSales } from './staff-sales.ts'

/** The VAT rates of digital editions where the demo sells them, in per cent. */
const digitalRates = { IE: '9', DE: '7', FR: '2.1', NL: '9', ES: '4', PL: '8', SE: '6', IT: '4' } as const

const accountCodes = {
  sales: '4000',
  deferred: '2150',
  vat: '2200',
  fees: '7901',
  bank: '1200',
  'receivable:demo': '1105',
  'receivable:invoice': '1100',
  'receivable:cheque': '1101',
  'receivable:bank-transfer': '1102',
  'receivable:cash': '1103',
}

/**
 * What staff have done with the demo's orders since, each on its own day: invoices and their payments, refunds, a dispute, VAT, account
 * codes and two closed months. It runs the same use cases as staff; nothing is emailed.
 */
export async function seedBackOffice(
  services: Services,
  { publisherId, sales, today }: { publisherId: number; sales: StaffSales; today: Day },
): Promise<void> {
  const email = demoUsers.find(({ userType }) => userType === 'publisher')?.email ?? ''
  const actor = { kind: 'staff', userId: publisherId, userType: 'publisher', publisherId, email } as const
  const at = (on: Day) =>
    contextFor({ ...services, now: () => new Date(`${on}T10:00:00Z`) }, actor, { entryPoint: 'web' })
  const orderOf = async ({ orderNumber }: Sale) => (await Orders.find(at(today), { orderNumber })) as OrderRow

  await seedVat(services, at(today), { publisherId, today })
  await setJournalAccounts(at(today), { codes: accountCodes })

  const { open, partPaid, german, overdue, longOverdue, paidInvoice, writtenOff } = sales
  const billed = [open, partPaid, german, overdue, longOverdue, paidInvoice, writtenOff]
  for (const sale of billed.toSorted((a, b) => (a.on < b.on ? -1 : 1)))
    await issueInvoice(at(sale.on), await orderOf(sale), { today: sale.on, isMailed: false })
  const pay = async (sale: Sale, amount: number, days: number) =>
    recordInvoicePayment(at(addDays(sale.on, days)), {
      orderId: (await orderOf(sale)).id,
      amount: formatMinorUnits(amount),
      method: 'bank-transfer',
      reference: 'BACS',
      key: `demo-payment-${sale.orderNumber}`,
    })
  await pay(partPaid, 1000, 5)
  await pay(paidInvoice, amountOf(paidInvoice), 20)
  await writeOffInvoice(at(addDays(writtenOff.on, 110)), {
    orderId: (await orderOf(writtenOff)).id,
    reason: 'Moved, and cannot be contacted',
    expected: amountOf(writtenOff),
  })

  const refund = async (sale: Sale, amount: string, reason: string) =>
    refundOrder(at(addDays(sale.on, 12)), {
      id: (await orderOf(sale)).id,
      scope: 'amount',
      amount,
      reason,
      method: 'hand',
      key: `demo-refund-${sale.orderNumber}`,
    })
  await refund(sales.refundedCheque, '5.00', 'An issue arrived damaged')
  await refund(sales.refunded, '8.50', 'Two issues were late')
  await dispute(at(addDays(sales.disputed.on, 9)), await orderOf(sales.disputed))

  await fillVat(at(today), {})
  const firstOf = (months: number) => `${addMonths(today, months).slice(0, 7)}-01`
  for (const months of [-3, -2])
    await closeMonth(at(addDays(firstOf(months + 1), 4)), { month: firstOf(months).slice(0, 7) })
  // Otherwise the emails of these past actions would be sent.
  await services.db.run(`DELETE FROM jobs`)
}

async function dispute(ctx: Parameters<typeof settleReversal>[0], order: OrderRow): Promise<void> {
  const { amount, currency } = order
  const reference = `demo_dispute_${order.orderNumber}`
  const dispute = {
    reference,
    amount,
    currency,
    state: 'open',
    reason: 'The cardholder does not recognise it',
  } as const
  await settleReversal(ctx, order.id, {
    state: 'paid',
    reference: '',
    money: { amount, currency },
    disputes: [{ ...dispute, fee: { amount: 2000, currency: 'GBP' } }],
  })
}

/** Registered in the UK and for the One Stop Shop; printed copies sent abroad have no VAT, as exports. */
async function seedVat(
  { db, now }: Services,
  ctx: ReturnType<typeof contextFor>,
  { publisherId, today }: { publisherId: number; today: Day },
): Promise<void> {
  await setVatSettings(ctx, {
    isRegistered: true,
    vatNumber: 'GB298736415',
    usesOss: true,
    ossNumber: 'EU372014598',
    bundlePrint: '70',
  })
  const rate = { fromOn: '2021-07-01' }
  for (const country of ['EU', 'XX'])
    await setVatRate(ctx, { ...rate, country, supply: 'print', rate: '0', scheme: 'uk' })
  await setVatRate(ctx, { ...rate, country: 'XX', supply: 'digital', rate: '0', scheme: 'none' })
  for (const [country, percent] of Object.entries(digitalRates))
    await setVatRate(ctx, { ...rate, country, supply: 'digital', rate: percent, scheme: 'eu-oss' })
  const months = Array.from({ length: 26 }, (_, monthsAgo) =>
    addMonths(`${today.slice(0, 7)}-01`, -monthsAgo).slice(0, 7),
  )
  const stamps = { created_at: now(), updated_at: now() }
  await insertRows(
    db,
    'vat_exchange_rates',
    months.flatMap((month, monthsAgo) => [
      {
        publisher_id: publisherId,
        month,
        currency: 'USD',
        rate: 1_281_500 + ((monthsAgo * 7) % 11) * 4_100,
        ...stamps,
      },
      { publisher_id: publisherId, month, currency: 'EUR', rate: 1_168_200 + ((monthsAgo * 5) % 9) * 2_700, ...stamps },
    ]),
  )
}
