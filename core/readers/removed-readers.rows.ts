import { type Actor, actorColumns } from '../access/actor.ts'
import type { AppContext } from '../context.ts'
import { rowLock, rowsFromJson, typedValue } from '../dialect.ts'
import { storableJson } from '../kernel/storable-text.ts'
import { defineTable, id, instant, json, nullable, ref, text } from '../table.ts'
import { removeHistory } from './reader-events.rows.ts'
import { changedImage, isGiftSql, type ReaderImage } from './readers.rows.ts'

/** Readers that were removed manually, individually or together, as they were, so that a mistake can be undone. */
export const RemovedReaders = defineTable('removed_readers', {
  id: id(),
  publicationId: ref(),
  readerId: ref(),
  record: json<ReaderImage>(),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  removedAt: instant(),
  /** The removal of several readers that this one was part of; null: it was removed individually. */
  removalId: nullable(ref()),
})

/** Stores readers that are removed together. Call it in the transaction that removes them. */
export async function storeRemoved(
  ctx: AppContext,
  images: readonly ReaderImage[],
  removal: { id: number; publicationId: number },
): Promise<void> {
  await ctx.db.run(
    `INSERT INTO removed_readers (publication_id, reader_id, record, actor_kind, actor_id, removed_at, removal_id)
     SELECT ${typedValue(ctx.db, ':publicationId', 'id')}, v.reader, v.record, :actorKind, ${typedValue(ctx.db, ':actorId', 'id')},
       ${typedValue(ctx.db, ':now', 'instant')}, ${typedValue(ctx.db, ':removalId', 'id')}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { reader: 'id', record: 'json' })} ORDER BY v.reader`,
    {
      rows: storableJson(images.map((record) => ({ reader: record.id, record }))),
      publicationId: removal.publicationId,
      removalId: removal.id,
      ...actorColumns(ctx.actor),
      now: ctx.now(),
    },
  )
}

/** The next readers of a removal that are still removed, in ascending order of row id, locked until the transaction ends. */
export function lockRemoved(
  ctx: AppContext,
  { removalId, after, limit }: { removalId: number; after: number; limit: number },
) {
  return RemovedReaders.rows(
    ctx,
    `SELECT ${RemovedReaders.columns()} FROM removed_readers WHERE removal_id = :removalId AND id > :after ORDER BY id LIMIT :limit
     ${rowLock(ctx.db)}`,
    { removalId, after, limit },
  )
}

/** Deletes the records of readers that were restored. Call it in the transaction that restores them. */
export async function deleteRemoved(ctx: AppContext, ids: readonly number[]): Promise<void> {
  await ctx.db.run(`DELETE FROM removed_readers WHERE id IN (:ids)`, { ids: [...ids] })
}

/**
 * The removed records of a buyer's account, gifts aside, locked until the transaction ends. A restore that is running ends first: what it restores is
 * found among the readers afterwards.
 */
export async function lockRemovedOf(
  ctx: AppContext,
  buyer: { buyerId: number; publicationId: number },
): Promise<ReaderImage[]> {
  const removed = await RemovedReaders.rows(
    ctx,
    `SELECT ${RemovedReaders.columns('g')} FROM removed_readers g
       JOIN (SELECT id AS row_id, reader_id AS id, CAST(record ->> 'buyer_id' AS BIGINT) AS buyer_id FROM removed_readers
         WHERE publication_id = :publicationId AND CAST(record ->> 'buyer_id' AS BIGINT) = :buyerId) r ON r.row_id = g.id
     WHERE NOT ${isGiftSql} ORDER BY g.id ${rowLock(ctx.db, { of: 'g' })}`,
    buyer,
  )
  return removed.map(({ record }) => record)
}

/** Does for removed records, in case they are restored, what `linkByEmail` does for the readers. Call it in the same transaction, before it. */
export async function linkRemovedByEmail(
  ctx: AppContext,
  { buyerId, ...which }: { publicationId: number; keyEmail: string; buyerId: number },
): Promise<void> {
  const removed = await RemovedReaders.rows(
    ctx,
    `SELECT ${RemovedReaders.columns()} FROM removed_readers
     WHERE publication_id = :publicationId AND record ->> 'key_email' = :keyEmail AND record ->> 'buyer_id' IS NULL
     ORDER BY id ${rowLock(ctx.db)}`,
    which,
  )
  for (const { id, record } of removed)
    if (!record.is_deleted)
      await RemovedReaders.update(ctx, { id }, { record: changedImage(record, { buyerId, modifiedBy: null }) })
}

/** How long a removed reader can be restored; after that the record is permanently deleted. */
export const removedReaderDays = 30

/** How many records are deleted in one transaction: few enough that locks are short. */
const perTransaction = 2000

/** Deletes readers that `at` a moment were removed too long ago to be restored, with their history. Returns how many. */
export async function clearRemovedReaders(ctx: AppContext, at: Date): Promise<number> {
  const before = new Date(at.getTime() - removedReaderDays * 86_400_000)
  for (let cleared = 0; ; ) {
    const count = await ctx.db.transaction(async () => {
      // First, since it waits for a reader that is being restored, whose history must stay.
      const rows = await ctx.db.query<{ reader_id: number }>(
        `DELETE FROM removed_readers
         WHERE id IN (SELECT id FROM removed_readers WHERE removed_at < :before ORDER BY removed_at LIMIT ${perTransaction})
         RETURNING reader_id`,
        { before },
      )
      await removeHistory(
        ctx,
        rows.map(({ reader_id }) => Number(reader_id)),
      )
      return rows.length
    })
    if (count === 0) return cleared
    cleared += count
  }
}
