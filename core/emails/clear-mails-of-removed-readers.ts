import { removeEventsOf } from '../bounces/delivery-events.rows.ts'
import type { AppContext } from '../context.ts'
import { undoDays } from '../imports/upload-states.ts'
import { removedReaderDays } from '../readers/removed-readers.rows.ts'
import { removeBodies } from './email-bodies.rows.ts'
import { clearMails } from './emails.rows.ts'

/** How many are emptied in one transaction: few enough that locks are short. */
const perTransaction = 1000

/**
 * Removes personal data from the mail log for readers who were removed permanently, manually or by an import: address, subject, text and the mail
 * servers' responses, of the emails to them and about their orders. Call it before the data that could restore them is deleted. Returns how many texts
 * were removed.
 */
export async function clearMailsOfRemovedReaders(ctx: AppContext): Promise<number> {
  const before = (days: number) => new Date(ctx.now().getTime() - days * 86_400_000)
  const isRemoved = (id: string) => `NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = ${id})`
  const removedReaders = `SELECT g.reader_id FROM removed_readers g WHERE g.removed_at < :removedBefore AND ${isRemoved('g.reader_id')}
    UNION SELECT b.id FROM uploads u JOIN reader_backups b ON b.upload_id = u.id WHERE u.started_at < :replacedBefore AND ${isRemoved('b.id')}`
  const ids = await ctx.db.query<{ id: number }>(
    `WITH gone (reader_id) AS (${removedReaders})
     SELECT e.id FROM gone g JOIN emails e ON e.reader_id = g.reader_id WHERE e.to_address <> ''
     UNION SELECT e.id FROM gone g JOIN orders o ON o.reader_id = g.reader_id JOIN emails e ON e.order_id = o.id WHERE e.to_address <> ''`,
    { removedBefore: before(removedReaderDays), replacedBefore: before(undoDays) },
  )
  let removed = 0
  for (let from = 0; from < ids.length; from += perTransaction) {
    const some = ids.slice(from, from + perTransaction).map(({ id }) => Number(id))
    removed += await ctx.db.transaction(async () => {
      await clearMails(ctx, some)
      await removeEventsOf(ctx, some)
      return removeBodies(ctx, some)
    })
  }
  return removed
}
