import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { ownReaderRow } from './own-reader-row.ts'
import { readersChanged } from './reader-editions.rows.ts'

/** How long a removed reader can be brought back; after that the record is gone for good. */
export const removedReaderDays = 30

/**
 * Removes a reader: the record is gone from every list and file. Orders stay, and who has an account can go on using it. For thirty days
 * `restoreReader` brings the record back.
 */
export const removeReader = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  async run(ctx, { id }): Promise<{ id: number; publicationId: number; uniqueReference: string }> {
    const { reader, publication } = await ownReaderRow(ctx, id, { isLocked: true })
    const [record] = await ctx.db.query(`SELECT * FROM readers WHERE id = :id`, { id: reader.id })
    await ctx.db.run(
      `INSERT INTO removed_readers (publication_id, reader_id, record, actor_kind, actor_id, removed_at)
       VALUES (:publicationId, :readerId, :record, :actorKind, :actorId, :now)`,
      {
        publicationId: publication.id,
        readerId: reader.id,
        record: JSON.stringify(record),
        actorKind: ctx.actor.kind,
        actorId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null,
        now: ctx.now(),
      },
    )
    await ctx.db.run(`DELETE FROM readers WHERE id = :id`, { id: reader.id })
    const subject = { type: 'reader', id: reader.id, publisherId: publication.publisherId }
    await recordAudit(ctx, 'remove-reader', subject, { publicationId: publication.id })
    await readersChanged(ctx.db, publication.id)
    return { id: reader.id, publicationId: publication.id, uniqueReference: reader.uniqueReference }
  },
})
