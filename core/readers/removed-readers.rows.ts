import type { Actor } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { defineTable, id, instant, json, nullable, ref, text } from '../table.ts'
import type { OptOuts } from './opt-outs.rules.ts'
import { removeHistory } from './reader-events.rows.ts'
import { imageWithOptOuts, isGiftSql, type ReaderImage } from './readers.rows.ts'

/** Readers that were removed manually, individually or together, as they were, so that a mistake can be undone. */
export const RemovedReaders = defineTable('removed_readers', {
  id: id(),
  publicationId: ref(),
  readerId: ref(),
  record: json<ReaderImage>(),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  removedAt: instant(),
  /** Readers that were removed together have the id of the first one. */
  batchId: nullable(ref()),
})

interface Removal {
  publicationId: number
  actorKind: Actor['kind']
  actorId: number | null
}

/**
 * Stores readers, at least one, that are removed together. Returns the batch id by which they can be restored. Call it
 * in the transaction that removes them.
 */
export async function storeRemoved(
  ctx: AppContext,
  [first, ...others]: readonly ReaderImage[],
  removal: Removal,
): Promise<number> {
  if (!first) throw new Error('No readers are removed')
  const store = (record: ReaderImage, batchId: number | null) =>
    RemovedReaders.insert(ctx, { ...removal, readerId: Number(record.id), record, removedAt: ctx.now(), batchId })
  const batchId = await store(first, null)
  await RemovedReaders.update(ctx, { id: batchId }, { batchId })
  for (const record of others) await store(record, batchId)
  return batchId
}

/** Stores whether a removed reader refuses offers, in case it is restored. Call it in a transaction. */
export async function setRemovedOffers(
  ctx: AppContext,
  which: { readerId: number; publicationId: number },
  isStopped: boolean,
): Promise<void> {
  const removed = await RemovedReaders.find(ctx, which, { isLocked: true })
  if (!removed) return
  await RemovedReaders.update(
    ctx,
    { id: removed.id },
    { record: imageWithOptOuts(removed.record, { pubOffers: isStopped }) },
  )
}

/**
 * Stores the opt-outs that a buyer chose in the removed records of the account, gifts aside, in case they are restored. Returns the ids of these
 * readers. Call it in a transaction.
 */
export async function setRemovedOptOuts(
  ctx: AppContext,
  buyer: { buyerId: number; publicationId: number },
  chosen: OptOuts,
): Promise<number[]> {
  const removed = await RemovedReaders.rows(
    ctx,
    `SELECT ${RemovedReaders.columns('g')} FROM removed_readers g
       JOIN (SELECT id AS row_id, reader_id AS id, CAST(record ->> 'buyer_id' AS BIGINT) AS buyer_id FROM removed_readers
         WHERE publication_id = :publicationId) r ON r.row_id = g.id
     WHERE r.buyer_id = :buyerId AND NOT ${isGiftSql} ORDER BY g.id ${rowLock(ctx.db, { of: 'g' })}`,
    buyer,
  )
  for (const { id, record } of removed)
    await RemovedReaders.update(ctx, { id }, { record: imageWithOptOuts(record, chosen) })
  return removed.map(({ readerId }) => readerId)
}

/** How long a removed reader can be restored; after that the record is permanently deleted. */
export const removedReaderDays = 30

/** Deletes readers that `at` a moment were removed too long ago to be restored, with their history. Returns how many. */
export function clearRemovedReaders(ctx: AppContext, at: Date): Promise<number> {
  const before = new Date(at.getTime() - removedReaderDays * 86_400_000)
  return ctx.db.transaction(async () => {
    // First, since it waits for a reader that is being restored, whose history must stay.
    const cleared = await ctx.db.query<{ reader_id: number }>(
      `DELETE FROM removed_readers WHERE removed_at < :before RETURNING reader_id`,
      { before },
    )
    await removeHistory(
      ctx,
      cleared.map(({ reader_id }) => Number(reader_id)),
    )
    return cleared.length
  })
}
