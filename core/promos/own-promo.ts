import type { AppContext } from '../context.ts'
import { notFound } from '../kernel/errors.ts'
import type { PageInput } from '../kernel/paging.ts'
import type { PromoConditions } from '../pricing/discount.rules.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { PromoCodes } from './promo-codes.rows.ts'

/** A promo code as the back office shows it. */
export interface Promo extends PromoConditions {
  id: number
  publicationId: number
  publicationName: string
  urlKey: string
  publisherId: number
  name: string
  code: string
}

const listed = PromoCodes.pick(
  'id',
  'publicationId',
  'name',
  'code',
  'discountPercent',
  'startsOn',
  'endsOn',
  'uses',
  'used',
  'applicableProducts',
)

/** The promo codes that the actor may act on and that match a condition, newest first: all, or one page. Codes for a single reader are excluded. */
export async function promosWhere(
  ctx: AppContext,
  condition: string,
  values: Record<string, string | number>,
  page?: Pick<PageInput, 'page' | 'size'>,
): Promise<Promo[]> {
  const { publisherId } = tenantOf(ctx)
  return listed.rows<Pick<Promo, 'publicationName' | 'urlKey' | 'publisherId'>>(
    ctx,
    `SELECT ${listed.columns('c')}, p.publication_name AS "publicationName", p.url_key AS "urlKey", p.publisher_id AS "publisherId"
     FROM promo_codes c JOIN publications p ON p.id = c.publication_id
     WHERE ${condition} AND c.reader_id IS NULL AND c.removed_at IS NULL AND p.removed_at IS NULL
       ${publisherId === undefined ? '' : 'AND p.publisher_id = :publisherId'}
     ORDER BY c.id DESC ${page ? 'LIMIT :limit OFFSET :offset' : ''}`,
    {
      ...values,
      publisherId: publisherId ?? null,
      ...(page && { limit: page.size, offset: (page.page - 1) * page.size }),
    },
  )
}

/** The authorisation guard of promo codes: another publisher's, a deleted and an unknown one are all `notFound`. */
export async function ownPromo(ctx: AppContext, id: number, { isLocked = false } = {}): Promise<Promo> {
  if (isLocked) await PromoCodes.find(ctx, { id }, { isLocked })
  const [promo] = await promosWhere(ctx, 'c.id = :id', { id })
  if (!promo) throw notFound('The promo code')
  return promo
}
