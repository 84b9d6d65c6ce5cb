import { z } from 'zod'
import { asBoolean } from '../database.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { BackIssues } from './back-issues.rows.ts'

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

const listed = BackIssues.pick(
  'id',
  'publicationId',
  'volume',
  'description',
  'stock',
  'price',
  'priceUs',
  'priceEu',
  'postage',
  'postageUs',
  'postageEu',
  'coverImage',
)

/** The back issues of the acting publisher: one, those of a publication, or all; sorted by publication, the newest first. */
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
    const rows = await listed.rows<Pick<BackIssueListItem, 'publicationName' | 'isSelling'> & { sold: number | null }>(
      ctx,
      `SELECT ${listed.columns('b')}, p.publication_name AS "publicationName", p.sells_back_issues AS "isSelling", s.sold
       FROM back_issues b JOIN publications p ON p.id = b.publication_id
       LEFT JOIN (SELECT i.back_issue_id, SUM(i.quantity) AS sold FROM order_items i JOIN orders o ON o.id = i.order_id
                  WHERE o.state = 'paid' AND i.back_issue_id IS NOT NULL GROUP BY i.back_issue_id) s ON s.back_issue_id = b.id
       WHERE b.removed_at IS NULL AND p.removed_at IS NULL ${conditions}
       ORDER BY p.publication_name, p.id, b.id DESC`,
      { publisherId: publisherId ?? null, id: id ?? null, urlKey: urlKey?.toLowerCase() ?? null },
    )
    return rows.map((row) => ({ ...row, isSelling: asBoolean(row.isSelling), sold: Number(row.sold ?? 0) }))
  },
})
