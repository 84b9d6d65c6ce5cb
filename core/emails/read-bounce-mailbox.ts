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
    const read = { messages: 0, reports: 0 }
    if (!bounceMailbox) return read
    const { name } = bounceMailbox
    let place = await storedPosition(ctx, name)
    try {
      await bounceMailbox.read(place, async (messages, upTo) => {
        const reports = await storeMessages(ctx, { name, messages, from: place, upTo })
        if (reports === null) return null
        place = upTo
        read.messages += messages.length
        read.reports += reports.length
        return reports
      })
      await recordReading(ctx, name, { ...read, problem: null })
    } catch (error) {
      // The next run tries again: a mailbox that is down for a day does not accumulate failed jobs. `doctor` reports it.
      ctx.log.error({ err: error }, 'the bounce mailbox cannot be read')
      await recordReading(ctx, name, { ...read, problem: (error as Error).message })
    }
    return read
  },
})

interface Batch {
  name: string
  messages: readonly MailboxMessage[]
  from: MailboxPosition
  upTo: MailboxPosition
}

/** The numbers of the messages that were reports; null where another process has read them meanwhile. */
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
