import type { AppContext } from '../context.ts'
import type { PlanInvoice } from '../ports/plan-life.ts'
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
  /** The provider's. */
  reference: text(),
  number: integer(),
  state: text<PlanInvoice['state']>(),
  issuedAt: instant(),
  paidAt: nullable(instant()),
  /** With VAT; less than nothing for what was paid too much. */
  total: integer(),
  /** Null where no VAT is charged. */
  vatPercent: nullable(integer()),
  vat: integer(),
  lines: json<PlanInvoice['lines']>(),
  seller: json<InvoiceParty>(),
  customer: json<InvoiceParty>(),
  createdAt: instant(),
  updatedAt: instant(),
})

export type PlatformInvoiceRow = RowOf<typeof PlatformInvoices>

/** One row: the last number that was given. */
export const PlatformInvoiceSeries = defineTable('platform_invoice_series', {
  id: id(),
  name: text(),
  lastNumber: defaulted(integer()),
})

/**
 * The next number, in the transaction that keeps what has it: the row is locked until that ends, and where it fails the number is not taken.
 * So there is no gap.
 */
export async function nextPlatformNumber(ctx: AppContext): Promise<number> {
  await PlatformInvoiceSeries.insertNew(ctx, { name: 'plans' })
  const [row] = await ctx.db.query<{ number: number }>(
    `UPDATE platform_invoice_series SET last_number = last_number + 1 WHERE name = 'plans' RETURNING last_number AS number`,
  )
  if (!row) throw new Error('There is no series of numbers')
  return Number(row.number)
}
