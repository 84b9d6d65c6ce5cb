import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { tenantOf } from './own-publication.ts'

interface Handle {
  id: number
  urlKey: string
  publicationName: string
  isRemoved?: true
}

/**
 * The id, handle and name of the publications the actor may act on, by name, for lists to choose from; optionally with removed ones, whose
 * sales remain. Counts no readers, so it is fast.
 */
export const listHandles = useCase({
  permission: 'publication:list',
  input: z.object({ withRemoved: z.literal(true).optional() }),
  transaction: 'none',
  async run(ctx, { withRemoved }): Promise<Handle[]> {
    const { publisherId } = tenantOf(ctx)
    const rows = await ctx.db.query<{ id: number; url_key: string; publication_name: string; removed_at: unknown }>(
      `SELECT id, url_key, publication_name, removed_at FROM publications
       WHERE ${withRemoved ? '1 = 1' : 'removed_at IS NULL'} ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}
       ORDER BY publication_name, id`,
      { publisherId: publisherId ?? null },
    )
    return rows.map((row) => ({
      id: row.id,
      urlKey: row.url_key,
      publicationName: row.publication_name,
      ...(row.removed_at === null ? {} : { isRemoved: true }),
    }))
  },
})
