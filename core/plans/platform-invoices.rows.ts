import type { AppContext } from '../context.ts'
import type { PlanInvoice } from '../ports/plan-lifecycle.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, type RowOf, ref, text } from '../table.ts'

/** One side of an invoice: a name, then the lines of an address. */
export interface InvoiceParty {
  lines: string[]
  vatNumber: string | null
}

/** What publishers were billed for their plans, in the installation's own numbers. Amounts are pence. */
export const PlatformInvoices = defineTable('platform_invoices', {
  id: id(),
  publisherId: ref(),
  /** The provider's id of the invoice. */
  reference: text(),
  number: integer(),
  state: text<PlanInvoice['state']>(),
  issuedAt: instant(),
  paidAt: nullable(instant()),
  /** With VAT; negative for an overpayment. */
  total: integer(),
  /** Null if no VAT is charged. */
  vatPercent: nullable(integer()),
  vat: integer(),
  lines: json<PlanInvoice['lines']>(),
  seller: json<InvoiceParty>(),
  customer: json<InvoiceParty>(),
  createdAt: instant(),
  updatedAt: instant(),
})

export type PlatformInvoiceRow = RowOf<typeof PlatformInvoices>

/** The provider's ids of a publisher's invoices that can still be paid, the oldest first. */
export async function payableInvoices(ctx: AppContext, publisherId: number): Promise<string[]> {
  const rows = await ctx.db.query<{ reference: string }>(
    `SELECT reference FROM platform_invoices WHERE publisher_id = :publisherId AND state IN ('open', 'uncollectible') ORDER BY number`,
    { publisherId },
  )
  return rows.map(({ reference }) => reference)
}

/** One row: the last number that was issued. */
export const PlatformInvoiceSeries = defineTable('platform_invoice_series', {
  id: id(),
  name: text(),
  lastNumber: defaulted(integer()),
})

/**
 * The next number, taken in the transaction that stores the invoice. The row is locked until the transaction ends, and a rollback releases the
 * number, so the numbers have no gaps.
 */
export async function nextPlatformNumber(ctx: AppContext): Promise<number> {
  await PlatformInvoiceSeries.insertNew(ctx, { name: 'plans' })
  const [row] = await ctx.db.query<{ number: number }>(
    `UPDATE platform_invoice_series SET last_number = last_number + 1 WHERE name = 'plans' RETURNING last_number AS number`,
  )
  if (!row) throw new Error('There is no series of numbers')
  return Number(row.number)
}
