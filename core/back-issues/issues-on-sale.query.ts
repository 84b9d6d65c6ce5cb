import type { AppContext } from '../context.ts'
import { BackIssues } from './back-issues.rows.ts'
import type { IssueOnSale } from './issue-offer.rules.ts'

const offered = BackIssues.pick(
  'id',
  'volume',
  'description',
  'coverImage',
  'stock',
  'price',
  'priceUs',
  'priceEu',
  'postage',
  'postageUs',
  'postageEu',
)

/** The back issues that a publication sells anywhere, newest first; none while it does not sell them. */
export async function issuesOnSale(ctx: AppContext, publicationId: number): Promise<IssueOnSale[]> {
  const rows = await offered.rows(
    ctx,
    `SELECT ${offered.columns('b')} FROM back_issues b JOIN publications p ON p.id = b.publication_id
     WHERE b.publication_id = :publicationId AND b.removed_at IS NULL AND p.sells_back_issues = :yes
       AND (b.price > 0 OR b.price_us > 0 OR b.price_eu > 0)
     ORDER BY b.id DESC`,
    { publicationId, yes: true },
  )
  return rows.map(({ stock, ...issue }) => ({ ...issue, isInStock: stock === null || stock > 0 }))
}
