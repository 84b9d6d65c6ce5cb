import { z } from 'zod'
import { recordReading, storedPosition, storePosition } from '../bounces/bounce-mailboxes.rows.ts'
import { readReport } from '../bounces/read-report.ts'
import type { AppContext } from '../context.ts'
import type { MailboxMessage, MailboxPosition } from '../ports/mail-reports.ts'
import { useCase } from '../use-case.ts'
import { recordReport } from './record-report.ts'

/**
 * The job: reads the messages in the bounce mailbox since the last reading. The position is written in the transaction that stores them, so that a
 * crash loses no report and counts none twice; only then are reports marked as read. Other messages are left unread for people.
 */
export const readBounceMailbox = useCase({
  permission: 'machine:operate',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ messages: number; reports: number }> {
    const { bounceMailbox } = ctx
    const counts = { messages: 0, reports: 0 }
    if (!bounceMailbox) return counts
    const { name } = bounceMailbox
    let position = await storedPosition(ctx, name)
    try {
      await bounceMailbox.read(position, async (messages, upTo) => {
        const reportUids = await storeMessages(ctx, { name, messages, from: position, upTo })
        if (reportUids === null) return null
        position = upTo
        counts.messages += messages.length
        counts.reports += reportUids.length
        return reportUids
      })
      await recordReading(ctx, name, { ...counts, problem: null })
    } catch (error) {
      // The next run tries again: a mailbox that is down for a day does not accumulate failed jobs. `doctor` reports it.
      ctx.log.error({ error }, 'the bounce mailbox cannot be read')
      await recordReading(ctx, name, { ...counts, problem: (error as Error).message })
    }
    return counts
  },
})

interface Batch {
  name: string
  messages: readonly MailboxMessage[]
  from: MailboxPosition
  upTo: MailboxPosition
}

/** The UIDs of the messages that were reports; null if another process has read them in the meantime. */
async function storeMessages(ctx: AppContext, { name, messages, from, upTo }: Batch): Promise<number[] | null> {
  const reports: { uid: number; events: NonNullable<Awaited<ReturnType<typeof readReport>>> }[] = []
  for (const { uid, raw } of messages) {
    const events = await readReport(raw)
    if (events && events.length > 0) reports.push({ uid, events })
  }
  return ctx.db.transaction(async () => {
    if (!(await storePosition(ctx, name, { from, to: upTo }))) return null
    for (const { events } of reports) for (const event of events) await recordReport(ctx, event)
    return reports.map(({ uid }) => uid)
  })
}
