import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { tenantOf } from './own-publication.ts'

export interface PublicationListItem {
  id: number
  publicationName: string
  urlKey: string
  issuesPerYear: number
  coverImage: string | null
  logoImage: string | null
  readers: number
  activeReaders: number
}

/** The publications the actor may act on, by name, with how many readers each has. */
export const listPublications = useCase({
  permission: 'publication:list',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<PublicationListItem[]> {
    const { publisherId } = tenantOf(ctx)
    const rows = await ctx.db.query<{
      id: number
      publication_name: string
      url_key: string
      issues_per_year: number
      cover_image: string | null
      logo_image: string | null
      readers: number
      active_readers: number
    }>(
      `SELECT p.id, p.publication_name, p.url_key, p.issues_per_year, p.cover_image, p.logo_image,
              COUNT(r.id) AS readers, SUM(CASE WHEN r.id IS NULL OR r.is_deleted THEN 0 ELSE 1 END) AS active_readers
       FROM publications p LEFT JOIN readers r ON r.publication_id = p.id
       WHERE p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
       GROUP BY p.id, p.publication_name, p.url_key, p.issues_per_year, p.cover_image, p.logo_image
       ORDER BY p.publication_name, p.id`,
      { publisherId: publisherId ?? null },
    )
    return rows.map((row) => ({
      id: row.id,
      publicationName: row.publication_name,
      urlKey: row.url_key,
      issuesPerYear: row.issues_per_year,
      coverImage: row.cover_image,
      logoImage: row.logo_image,
      readers: Number(row.readers),
      activeReaders: Number(row.active_readers),
    }))
  },
})
