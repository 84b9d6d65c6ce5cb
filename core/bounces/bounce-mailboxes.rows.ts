import type { AppContext } from '../context.ts'
import type { MailboxPlace } from '../ports/mail-reports.ts'
import { defaulted, defineTable, id, instant, integer, nullable, text } from '../table.ts'

/** How far the mailbox that mails come back to has been read; a row for each mailbox that ever was. */
export const BounceMailboxes = defineTable('bounce_mailboxes', {
  id: id(),
  /** `user@host:port/folder`. */
  name: text(),
  uidValidity: text(),
  lastUid: defaulted(integer()),
  /** When it was read last without a fault. */
  readAt: nullable(instant()),
  /** Why it cannot be read; null while it can. */
  problem: nullable(text()),
})

/** How far a mailbox has been read; its row is made where there is none. */
export async function placeIn(ctx: AppContext, name: string): Promise<MailboxPlace> {
  const row =
    (await BounceMailboxes.find(ctx, { name })) ?? (await BounceMailboxes.insertNew(ctx, { name, uidValidity: '' }))
  return { uidValidity: row?.uidValidity ?? '', lastUid: row?.lastUid ?? 0 }
}

/** Notes how far it has been read; false where another process has read on from there meanwhile. */
export async function moveOn(
  ctx: AppContext,
  name: string,
  { from, to }: { from: MailboxPlace; to: MailboxPlace },
): Promise<boolean> {
  return (await BounceMailboxes.update(ctx, { name, ...from }, { ...to })) === 1
}

/** Notes that it was read to its end, or why it could not be. */
export async function noteReading(ctx: AppContext, name: string, problem: string | null): Promise<void> {
  const changes = problem === null ? { readAt: ctx.now(), problem } : { problem: problem.slice(0, 500) }
  await BounceMailboxes.update(ctx, { name }, changes)
}
