import { z } from 'zod'
import { caselessSearch } from '../dialect.ts'
import { dayOf } from '../kernel/calendar.ts'
import { type Page, PageInput, pageOf } from '../kernel/paging.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type Promo, promosWhere } from './own-promo.ts'
import { type PromoStatus, promoStatus } from './promo.rules.ts'

export interface PromoListItem extends Promo {
  status: PromoStatus
}

interface PromoPublication {
  id: number
  publicationName: string
  urlKey: string
}

interface PromoSearch {
  publication: PromoPublication
  all: number
}

/** The promo codes of one of the acting publisher's publications, newest first, with the current state of each. */
export const listPromos = useCase({
  permission: 'promo:read',
  input: z.union([z.object({ publicationId: z.number().int() }), z.object({ urlKey: z.string().max(100) })]),
  transaction: 'none',
  async run(ctx, which): Promise<{ publication: PromoPublication; promos: PromoListItem[] }> {
    const { id, publicationName, urlKey } = await ownPublication(
      ctx,
      'urlKey' in which ? which : { id: which.publicationId },
    )
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const promos = await promosWhere(ctx, 'c.publication_id = :publicationId', { publicationId: id })
    return {
      publication: { id, publicationName, urlKey },
      promos: promos.map((promo) => ({ ...promo, status: promoStatus(promo, today) })),
    }
  },
})

/**
 * A page of the promo codes of one of the acting publisher's publications, newest first, with the current state of each; `q` searches names and
 * codes. `all` is their number without a search.
 */
export const searchPromos = useCase({
  permission: 'promo:read',
  input: PageInput.extend({ publicationId: z.coerce.number('Required').int() }),
  transaction: 'none',
  async run(ctx, { publicationId, q, ...input }): Promise<Page<PromoListItem> & PromoSearch> {
    const { id, publicationName, urlKey } = await ownPublication(ctx, { id: publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const search = q ? caselessSearch(ctx.db, q) : null
    const isFoundSql = search ? `(${search.isIn('c.name', 'q')} OR ${search.isIn('c.code', 'q')})` : '1 = 1'
    const values = { publicationId: id, ...(search && { q: search.value }) }
    const [promos, [counts]] = await Promise.all([
      promosWhere(ctx, `c.publication_id = :publicationId AND ${isFoundSql}`, values, input),
      ctx.db.query<{ all: number; found: number }>(
        `SELECT COUNT(*) AS "all", COALESCE(SUM(CASE WHEN ${isFoundSql} THEN 1 ELSE 0 END), 0) AS found FROM promo_codes c
         WHERE c.publication_id = :publicationId AND c.reader_id IS NULL AND c.removed_at IS NULL`,
        values,
      ),
    ])
    return {
      ...pageOf(
        promos.map((promo) => ({ ...promo, status: promoStatus(promo, today) })),
        Number(counts?.found ?? 0),
        input,
      ),
      publication: { id, publicationName, urlKey },
      all: Number(counts?.all ?? 0),
    }
  },
})
