import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { nextNumber } from './invoice-settings.rows.ts'
import { Invoices } from './invoices.rows.ts'

/** Bills an order, in the transaction that accepts it. Call it last: the row that counts the numbers is locked until the end. */
export async function issueInvoice(
  ctx: AppContext,
  order: { id: number; publisherId: number; publicationId: number; currency: Currency; amount: number },
  { today, isMailed, beginsWhenPaid = false }: { today: Day; isMailed: boolean; beginsWhenPaid?: boolean },
): Promise<void> {
  const { publisherId, publicationId, currency, amount } = order
  const { number, dueDays } = await nextNumber(ctx, publisherId, 'invoice')
  const id = await Invoices.insert(ctx, {
    publisherId,
    publicationId,
    orderId: order.id,
    number,
    issuedOn: today,
    dueOn: addDays(today, dueDays),
    currency,
    amount,
    beginsWhenPaid,
  })
  if (!isMailed) return
  const about = { invoiceId: id, what: 'invoice', step: 0 } as const
  await enqueueMail(ctx, 'invoice-notice', about, { dedupeKey: `invoice:${id}`, publisherId })
}
