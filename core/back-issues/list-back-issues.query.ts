import { z } from 'zod'
import { asBoolean } from '../database.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

export interface BackIssueListItem {
  id: number
  publicationId: number
  publicationName: string
  /** Whether its publication sells back issues now. */
  isSelling: boolean
  volume: string
  description: string
  stock: number | null
  /** Copies in paid orders. */
  sold: number
  price: number | null
  priceUs: number | null
  priceEu: number | null
  postage: number | null
  postageUs: number | null
  postageEu: number | null
  coverImage: string | null
}

interface BackIssueListRow {
  id: number
  publication_id: number
  publication_name: string
  sells_back_issues: unknown
  volume: string
  description: string
  stock: number | null
  sold: number | string | null
  price: number | null
  price_us: number | null
  price_eu: number | null
  postage: number | null
  postage_us: number | null
  postage_eu: number | null
  cover_image: string | null
}

/** The back issues of the acting publisher, by publication, the newest first: one, a publication's, or all. */
export const listBackIssues = useCase({
  permission: 'back-issue:read',
  input: z.object({ id: z.coerce.number().int().optional(), urlKey: z.string().max(100).optional() }),
  transaction: 'none',
  async run(ctx, { id, urlKey }): Promise<BackIssueListItem[]> {
    const { publisherId } = tenantOf(ctx)
    const conditions = [
      publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId',
      id === undefined ? '' : 'AND b.id = :id',
      urlKey === undefined ? '' : 'AND p.url_key_lower = :urlKey',
    ].join(' ')
    const rows = await ctx.db.query<BackIssueListRow>(
      `SELECT b.id, b.publication_id, p.publication_name, p.sells_back_issues, b.volume, b.description, b.stock, b.price, b.price_us, b.price_eu,
              b.postage, b.postage_us, b.postage_eu, b.cover_image, s.sold
       FROM back_issues b JOIN publications p ON p.id = b.publication_id
       LEFT JOIN (SELECT i.back_issue_id, SUM(i.quantity) AS sold FROM order_items i JOIN orders o ON o.id = i.order_id
                  WHERE o.state = 'paid' AND i.back_issue_id IS NOT NULL GROUP BY i.back_issue_id) s ON s.back_issue_id = b.id
       WHERE b.removed_at IS NULL AND p.removed_at IS NULL ${conditions}
       ORDER BY p.publication_name, p.id, b.id DESC`,
      { publisherId: publisherId ?? null, id: id ?? null, urlKey: urlKey?.toLowerCase() ?? null },
    )
    return rows.map((row) => ({
      id: row.id,
      publicationId: row.publication_id,
      publicationName: row.publication_name,
      isSelling: asBoolean(row.sells_back_issues),
      volume: row.volume,
      description: row.description,
      stock: row.stock,
      sold: Number(row.sold ?? 0),
      price: amountOf(row.price),
      priceUs: amountOf(row.price_us),
      priceEu: amountOf(row.price_eu),
      postage: amountOf(row.postage),
      postageUs: amountOf(row.postage_us),
      postageEu: amountOf(row.postage_eu),
      coverImage: row.cover_image,
    }))
  },
})

function amountOf(value: number | null): number | null {
  return value === null ? null : Number(value)
}
