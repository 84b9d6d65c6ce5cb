import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { orderForm } from './shop.ts'
import type { TestServices } from './test-services.ts'

/**
 * Reports in the shape of the providers' own, made here: Stripe's `payout_reconciliation.itemized` (docs.stripe.com/reports/payout-reconciliation)
 * and PayPal's activity download (Activity Download Specification, 2018). Missing cells have the provider's defaults.
 */
export const stripeColumns = [
  'automatic_payout_id',
  'automatic_payout_effective_at',
  'balance_transaction_id',
  'created_utc',
  'created',
  'available_on_utc',
  'available_on',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
  'source_id',
  'description',
  'customer_facing_amount',
  'customer_facing_currency',
  'payment_intent_id',
  'charge_id',
  'payment_metadata[orderNumber]',
] as const
export type StripeCells = Partial<Record<(typeof stripeColumns)[number], string>>

export function stripeReport(rows: readonly StripeCells[], columns: readonly string[] = stripeColumns): string {
  const filled = rows.map((row) => ({
    currency: 'gbp',
    fee: '0.00',
    net: row.gross ?? '',
    created_utc: '2026-10-05 09:30:00',
    ...row,
  })) as Record<string, string>[]
  return [columns, ...filled.map((row) => columns.map((name) => row[name] ?? ''))].map(lineOf).join('')
}

const paypalColumns = [
  'Date',
  'Time',
  'TimeZone',
  'Name',
  'Type',
  'Status',
  'Currency',
  'Gross',
  'Fee',
  'Net',
  'From Email Address',
  'To Email Address',
  'Transaction ID',
  'Item Title',
  'Reference Txn ID',
  'Invoice Number',
  'Custom Number',
  'Balance',
  'Country Code',
  'Balance Impact',
] as const
export type PayPalCells = Partial<Record<(typeof paypalColumns)[number], string>>

export function paypalReport(rows: readonly PayPalCells[]): string {
  const filled = rows.map((row) => ({
    Date: '14/10/2026',
    Time: '09:00:00',
    TimeZone: 'Europe/London',
    Status: 'Completed',
    Currency: 'GBP',
    Fee: '0.00',
    Net: row.Gross ?? '',
    ...row,
  })) as Record<string, string>[]
  return [paypalColumns, ...filled.map((row) => paypalColumns.map((name) => row[name] ?? ''))].map(lineOf).join('')
}

const settlementColumns = [
  'Transaction ID',
  'Invoice ID',
  'PayPal Reference ID',
  'PayPal Reference ID Type',
  'Transaction Event Code',
  'Transaction Initiation Date',
  'Transaction Completion Date',
  'Transaction Debit or Credit',
  'Gross Transaction Amount',
  'Gross Transaction Currency',
  'Fee Debit or Credit',
  'Fee Amount',
  'Fee Currency',
  'Custom Field',
  'Consumer ID',
  'Payment Tracking ID',
  'Store ID',
  'Bank Reference ID',
] as const
export type SettlementCells = Partial<Record<(typeof settlementColumns)[number], string>>

/** PayPal's settlement report (STL): a row for the report, the file and the section before that of the columns, and their totals at the end. */
export function settlementReport(
  rows: readonly SettlementCells[],
  columns: readonly string[] = settlementColumns,
): string {
  const filled = rows.map((row) => ({
    'Transaction Initiation Date': '2026/10/14 09:00:00 +0100',
    'Transaction Debit or Credit': 'CR',
    'Transaction Completion Date': row['Transaction Initiation Date'] ?? '2026/10/14 09:00:00 +0100',
    'Gross Transaction Currency': 'GBP',
    'Fee Debit or Credit': 'DR',
    'Fee Amount': '0',
    'Fee Currency': 'GBP',
    ...row,
  })) as Record<string, string>[]
  return [
    ['RH', '2026/10/15 06:00:00 +0100', 'A', 'QUAYSIDE12345', '011'],
    ['FH', '01'],
    ['SH', '2026/10/14 00:00:00 +0100', '2026/10/14 23:59:59 +0100', 'QUAYSIDE12345', ''],
    ['CH', ...columns],
    ...filled.map((row) => ['SB', ...columns.map((name) => row[name] ?? '')]),
    ['SF', 'GBP', '0', '0', '0', '0', '0', '0'],
    ['SC', String(rows.length)],
    ['RF', 'GBP', '0', '0', '0', '0'],
    ['RC', String(rows.length)],
    ['FF', String(rows.length)],
  ]
    .map(lineOf)
    .join('')
}

interface Sold {
  orderId: number
  orderNumber: string
}

/** A paid order for £29.99 under its provider's ids, as if paid through that provider. */
export async function soldBy(
  services: TestServices,
  shop: Parameters<typeof orderForm>[0],
  payment: { provider: 'stripe-card' | 'stripe-bacs' | 'paypal'; reference: string; charge?: string | null },
): Promise<Sold> {
  const { orderId, orderNumber } = await placeOrder(services.as(visitor), orderForm(shop))
  await services.db.run(
    `UPDATE payments SET provider = :provider, provider_reference = :reference, charge_reference = :charge WHERE order_id = :orderId`,
    { ...payment, charge: payment.charge ?? null, orderId },
  )
  return { orderId, orderNumber }
}

/** Quoted throughout, like PayPal's; our own files guard against formulas, while a provider's amount may begin with a minus. */
function lineOf(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
}
