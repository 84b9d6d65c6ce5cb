import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { rowLock } from '../dialect.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { termsChanged } from './circulation-terms.rows.ts'
import { insertImage, linkToBuyers } from './readers.rows.ts'
import { recordReaderChange } from './record-reader-change.ts'
import { rekeyRestored } from './rekey-home-readers.ts'
import { RemovedReaders } from './removed-readers.rows.ts'

/**
 * Restores the readers that were removed together, each as it was. Those whose reference now belongs to another reader stay
 * removed and are counted.
 */
export const restoreReaders = useCase({
  permission: 'reader:import',
  input: z.object({ batchId: z.coerce.number('The readers were not found').int() }),
  async run(ctx, { batchId }): Promise<{ restored: number; left: number }> {
    const removed = await RemovedReaders.rows(
      ctx,
      `SELECT ${RemovedReaders.columns()} FROM removed_readers WHERE batch_id = :batchId ORDER BY id ${rowLock(ctx.db)}`,
      { batchId },
    )
    const [first] = removed
    if (!first) throw notFound('The readers')
    const publication = await ownPublication(ctx, { id: first.publicationId }).catch(() => null)
    // The same message as for an id that never existed.
    if (!publication) throw notFound('The readers')
    const conflicting = await takenReferences(
      removed.map(({ record }) => String(record.unique_reference)),
      publication.id,
    )
    const restorable = removed.filter(({ record }) => !conflicting.has(String(record.unique_reference)))
    if (restorable.length === 0)
      throw conflict('The references of these readers belong to other readers now', {
        hint: 'Give those readers other references first, then restore these',
      })
    const ids = restorable.map(({ readerId }) => readerId)
    for (const { record } of restorable) await insertImage(ctx, record)
    await rekeyRestored(ctx, publication.id, ids)
    const unlinked = restorable.filter(({ record }) => !('buyer_id' in record)).map(({ readerId }) => readerId)
    if (unlinked.length > 0) await linkToBuyers(ctx, unlinked)
    for (const { id, readerId } of restorable) {
      await RemovedReaders.remove(ctx, { id })
      await recordReaderChange(ctx, {
        readerId,
        publicationId: publication.id,
        kind: 'restored',
        note: 'Restored after it was removed',
      })
    }
    const subject = { type: 'publication', id: publication.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'restore-readers', subject, { readers: ids.length })
    await termsChanged(ctx, publication.id, ids)
    return { restored: ids.length, left: removed.length - ids.length }

    async function takenReferences(references: string[], publicationId: number): Promise<Set<string>> {
      const rows = await ctx.db.query<{ unique_reference: string }>(
        `SELECT unique_reference FROM readers WHERE publication_id = :publicationId AND unique_reference IN (:references)`,
        { publicationId, references },
      )
      return new Set(rows.map(({ unique_reference }) => unique_reference))
    }
  },
})
