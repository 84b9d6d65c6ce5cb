import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { PublisherSenders } from './publisher-senders.rows.ts'

/**
 * Records that the mail server accepted an email from the installation's address that it had refused from the publisher's own. Emails are sent from the
 * installation's address from then on, until a new check is requested; its publisher is notified once.
 */
export async function recordRefusedSender(
  ctx: AppContext,
  { publisherId, address, answer }: { publisherId: number; address: string; answer: string },
): Promise<void> {
  await ctx.db.transaction(async () => {
    const row = await PublisherSenders.find(ctx, { publisherId, address }, { isLocked: true })
    // Several emails may be in progress when the first is refused.
    if (!row || row.activeSince === null) return
    const now = ctx.now()
    const refused = { activeSince: null, refusedAt: now, refusedAnswer: answer.slice(0, 500) }
    await PublisherSenders.update(ctx, { id: row.id }, refused)
    await recordAudit(ctx, 'refuse-sender', { type: 'sender', id: row.id, publisherId }, { domain: row.domain })
    const about = { senderId: row.id, key: String(now.getTime()) }
    await enqueueMail(ctx, 'sender-refused', about, { dedupeKey: `sender-refused:${row.id}:${about.key}`, publisherId })
  })
}
