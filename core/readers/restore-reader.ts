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

/** Restores a removed reader as it was, with its number, its orders and its account. One that was not removed is not found. */
export const restoreReader = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  async run(ctx, { id }): Promise<{ id: number; publicationId: number }> {
    const [removed] = await RemovedReaders.rows(
      ctx,
      `SELECT ${RemovedReaders.columns()} FROM removed_readers WHERE reader_id = :id ORDER BY id DESC LIMIT 1
       ${rowLock(ctx.db)}`,
      { id },
    )
    if (!removed) throw notFound('The reader')
    const publication = await ownPublication(ctx, { id: removed.publicationId }).catch(() => null)
    // The same message as for an id that never existed.
    if (!publication) throw notFound('The reader')
    const { record: image } = removed
    const conflicting = await ctx.db.query(
      `SELECT 1 FROM readers WHERE publication_id = :publicationId AND unique_reference = :reference`,
      { publicationId: publication.id, reference: String(image.unique_reference) },
    )
    if (conflicting.length > 0) {
      throw conflict(`The reference ${image.unique_reference} belongs to another reader now`, {
        hint: 'Give that reader another reference first, then restore this one',
      })
    }
    await insertImage(ctx, image)
    await rekeyRestored(ctx, publication.id, [id])
    if (!('buyer_id' in image)) await linkToBuyers(ctx, [id])
    await RemovedReaders.remove(ctx, { readerId: id })
    await recordReaderChange(ctx, {
      readerId: id,
      publicationId: publication.id,
      kind: 'restored',
      note: 'Restored after it was removed',
    })
    const subject = { type: 'reader', id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'restore-reader', subject, { publicationId: publication.id })
    await termsChanged(ctx, publication.id, [id])
    return { id, publicationId: publication.id }
  },
})
