import type { AppContext } from '../context.ts'
import { defaulted, defineTable, id, instant, text } from '../table.ts'

/** What visitors wrote by the contact form. */
export const ContactRequests = defineTable('contact_requests', {
  id: id(),
  name: text(),
  email: text(),
  phone: defaulted(text()),
  message: text(),
  createdAt: instant(),
})

/** How long what somebody wrote is kept; the privacy policy says so. */
const keptDays = 365

/** Forgets what was written a year ago. Returns how many. */
export function clearContactRequests(ctx: AppContext): Promise<number> {
  const before = new Date(ctx.now().getTime() - keptDays * 86_400_000)
  return ctx.db.run(`DELETE FROM contact_requests WHERE created_at < :before`, { before })
}
