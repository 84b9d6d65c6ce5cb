import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { setMergedOffers } from '../duplicates/reader-merges.rows.ts'
import { notFound } from '../kernel/errors.ts'
import { addressPart } from '../kernel/form-fields.ts'
import { mergeChain } from '../readers/merged-readers.rows.ts'
import { acceptsOffersInBackup, setBackedUpOffers } from '../readers/reader-backups.rows.ts'
import { Readers } from '../readers/readers.rows.ts'
import { remindersStoppedAt } from '../readers/reminder-stops.rows.ts'
import { RemovedReaders } from '../readers/removed-readers.rows.ts'
import { setOptOuts } from '../readers/set-opt-outs.ts'
import { stopReminders } from '../readers/stop-reminders.ts'
import { useCase } from '../use-case.ts'
import { readStopKey, type StopLink } from './stop-link.ts'

/** The key from the link of an email: its only permission is to stop these emails of one record. */
const StopKey = z.object({ publicationId: z.number().int(), key: addressPart(60) })

interface Stop extends Pick<StopLink, 'what'> {
  isStopped: boolean
}

/** The emails that a link stops, and whether they are stopped, by this link or otherwise. */
export const stopByLink = useCase({
  permission: 'public',
  input: StopKey,
  transaction: 'none',
  async run(ctx, { publicationId, key }): Promise<Stop> {
    const { what, ...link } = stopLinkOf(ctx, key)
    const chain = await mergeChain(ctx, { ...link, publicationId })
    const readerId = chain.at(-1) ?? link.readerId
    const record = { readerId, publicationId }
    const isStopped =
      what === 'reminder' ? (await remindersStoppedAt(ctx, record)) !== null : await refusesOffers(ctx, record)
    return { what, isStopped }
  },
})

/**
 * Whether a record has the opt-out of offers, as stored: not whether an offer would be sent now, which also depends on its orders. Of a record that no
 * longer exists, as it would be restored; one that cannot be restored gets none.
 */
async function refusesOffers(ctx: AppContext, key: { readerId: number; publicationId: number }): Promise<boolean> {
  const { readerId: id, publicationId } = key
  const reader = await Readers.find(ctx, { id, publicationId })
  if (reader) return reader.pubOffers
  const removed = await RemovedReaders.find(ctx, key)
  if (removed) return Boolean(removed.record.pub_offers)
  return !(await acceptsOffersInBackup(ctx, key))
}

/** Stops the emails of a link, or allows them again where they were stopped by mistake. Idempotent. */
export const stopEmails = useCase({
  permission: 'public',
  input: StopKey.extend({ isStopped: z.boolean() }),
  async run(ctx, { publicationId, key, isStopped }): Promise<Stop> {
    const { readerId, what } = stopLinkOf(ctx, key)
    const chain = await mergeChain(ctx, { readerId, publicationId })
    // Also for the records that were merged or removed: an undo may restore them.
    for (const [index, id] of chain.entries())
      if (what === 'reminder') await stopReminders(ctx, { readerId: id, publicationId }, isStopped)
      else await refuseOffers(ctx, { readerId: id, survivorId: chain[index + 1], publicationId }, isStopped)
    return { what, isStopped }
  },
})

/** Sets the opt-out of offers in a record, and wherever an undo may restore it from: an earlier state of it, or one that no longer exists. */
async function refuseOffers(
  ctx: AppContext,
  { readerId, survivorId, publicationId }: { readerId: number; survivorId: number | undefined; publicationId: number },
  isStopped: boolean,
): Promise<void> {
  const key = { readerId, publicationId }
  await setBackedUpOffers(ctx, key, isStopped)
  // What it was before others were merged into it.
  await setMergedOffers(ctx, { ...key, survivorId: readerId }, isStopped)
  if (survivorId !== undefined) await setMergedOffers(ctx, { ...key, survivorId }, isStopped)
  await setOptOuts(ctx, { ...key, chosen: { pubOffers: isStopped } })
}

function stopLinkOf({ settings }: AppContext, key: string): StopLink {
  const link = readStopKey(settings.appSecret, key)
  if (!link) throw notFound('This link')
  return link
}

/** Whether a record's reader accepts emails of this kind. Offers go only to readers who have bought from the publication and have not refused them. */
export async function acceptsMail(
  ctx: Pick<AppContext, 'db'>,
  { readerId, publicationId, what }: StopLink & { publicationId: number },
): Promise<boolean> {
  if (what === 'reminder') return (await remindersStoppedAt(ctx, { readerId, publicationId })) === null
  const [row] = await ctx.db.query(
    `SELECT 1 FROM readers r WHERE r.id = :readerId AND r.publication_id = :publicationId AND NOT r.is_deleted AND NOT r.pub_offers
       AND EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = r.id AND o.state = 'paid')`,
    { readerId, publicationId },
  )
  return row !== undefined
}
