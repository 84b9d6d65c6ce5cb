import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, flag, id, instant, integer, type RowOf, ref, text } from '../table.ts'
import { outstanding } from './invoice.rules.ts'

/** The bill of an order on account: one invoice per order. Amounts are minor units. */
export const Invoices = defineTable('invoices', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  orderId: ref(),
  number: integer(),
  issuedOn: day(),
  dueOn: day(),
  currency: text<Currency>(),
  amount: integer(),
  paid: defaulted(integer()),
  /** The amount due that credit notes have cancelled. */
  credited: defaulted(integer()),
  writtenOff: defaulted(integer()),
  /** The subscription begins when it is paid in full: until then it is a pro forma invoice, and not in the ledger. */
  beginsWhenPaid: defaulted(flag()),
  /** How many reminders were enqueued. */
  reminders: defaulted(integer()),
  createdAt: instant(),
  updatedAt: instant(),
})
export type InvoiceRow = RowOf<typeof Invoices>

/** SQL: whether an invoice `i` is still to be paid, in part or whole; the partial index of open invoices has the same condition. */
export const isOpenSql = (i: string) => `${i}.amount > ${i}.paid + ${i}.credited + ${i}.written_off`

/** Open invoices that were due by the end of a day and have had fewer reminders than this. */
export function invoicesToRemind(
  ctx: Pick<AppContext, 'db'>,
  { dueBefore, reminders, limit }: { dueBefore: Day; reminders: number; limit: number },
): Promise<InvoiceRow[]> {
  return Invoices.rows(
    ctx,
    `SELECT ${Invoices.columns('i')} FROM invoices i
     WHERE ${isOpenSql('i')} AND i.due_on <= :dueBefore AND i.reminders < :reminders ORDER BY i.due_on, i.id LIMIT :limit`,
    { dueBefore, reminders, limit },
  )
}

/** Cancels all that is still due for a subscription that never began, in a transaction that locks the invoice. Returns how much. */
export async function cancelInvoice(ctx: AppContext, invoice: InvoiceRow): Promise<number> {
  const amount = outstanding(invoice)
  await Invoices.update(ctx, { id: invoice.id }, { credited: invoice.credited + amount })
  return amount
}

/** Writes off an amount that is still due, in a transaction that locks the invoice. */
export async function addWriteOff(ctx: AppContext, invoice: InvoiceRow, amount: number): Promise<void> {
  await Invoices.update(ctx, { id: invoice.id }, { writtenOff: invoice.writtenOff + amount })
}
