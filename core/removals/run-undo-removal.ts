import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { termsChanged } from '../readers/circulation-terms.rows.ts'
import { insertFreeImage, linkToBuyers } from '../readers/readers.rows.ts'
import { recordRestored } from '../readers/record-reader-change.ts'
import { rekeyRestored } from '../readers/rekey-home-readers.ts'
import { deleteRemoved, lockRemoved } from '../readers/removed-readers.rows.ts'
import type { TaskHandler } from '../tasks/task.ts'
import { countRestored, ReaderRemovals } from './reader-removals.rows.ts'
import { removalById } from './removal-row.ts'
import type { RemovalProgress } from './run-removal.ts'

/** Readers per transaction. */
const chunkSize = 500

/** The task: restores the readers of a removal chunk by chunk. `after`: the last record that was processed. */
export function undoRemovalHandler(onProgress?: RemovalProgress): TaskHandler<{ after: number }> {
  return {
    transactions: 'engine',
    async open(ctx, { task }) {
      const removal = await ReaderRemovals.find(ctx, { id: task.subjectId ?? -1 })
      if (!removal) throw new Error(`There is no removal ${task.subjectId}`)
      let after = task.cursor?.after ?? 0
      let done = task.cursor === null ? 0 : task.done
      return {
        async step() {
          const next = await restoreNext(ctx, removal, { after, limit: chunkSize })
          after = next.last
          const examined = next.restored + next.notRestored
          done += examined
          onProgress?.(await removalById(ctx, removal.id))
          return { cursor: { after }, done, isLast: examined < chunkSize }
        },
      }
    },
    async finish(ctx, { state, subjectId, publicationId, publisherId }) {
      const removal = await ReaderRemovals.find(ctx, { id: Number(subjectId) })
      if (state === 'cancelled' || !removal) return
      const subject = { type: 'publication', id: Number(publicationId), publisherId: Number(publisherId) }
      await recordAudit(ctx, 'restore-readers', subject, { removal: removal.id, readers: removal.restored })
    },
  }
}

/**
 * Restores the next readers of a removal, each as it was, in the running transaction. Those whose reference belongs to another reader by now stay
 * removed. Their renewals stay off, since only the readers can agree to them.
 */
export async function restoreNext(
  ctx: AppContext,
  { id, publicationId }: { id: number; publicationId: number },
  { after, limit }: { after: number; limit: number },
): Promise<{ restored: number; notRestored: number; last: number }> {
  const removed = await lockRemoved(ctx, { removalId: id, after, limit })
  const inserted = await awaitAll(...removed.map(({ record }) => insertFreeImage(ctx, record)))
  const restored = removed.filter((_, index) => inserted[index])
  const readerIds = restored.map(({ readerId }) => readerId)
  if (restored.length > 0) {
    await rekeyRestored(ctx, publicationId, readerIds)
    const unlinked = restored.filter(({ record }) => !('buyer_id' in record)).map(({ readerId }) => readerId)
    if (unlinked.length > 0) await linkToBuyers(ctx, unlinked)
    await deleteRemoved(
      ctx,
      restored.map((row) => row.id),
    )
    await recordRestored(ctx, publicationId, readerIds)
    await termsChanged(ctx, publicationId, readerIds)
  }
  const counts = { restored: restored.length, notRestored: removed.length - restored.length }
  await countRestored(ctx, id, counts)
  return { ...counts, last: removed.at(-1)?.id ?? after }
}
