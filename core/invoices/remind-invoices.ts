import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import { useCase } from '../use-case.ts'
import { reminderDays } from './invoice.rules.ts'
import { type InvoiceRow, Invoices, invoicesToRemind } from './invoices.rows.ts'

const batch = 500

/** Enqueues the reminders of overdue invoices: each once, and of several that fell due while no worker ran, only the last. Returns how many. */
export const remindInvoices = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ reminded: number }> {
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    let reminded = 0
    for (const [index, days] of [...reminderDays.entries()].reverse()) {
      const input = { dueBefore: addDays(today, -days), reminders: index + 1, limit: batch }
      let overdue: InvoiceRow[]
      do {
        overdue = await invoicesToRemind(ctx, input)
        for (const invoice of overdue) if (await remind(ctx, invoice, index + 1)) reminded++
      } while (overdue.length === batch)
    }
    return { reminded }
  },
})

/** Only the worker that increments the count enqueues the email, so two concurrent workers send one. */
function remind(ctx: AppContext, invoice: InvoiceRow, step: number): Promise<boolean> {
  const { id, reminders, publisherId } = invoice
  return ctx.db.transaction(async () => {
    if ((await Invoices.update(ctx, { id, reminders }, { reminders: step })) === 0) return false
    const about = { invoiceId: id, what: 'reminder', step } as const
    await enqueueMail(ctx, 'invoice-notice', about, { dedupeKey: `invoice-reminder:${id}:${step}`, publisherId })
    return true
  })
}
