import { endAgreementsOf, renewingReaders } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { termsChanged } from '../readers/circulation-terms.rows.ts'
import { readerImages, removeRows } from '../readers/readers.rows.ts'
import { storeRemoved } from '../readers/removed-readers.rows.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { lockListed, refuseAfterImport } from './listed-readers.query.ts'
import { countRemoved, ReaderRemovals } from './reader-removals.rows.ts'
import { type RemovalView, removalById } from './removal-row.ts'

/** Readers per transaction: few enough that a concurrent checkout waits only briefly. */
const chunkSize = 500

export type RemovalProgress = (removal: RemovalView) => void

/** The task: removes the readers of a list chunk by chunk, in ascending order of id. `after`: the last reader that was looked at. */
export function removalHandler(onProgress?: RemovalProgress): TaskHandler<{ after: number }> {
  return {
    transactions: 'engine',
    async open(ctx, { task }) {
      const removal = await ReaderRemovals.find(ctx, { id: task.subjectId ?? -1 })
      if (!removal?.list) throw new Error(`There is no removal of a list ${task.subjectId}`)
      const { id, list } = removal
      const publication = await ownPublication(ctx, { id: removal.publicationId })
      let after = task.cursor?.after ?? 0
      let done = task.cursor === null ? 0 : task.done
      return {
        async step() {
          const listed = { ...removal, list }
          await refuseAfterImport(ctx, listed)
          const next = await lockListed(ctx, listed, { after, limit: chunkSize })
          await removeTogether(ctx, { id, publicationId: publication.id }, next.unchangedIds, next.changed)
          after = next.last
          done += next.unchangedIds.length + next.changed
          onProgress?.(await removalById(ctx, id))
          return { cursor: { after }, done, isLast: next.isLast }
        },
      }
    },
    async finish(ctx, { state, subjectId, publicationId, publisherId }) {
      // A user who stops it is named by `stopRemoval`.
      if (state !== 'cancelled')
        await recordRemoval(ctx, { id: Number(publicationId), publisherId: Number(publisherId) }, Number(subjectId))
    },
  }
}

/**
 * Removes readers, which are locked, as a part of a removal; the effect on each is as in `removeReader`. Call it in a transaction. `leftAlone`: how
 * many others were looked at, and stay.
 */
export async function removeTogether(
  ctx: AppContext,
  removal: { id: number; publicationId: number },
  readerIds: readonly number[],
  leftAlone = 0,
): Promise<void> {
  if (readerIds.length === 0) {
    if (leftAlone > 0) await countRemoved(ctx, removal.id, { removed: 0, leftAlone, renewalsEnded: 0 })
    return
  }
  const { publicationId } = removal
  await storeRemoved(ctx, await readerImages(ctx, readerIds), removal)
  await removeRows(ctx, publicationId, readerIds)
  const renewalsEnded = await endAgreementsOf(ctx, await renewingReaders(ctx, readerIds), 'reader-gone')
  await countRemoved(ctx, removal.id, { removed: readerIds.length, leftAlone, renewalsEnded })
  await termsChanged(ctx, publicationId, readerIds)
  await queueWebhooks(
    ctx,
    publicationId,
    ...readerIds.map((readerId) => ({ type: 'reader.erased' as const, readerId })),
  )
}

/** Writes into the activity log what a removal has done. Call it in its transaction. */
export async function recordRemoval(
  ctx: AppContext,
  publication: { id: number; publisherId: number },
  removalId: number,
): Promise<void> {
  const removal = await ReaderRemovals.find(ctx, { id: removalId })
  if (!removal) return
  const { removed: readers, renewalsEnded } = removal
  const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
  await recordAudit(ctx, 'remove-readers', subject, {
    removal: removalId,
    readers,
    ...(renewalsEnded > 0 ? { renewalsEnded } : {}),
  })
}
