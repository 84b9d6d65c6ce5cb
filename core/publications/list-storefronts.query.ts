import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { isOnSaleSql } from './on-sale.ts'

/** The storefronts that are open to everyone, by name: a dozen at most, for the front page. */
export const listStorefronts = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run(
    ctx,
  ): Promise<{ urlKey: string; publicationName: string; publicationInfo: string; coverImage: string | null }[]> {
    const rows = await ctx.db.query<{
      url_key: string
      publication_name: string
      publication_info: string
      cover_image: string | null
    }>(
      `SELECT p.url_key, p.publication_name, p.publication_info, p.cover_image FROM publications p JOIN users u ON u.id = p.publisher_id
       WHERE p.removed_at IS NULL AND p.paused_at IS NULL AND NOT p.is_example AND u.is_active AND ${isOnSaleSql('p')}
       ORDER BY p.publication_name, p.id LIMIT 12`,
    )
    return rows.map((row) => ({
      urlKey: row.url_key,
      publicationName: row.publication_name,
      publicationInfo: row.publication_info,
      coverImage: row.cover_image,
    }))
  },
})
