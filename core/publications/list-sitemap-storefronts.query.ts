import { z } from 'zod'
import { asBoolean, asInstant } from '../database.ts'
import { useCase } from '../use-case.ts'

interface SitemapStorefront {
  id: number
  urlKey: string
  changedAt: Date
  /** When the newest of its issues on sale changed; null if it sells none. */
  issuesChangedAt: Date | null
}

interface Row {
  id: number
  url_key: string
  updated_at: Date | string
  sells_back_issues: unknown
  issues_changed_at: Date | string | null
}

/** The storefronts that are open to everyone, by id, a page at a time: for clients that read all of them, such as search engines. */
export const listSitemapStorefronts = useCase({
  permission: 'public',
  input: z.object({
    after: z.number().int().min(0),
    upTo: z.number().int(),
    size: z.number().int().min(1).max(5_000).default(1_000),
  }),
  transaction: 'none',
  async run(ctx, { after, upTo, size }): Promise<SitemapStorefront[]> {
    const rows = await ctx.db.query<Row>(
      `SELECT p.id, p.url_key, p.updated_at, p.sells_back_issues,
              (SELECT MAX(b.updated_at) FROM back_issues b WHERE b.publication_id = p.id AND b.removed_at IS NULL
                 AND (b.price > 0 OR b.price_us > 0 OR b.price_eu > 0)) AS issues_changed_at
       FROM publications p JOIN users u ON u.id = p.publisher_id
       WHERE p.removed_at IS NULL AND p.paused_at IS NULL AND NOT p.is_example AND u.is_active = :yes AND p.id > :after AND p.id <= :upTo ORDER BY p.id LIMIT :size`,
      { yes: true, after, upTo, size },
    )
    return rows.map((row) => ({
      id: row.id,
      urlKey: row.url_key,
      changedAt: asInstant(row.updated_at),
      issuesChangedAt:
        asBoolean(row.sells_back_issues) && row.issues_changed_at !== null ? asInstant(row.issues_changed_at) : null,
    }))
  },
})
