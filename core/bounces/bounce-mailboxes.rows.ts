import type { AppContext } from '../context.ts'
import type { MailboxPosition } from '../ports/mail-reports.ts'
import { defaulted, defineTable, id, instant, integer, nullable, text } from '../table.ts'

/** How far the mailbox that bounces are returned to has been read; one row for each mailbox that has been used. */
export const BounceMailboxes = defineTable('bounce_mailboxes', {
  id: id(),
  /** `user@host:port/folder`. */
  name: text(),
  uidValidity: text(),
  lastUid: defaulted(integer()),
  /** When it was last read without an error. */
  readAt: nullable(instant()),
  /** Why it cannot be read; null while it can. */
  problem: nullable(text()),
  /** When messages were last found, how many, and how many of them were reports. */
  foundAt: nullable(instant()),
  foundMessages: defaulted(integer()),
  foundReports: defaulted(integer()),
})

/** How far a mailbox has been read; creates its row where there is none. */
export async function storedPosition(ctx: AppContext, name: string): Promise<MailboxPosition> {
  const row =
    (await BounceMailboxes.find(ctx, { name })) ?? (await BounceMailboxes.insertNew(ctx, { name, uidValidity: '' }))
  return { uidValidity: row?.uidValidity ?? '', lastUid: row?.lastUid ?? 0 }
}

/** Records how far it has been read (compare-and-set); false where another process has read further meanwhile. */
export async function storePosition(
  ctx: AppContext,
  name: string,
  { from, to }: { from: MailboxPosition; to: MailboxPosition },
): Promise<boolean> {
  return (await BounceMailboxes.update(ctx, { name, ...from }, { ...to })) === 1
}

/** The result of a reading: how many messages and reports were stored, even if it was interrupted, and the reason. */
export interface Reading {
  messages: number
  reports: number
  /** Null: it ended at the last message, or at its time limit. */
  problem: string | null
}

/** Records the result of a reading. */
export async function recordReading(
  ctx: AppContext,
  name: string,
  { messages, reports, problem }: Reading,
): Promise<void> {
  const counts = { foundAt: ctx.now(), foundMessages: messages, foundReports: reports }
  await BounceMailboxes.update(
    ctx,
    { name },
    {
      ...(problem === null ? { readAt: ctx.now(), problem } : { problem: problem.slice(0, 500) }),
      ...(messages > 0 ? counts : {}),
    },
  )
}
