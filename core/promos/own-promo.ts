import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { notFound } from '../kernel/errors.ts'
import type { ApplicableProducts, PromoTerms } from '../pricing/discount.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'

/** A promo code as its keepers see it. */
export interface Promo extends PromoTerms {
  id: number
  publicationId: number
  publicationName: string
  urlKey: string
  publisherId: number
  name: string
  code: string
}

interface PromoRow {
  id: number
  publication_id: number
  publication_name: string
  url_key: string
  publisher_id: number
  name: string
  code: string
  discount_percent: number
  starts_on: Day | null
  ends_on: Day | null
  uses: number
  used: number
  applicable_products: ApplicableProducts | string
}

/** The promo codes that the actor may act on and a further condition picks, newest first. */
export async function promosWhere(
  ctx: AppContext,
  condition: string,
  values: Record<string, string | number>,
): Promise<Promo[]> {
  const { publisherId } = tenantOf(ctx)
  const rows = await ctx.db.query<PromoRow>(
    `SELECT c.id, c.publication_id, p.publication_name, p.url_key, p.publisher_id, c.name, c.code, c.discount_percent, c.starts_on,
            c.ends_on, c.uses, c.used, c.applicable_products
     FROM promo_codes c JOIN publications p ON p.id = c.publication_id
     WHERE ${condition} AND c.removed_at IS NULL AND p.removed_at IS NULL
       ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
     ORDER BY c.id DESC`,
    { ...values, publisherId: publisherId ?? null },
  )
  return rows.map((row) => ({
    id: row.id,
    publicationId: row.publication_id,
    publicationName: row.publication_name,
    urlKey: row.url_key,
    publisherId: row.publisher_id,
    name: row.name,
    code: row.code,
    discountPercent: row.discount_percent,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    uses: row.uses,
    used: row.used,
    applicableProducts:
      typeof row.applicable_products === 'string'
        ? (JSON.parse(row.applicable_products) as ApplicableProducts)
        : row.applicable_products,
  }))
}

/** The tenant floor of promo codes: somebody else's, a deleted and an unknown one are all `notFound`. */
export async function ownPromo(ctx: AppContext, id: number): Promise<Promo> {
  const [promo] = await promosWhere(ctx, 'c.id = :id', { id })
  if (!promo) throw notFound('The promo code')
  return promo
}
