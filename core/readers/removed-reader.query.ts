import { z } from 'zod'
import { asInstant } from '../database.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** A reader that no longer exists, with what is known of its removal. */
export interface RemovedReader {
  id: number
  publicationId: number
  /** Who removed it, by name; null if an import or a merge did, or if unknown. */
  removedBy: string | null
  /** Null if it was not removed manually: it cannot be restored by `restoreReader`. */
  removedAt: Date | null
}

/**
 * Why a reader was not found: removed manually, or otherwise gone from the publication that the caller names. Not
 * found if neither is the actor's; another publisher's reader cannot be distinguished from none.
 */
export const removedReader = useCase({
  permission: 'reader:read',
  input: z.object({
    id: z.coerce.number('The reader was not found').int(),
    publicationId: z.coerce.number().int().optional().catch(undefined),
  }),
  transaction: 'none',
  async run(ctx, { id, publicationId }): Promise<RemovedReader> {
    const [removed] = await ctx.db.query<{
      publication_id: number
      first_name: string | null
      last_name: string | null
      removed_at: Date | string
    }>(
      `SELECT removed.publication_id, removed.removed_at, users.first_name, users.last_name
       FROM removed_readers removed LEFT JOIN users ON users.id = removed.actor_id AND removed.actor_kind = 'staff'
       WHERE removed.reader_id = :id ORDER BY removed.id DESC LIMIT 1`,
      { id },
    )
    const formerPublicationId = removed?.publication_id ?? publicationId
    if (formerPublicationId === undefined) throw notFound('The reader')
    const publication = await ownPublication(ctx, { id: formerPublicationId }).catch(() => null)
    // The same message as for an id that never existed.
    if (!publication) throw notFound('The reader')
    const removedBy = removed ? `${removed.first_name ?? ''} ${removed.last_name ?? ''}`.trim() || null : null
    return {
      id,
      publicationId: publication.id,
      removedBy,
      removedAt: removed ? asInstant(removed.removed_at) : null,
    }
  },
})
