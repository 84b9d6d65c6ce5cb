import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, text } from '../table.ts'

/** The messages from the contact form. */
export const ContactRequests = defineTable('contact_requests', {
  id: id(),
  name: text(),
  email: text(),
  phone: defaulted(text()),
  message: text(),
  createdAt: instant(),
})

/** How long a message is kept; the privacy policy states it. */
const retentionDays = 365

/** Deletes messages that are a year old. Returns how many. */
export function clearContactRequests(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - retentionDays * 86_400_000)
  return ctx.db.run(`DELETE FROM contact_requests WHERE created_at < :before`, { before })
}
