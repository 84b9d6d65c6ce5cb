import { z } from 'zod'
import { asBoolean } from '../database.ts'
import { useCase } from '../use-case.ts'
import { isOnSaleSql } from './on-sale.ts'
import { tenantOf } from './own-publication.ts'

export interface PublicationListItem {
  id: number
  publicationName: string
  urlKey: string
  issuesPerYear: number
  coverImage: string | null
  logoImage: string | null
  sellsBackIssues: boolean
  /** Whether it has a price or a free product: a storefront without either is open and sells nothing. */
  isOnSale: boolean
  /** Paused: hidden from sale because its publisher's plan includes fewer titles. */
  isPaused: boolean
  /** A title for trying things out: its storefront is closed to all others, and it does not count towards the plan. */
  isExample: boolean
  readers: number
  activeReaders: number
  /** How many of its subscriptions renew automatically: none of them is charged while it is removed. */
  renewing: number
}

/** The publications the actor may act on, by name, with how many readers each has; optionally only those that sell back issues. */
export const listPublications = useCase({
  permission: 'publication:list',
  input: z.object({ sellsBackIssues: z.literal(true).optional() }),
  transaction: 'none',
  async run(ctx, { sellsBackIssues }): Promise<PublicationListItem[]> {
    const { publisherId } = tenantOf(ctx)
    const rows = await ctx.db.query<{
      id: number
      publication_name: string
      url_key: string
      issues_per_year: number
      cover_image: string | null
      logo_image: string | null
      sells_back_issues: unknown
      is_on_sale: unknown
      is_paused: unknown
      is_example: unknown
      readers: number
      active_readers: number
      renewing: number
    }>(
      `SELECT p.id, p.publication_name, p.url_key, p.issues_per_year, p.cover_image, p.logo_image, p.sells_back_issues, p.paused_at IS NOT NULL AS is_paused, p.is_example,
              ${isOnSaleSql('p')} AS is_on_sale,
              COUNT(r.id) AS readers, SUM(CASE WHEN r.id IS NULL OR r.is_deleted THEN 0 ELSE 1 END) AS active_readers,
              (SELECT COUNT(*) FROM payment_agreements a WHERE a.publication_id = p.id AND a.state = 'active') AS renewing
       FROM publications p LEFT JOIN readers r ON r.publication_id = p.id
       WHERE p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
         ${sellsBackIssues ? 'AND p.sells_back_issues = :yes' : ''}
       GROUP BY p.id
       ORDER BY p.publication_name, p.id`,
      { publisherId: publisherId ?? null, yes: true },
    )
    return rows.map((row) => ({
      id: row.id,
      publicationName: row.publication_name,
      urlKey: row.url_key,
      issuesPerYear: row.issues_per_year,
      coverImage: row.cover_image,
      logoImage: row.logo_image,
      sellsBackIssues: asBoolean(row.sells_back_issues),
      isOnSale: asBoolean(row.is_on_sale),
      isPaused: asBoolean(row.is_paused),
      isExample: asBoolean(row.is_example),
      readers: Number(row.readers),
      activeReaders: Number(row.active_readers),
      renewing: Number(row.renewing),
    }))
  },
})
