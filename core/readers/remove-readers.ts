import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { endAgreementsOf, renewingReaders } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { readerSelection } from './reader-selection.input.ts'
import { lockReaders, readerImages, removeRows } from './readers.rows.ts'
import { storeRemoved } from './removed-readers.rows.ts'

export interface ReadersRemoved {
  /** The number for `restoreReaders`. */
  batchId: number
  removed: number
  /** Readers that no longer existed. */
  gone: number
}

/**
 * Removes readers selected from a list, all of them or none; the effect on each is as in `removeReader`. For thirty days
 * `restoreReaders` restores them together.
 */
export const removeReaders = useCase({
  permission: 'reader:import',
  input: z.object({ publicationId: z.coerce.number('Required').int(), readerIds: readerSelection }),
  async run(ctx, { publicationId, readerIds }): Promise<ReadersRemoved> {
    const publication = await ownPublication(ctx, { id: publicationId })
    const rows = await lockReaders(ctx, publication.id, readerIds)
    if (rows.length === 0) throw notFound('The readers')
    const ids = rows.map(({ id }) => id)
    const batchId = await storeRemoved(ctx, await readerImages(ctx, ids), {
      publicationId: publication.id,
      ...actorColumns(ctx.actor),
    })
    await removeRows(ctx, publication.id, ids)
    const renewalsEnded = await endAgreementsOf(ctx, await renewingReaders(ctx, ids), 'reader-gone')
    const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'remove-readers', subject, {
      readers: ids.length,
      ...(renewalsEnded > 0 ? { renewalsEnded } : {}),
    })
    await termsChanged(ctx, publication.id, ids)
    await queueWebhooks(ctx, publication.id, ...ids.map((readerId) => ({ type: 'reader.erased' as const, readerId })))
    return { batchId, removed: ids.length, gone: readerIds.length - ids.length }
  },
})
