import { removeEventsOf } from '../bounces/delivery-events.rows.ts'
import type { AppContext } from '../context.ts'
import { expiredUploads } from '../imports/clear-old-backups.ts'
import { removedReaderDays } from '../readers/removed-readers.rows.ts'
import { deleteBodies } from './email-bodies.rows.ts'
import { clearEmails } from './emails.rows.ts'

/** How many emails are cleared in one transaction: few enough that locks are short. */
const perTransaction = 1000

/**
 * Removes personal data from the mail log for readers who were removed permanently, manually or by an import: address, subject, text and the mail
 * servers' responses, of the emails to them and about their orders. Call it before the data that could restore them is deleted, with the same
 * moment: afterwards the emails of these readers can no longer be found. Returns how many texts were removed.
 */
export async function clearEmailsOfRemovedReaders(ctx: AppContext, at: Date): Promise<number> {
  const removedBefore = new Date(at.getTime() - removedReaderDays * 86_400_000)
  const ids = await ctx.db.query<{ id: number }>(
    `WITH gone (reader_id) AS (${removedReaders})
     SELECT e.id FROM gone g JOIN emails e ON e.reader_id = g.reader_id WHERE e.to_address <> ''
     UNION SELECT e.id FROM gone g JOIN orders o ON o.reader_id = g.reader_id JOIN emails e ON e.order_id = o.id WHERE e.to_address <> ''`,
    { removedBefore, ...expiredUploads.values(at) },
  )
  let removed = 0
  for (let from = 0; from < ids.length; from += perTransaction) {
    const batch = ids.slice(from, from + perTransaction).map(({ id }) => Number(id))
    removed += await ctx.db.transaction(async () => {
      await clearEmails(ctx, batch)
      await removeEventsOf(ctx, batch)
      return deleteBodies(ctx, batch)
    })
  }
  return removed
}

/** The reader is no longer in the list, and can no longer be restored: neither by Undo on its page, nor by the undo of an import that removed it. */
const isGone = (id: string) => `NOT EXISTS (SELECT 1 FROM readers r WHERE r.id = ${id})
  AND NOT EXISTS (SELECT 1 FROM removed_readers k WHERE k.reader_id = ${id} AND k.removed_at >= :removedBefore)
  AND NOT EXISTS (SELECT 1 FROM reader_backups k JOIN uploads ku ON ku.id = k.upload_id
    WHERE k.id = ${id} AND k.kind = 'removed' AND NOT ${expiredUploads.sql('ku')})`

/** An import also stores readers that it only changed, who may have been removed in another way since. */
const removedReaders = `SELECT g.reader_id FROM removed_readers g WHERE g.removed_at < :removedBefore AND ${isGone('g.reader_id')}
  UNION SELECT b.id FROM uploads u JOIN reader_backups b ON b.upload_id = u.id WHERE ${expiredUploads.sql('u')} AND ${isGone('b.id')}`
