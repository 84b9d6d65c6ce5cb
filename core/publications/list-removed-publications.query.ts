import { z } from 'zod'
import { asInstant } from '../database.ts'
import { useCase } from '../use-case.ts'
import { tenantOf } from './own-publication.ts'

export interface RemovedPublication {
  id: number
  publicationName: string
  urlKey: string
  removedAt: Date
}

/** The publications that were removed and can be restored, the most recently removed first. */
export const listRemovedPublications = useCase({
  permission: 'publication:write',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<RemovedPublication[]> {
    const { publisherId } = tenantOf(ctx)
    const rows = await ctx.db.query<{
      id: number
      publication_name: string
      url_key: string
      removed_at: Date | string
    }>(
      `SELECT id, publication_name, url_key, removed_at FROM publications
       WHERE removed_at IS NOT NULL ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}
       ORDER BY removed_at DESC, id DESC`,
      { publisherId: publisherId ?? null },
    )
    return rows.map((row) => ({
      id: row.id,
      publicationName: row.publication_name,
      urlKey: row.url_key,
      removedAt: asInstant(row.removed_at),
    }))
  },
})
