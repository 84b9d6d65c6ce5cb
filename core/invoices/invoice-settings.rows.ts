import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, integer, ref } from '../table.ts'

/** A publisher's own terms of payment, and the numbers of invoices and credit notes. */
export const InvoiceSettings = defineTable('invoice_settings', {
  id: id(),
  publisherId: ref(),
  dueDays: defaulted(integer()),
  lastInvoice: defaulted(integer()),
  lastCreditNote: defaulted(integer()),
  createdAt: instant(),
  updatedAt: instant(),
})

export const defaultDueDays = 30

/**
 * The next number of a publisher, taken in the transaction that issues the document. The row is locked until the transaction ends, and a rollback
 * releases the number, so the numbers have no gaps, however many documents are issued concurrently.
 */
export async function nextNumber(
  ctx: AppContext,
  publisherId: number,
  document: 'invoice' | 'credit note',
): Promise<{ number: number; dueDays: number }> {
  await InvoiceSettings.insertNew(ctx, { publisherId })
  const column = document === 'invoice' ? 'last_invoice' : 'last_credit_note'
  const [row] = await ctx.db.query<{ number: number; due_days: number }>(
    `UPDATE invoice_settings SET ${column} = ${column} + 1, updated_at = :now WHERE publisher_id = :publisherId
     RETURNING ${column} AS number, due_days`,
    { publisherId, now: ctx.now() },
  )
  if (!row) throw new Error('A publisher without invoice settings')
  return { number: Number(row.number), dueDays: Number(row.due_days) }
}
