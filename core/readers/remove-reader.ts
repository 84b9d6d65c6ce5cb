import { z } from 'zod'
import { actorColumns } from '../access/actor.ts'
import { endAgreementsOf } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { queueWebhooks } from '../webhooks/queue-webhooks.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { ownReaderRow } from './own-reader-row.ts'
import { type ReaderImage, Readers, readerImages } from './readers.rows.ts'
import { RemovedReaders } from './removed-readers.rows.ts'

/**
 * Removes a reader: the record is gone from every list and file, and its automatic renewal ends. Orders stay, and a reader with an account can keep
 * using it. For thirty days `restoreReader` restores the record; a renewal stays off, since only its reader can agree to it.
 */
export const removeReader = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  async run(ctx, { id }): Promise<{ id: number; publicationId: number; uniqueReference: string }> {
    const { reader, publication } = await ownReaderRow(ctx, id, { isLocked: true })
    const [record] = await readerImages(ctx, [reader.id])
    await RemovedReaders.insert(ctx, {
      publicationId: publication.id,
      readerId: reader.id,
      record: record as ReaderImage,
      ...actorColumns(ctx.actor),
      removedAt: ctx.now(),
    })
    await Readers.remove(ctx, { id: reader.id })
    const renewalsEnded = await endAgreementsOf(ctx, [reader.id], 'reader-gone')
    const subject = { type: 'reader', id: reader.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'remove-reader', subject, {
      publicationId: publication.id,
      ...(renewalsEnded > 0 ? { renewalsEnded } : {}),
    })
    await termsChanged(ctx, publication.id, [reader.id])
    await queueWebhooks(ctx, publication.id, { type: 'reader.erased', readerId: reader.id })
    return { id: reader.id, publicationId: publication.id, uniqueReference: reader.uniqueReference }
  },
})
