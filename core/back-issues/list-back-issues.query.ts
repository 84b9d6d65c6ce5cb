import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import { caselessSearch } from '../dialect.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
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
    const conditions = [
      ...(id === undefined ? [] : ['b.id = :id']),
      ...(urlKey === undefined ? [] : ['p.url_key_lower = :urlKey']),
    ]
    return issuesWhere(ctx, conditions, { id: id ?? null, urlKey: urlKey?.toLowerCase() ?? null })
  },
})

/**
 * A page of the acting publisher's back issues, sorted by publication, the newest first; `q` searches volumes, descriptions and publications. `all`
 * is their number without a search.
 */
export const searchBackIssues = useCase({
  permission: 'back-issue:read',
  input: PageInput,
  transaction: 'none',
  async run(ctx, { q, ...input }): Promise<Page<BackIssueListItem> & { all: number }> {
    const search = q ? caselessSearch(ctx.db, q) : null
    const texts = ['b.volume', 'b.description', 'p.publication_name']
    const isFoundSql = search ? `(${texts.map((text) => search.isIn(text, 'q')).join(' OR ')})` : '1 = 1'
    const values: SqlValues = search ? { q: search.value } : {}
    const own = ownIssues(ctx)
    const [rows, [counts]] = await Promise.all([
      issuesWhere(ctx, [isFoundSql], values, input),
      ctx.db.query<{ all: number; found: number }>(
        `SELECT COUNT(*) AS "all", COALESCE(SUM(CASE WHEN ${isFoundSql} THEN 1 ELSE 0 END), 0) AS found ${own.sql}`,
        { ...values, ...own.values },
      ),
    ])
    return { ...pageOf(rows, Number(counts?.found ?? 0), input), all: Number(counts?.all ?? 0) }
  },
})

/** SQL: the back issues `b` that the actor may act on, with their publications `p`. */
function ownIssues(ctx: AppContext): { sql: string; values: SqlValues } {
  const { publisherId } = tenantOf(ctx)
  return {
    sql: `FROM back_issues b JOIN publications p ON p.id = b.publication_id
          WHERE b.removed_at IS NULL AND p.removed_at IS NULL ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}`,
    values: { publisherId: publisherId ?? null },
  }
}

/** Those of them that match the conditions: all, or one page. */
async function issuesWhere(
  ctx: AppContext,
  conditions: readonly string[],
  values: SqlValues,
  page?: Pick<PageInput, 'page' | 'size'>,
): Promise<BackIssueListItem[]> {
  const own = ownIssues(ctx)
  const rows = await listed.rows<Pick<BackIssueListItem, 'publicationName' | 'isSelling'> & { sold: number | null }>(
    ctx,
    `SELECT ${listed.columns('b')}, p.publication_name AS "publicationName", p.sells_back_issues AS "isSelling",
       (SELECT SUM(i.quantity) FROM order_items i JOIN orders o ON o.id = i.order_id
        WHERE i.back_issue_id = b.id AND o.state = 'paid') AS sold
     ${[own.sql, ...conditions].join(' AND ')}
     ORDER BY p.publication_name, p.id, b.id DESC ${page ? 'LIMIT :limit OFFSET :offset' : ''}`,
    { ...values, ...own.values, ...(page && { limit: page.size, offset: (page.page - 1) * page.size }) },
  )
  return rows.map((row) => ({ ...row, isSelling: asBoolean(row.isSelling), sold: Number(row.sold ?? 0) }))
}
