import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { PublisherSenders } from './publisher-senders.rows.ts'

/**
 * The mail server took a mail from the installation's address that it had refused from the publisher's own. Mails go out from the
 * installation's from then on, until somebody has it checked again; its publisher is told once.
 */
export async function noteRefusedSender(
  ctx: AppContext,
  { publisherId, address, answer }: { publisherId: number; address: string; answer: string },
): Promise<void> {
  await ctx.db.transaction(async () => {
    const row = await PublisherSenders.find(ctx, { publisherId, address }, { isLocked: true })
    // Several mails may be under way when the first is refused.
    if (!row || row.activeSince === null) return
    const now = ctx.now()
    const refused = { activeSince: null, refusedAt: now, refusedAnswer: answer.slice(0, 500) }
    await PublisherSenders.update(ctx, { id: row.id }, refused)
    await recordAudit(ctx, 'refuse-sender', { type: 'sender', id: row.id, publisherId }, { domain: row.domain })
    const about = { senderId: row.id, key: String(now.getTime()) }
    await enqueueMail(ctx, 'sender-refused', about, { dedupeKey: `sender-refused:${row.id}:${about.key}`, publisherId })
  })
}
