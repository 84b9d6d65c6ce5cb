import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { optOuts } from './opt-outs.rules.ts'
import { readersChanged } from './reader-editions.rows.ts'
import { ReaderEvents } from './reader-events.rows.ts'
import { lockReaders } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'

interface Lapsed {
  publicationId: number
  /** The last active use was before this day. */
  before: Day
  untouchedSince: Date
  chunk: number
}

/** What of a record serves marketing alone. */
const contact = ['email', 'telephone', 'fax', 'web_address', 'job_title', 'data_source_one', 'data_source_two']
const answers = ['answer_a', 'answer_b', 'answer_c', 'answer_d', 'answer_e']
const texts = [...contact, ...answers]
const consents = optOuts.map(({ field }) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))

/** Somebody who has not been served, has not bought and has not logged in since `:before`, and of whom there is still something to delete. */
const isLapsed = `
  readers.publication_id = :publicationId AND readers.sub_end_on < :before AND readers.updated_at < :untouchedSince
  AND (${[...texts.map((column) => `readers.${column} <> ''`), ...consents.map((column) => `NOT readers.${column}`)].join(' OR ')})
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = readers.id AND o.ordered_on >= :before)
  AND NOT EXISTS (SELECT 1 FROM orders o WHERE readers.buyer_id IS NOT NULL AND o.buyer_id = readers.buyer_id AND o.ordered_on >= :before)
  AND NOT EXISTS (SELECT 1 FROM buyers b WHERE b.id = readers.buyer_id AND (b.last_login_at >= :before OR b.created_at >= :before))
  AND NOT EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = readers.id AND a.state = 'active')`

/** Deletes it for so many readers of a publication, in a transaction of its own, and says in their history that it was done, without what it was. */
export async function clearMarketing(
  ctx: AppContext,
  { publicationId, before, untouchedSince, chunk }: Lapsed,
): Promise<{ found: number; cleared: number }> {
  const lapsed = { publicationId, before, untouchedSince }
  const found = await ctx.db.query<{ id: number }>(
    `SELECT readers.id FROM readers WHERE ${isLapsed} ORDER BY readers.id LIMIT :chunk`,
    { ...lapsed, chunk },
  )
  if (found.length === 0) return { found: 0, cleared: 0 }
  const ids = found.map(({ id }) => id)
  return ctx.db.transaction(async () => {
    await lockReaders(ctx, publicationId, ids)
    // Asked once more: somebody may have come back meanwhile.
    const cleared = await ctx.db.query<{ id: number }>(
      `UPDATE readers SET ${texts.map((column) => `${column} = ''`).join(', ')}, ${consents.map((column) => `${column} = :yes`).join(', ')},
         key_email = '', version = version + 1, modified_by = NULL, updated_at = :now
       WHERE readers.id IN (:ids) AND ${isLapsed} RETURNING id`,
      { ...lapsed, ids, yes: true, now: ctx.now() },
    )
    for (const { id } of cleared) {
      // The history would go on telling what was deleted.
      await ReaderEvents.update(ctx, { readerId: id }, { before: null })
      const note = 'Marketing data deleted, five years after the last active use'
      await recordReaderChange(ctx, { readerId: id, publicationId, kind: 'edited', note })
    }
    if (cleared.length > 0) await readersChanged(ctx.db, publicationId)
    return { found: found.length, cleared: cleared.length }
  })
}
