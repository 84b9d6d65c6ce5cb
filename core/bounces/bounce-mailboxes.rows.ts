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
  /** When a reading found messages last, how many, and how many of them were reports. */
  foundAt: nullable(instant()),
  foundMessages: defaulted(integer()),
  foundReports: defaulted(integer()),
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

/** What a reading came to: how many messages and reports were taken in, also where it broke off, and why it did. */
export interface Reading {
  messages: number
  reports: number
  /** Null: it was read to its end. */
  problem: string | null
}

/** Notes what a reading came to. */
export async function noteReading(
  ctx: AppContext,
  name: string,
  { messages, reports, problem }: Reading,
): Promise<void> {
  const found = { foundAt: ctx.now(), foundMessages: messages, foundReports: reports }
  await BounceMailboxes.update(
    ctx,
    { name },
    {
      ...(problem === null ? { readAt: ctx.now(), problem } : { problem: problem.slice(0, 500) }),
      ...(messages > 0 ? found : {}),
    },
  )
}
