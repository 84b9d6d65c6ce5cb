import type { AppContext } from '../context.ts'
import type { IssueOnSale } from './issue-offer.rules.ts'

interface Row {
  id: number
  volume: string
  description: string
  cover_image: string | null
  stock: number | null
  price: number | null
  price_us: number | null
  price_eu: number | null
  postage: number | null
  postage_us: number | null
  postage_eu: number | null
}

/** The back issues that a publication sells anywhere, newest first; none while it does not sell them. */
export async function issuesOnSale(ctx: AppContext, publicationId: number): Promise<IssueOnSale[]> {
  const rows = await ctx.db.query<Row>(
    `SELECT b.id, b.volume, b.description, b.cover_image, b.stock, b.price, b.price_us, b.price_eu, b.postage, b.postage_us, b.postage_eu
     FROM back_issues b JOIN publications p ON p.id = b.publication_id
     WHERE b.publication_id = :publicationId AND b.removed_at IS NULL AND p.sells_back_issues = :yes
       AND (b.price > 0 OR b.price_us > 0 OR b.price_eu > 0)
     ORDER BY b.id DESC`,
    { publicationId, yes: true },
  )
  return rows.map((row) => ({
    id: row.id,
    volume: row.volume,
    description: row.description,
    coverImage: row.cover_image,
    price: amountOf(row.price),
    priceUs: amountOf(row.price_us),
    priceEu: amountOf(row.price_eu),
    postage: amountOf(row.postage),
    postageUs: amountOf(row.postage_us),
    postageEu: amountOf(row.postage_eu),
    isInStock: row.stock === null || row.stock > 0,
  }))
}

/** PostgreSQL gives large whole numbers as text. */
function amountOf(value: number | null): number | null {
  return value === null ? null : Number(value)
}
