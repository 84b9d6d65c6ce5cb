import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { tenantOf } from './own-publication.ts'

/** Number, handle and name of the publications the actor may act on, by name: for choosing one. Counts nothing, so it is quick. */
export const listHandles = useCase({
  permission: 'publication:list',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<{ id: number; urlKey: string; publicationName: string }[]> {
    const { publisherId } = tenantOf(ctx)
    const rows = await ctx.db.query<{ id: number; url_key: string; publication_name: string }>(
      `SELECT id, url_key, publication_name FROM publications
       WHERE removed_at IS NULL ${publisherId === undefined ? '' : 'AND publisher_id = :publisherId'}
       ORDER BY publication_name, id`,
      { publisherId: publisherId ?? null },
    )
    return rows.map((row) => ({ id: row.id, urlKey: row.url_key, publicationName: row.publication_name }))
  },
})
