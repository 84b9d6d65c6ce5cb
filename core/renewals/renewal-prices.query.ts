import { z } from 'zod'
import { RenewalPriceChanges } from '../agreements/renewal-price-changes.rows.ts'
import { openRenewalStates } from '../agreements/renewal-states.rules.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { type Product, products, type TermMonths, termLengths } from '../pricing/plan-code.rules.ts'
import { type Band, bands } from '../pricing/region.rules.ts'
import { ownPublication } from '../publications/own-publication.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'
import { type PriceChangeImpact, priceChangeImpact } from './price-change-impact.query.ts'

/** A plan of a title with automatic renewals, with what readers pay: minor units, the most frequent price first. */
export interface RenewingPlan {
  product: Product
  termMonths: TermMonths
  band: Band
  currency: Currency
  prices: { price: number; agreements: number }[]
}

/** A price that was decided for renewals. */
export interface RenewalPrice
  extends Pick<
    RowOf<typeof RenewalPriceChanges>,
    | 'id'
    | 'product'
    | 'termMonths'
    | 'band'
    | 'currency'
    | 'contractedBefore'
    | 'oldPrice'
    | 'newPrice'
    | 'effectiveOn'
    | 'state'
  > {
  setOn: Day
  /** Who decided it; blank if it was not a member of staff. */
  by: string
  /** The affected readers to whom it is not announced yet; null once it is withdrawn. */
  reach: PriceChangeImpact | null
  /** Agreements to which it is announced and not charged yet, and those whose price was set by it. */
  announced: number
  charged: number
}

/** How many of a title's decisions are listed, the latest ones. */
const maxListed = 100

const listed = RenewalPriceChanges.pick(
  'id',
  'publicationId',
  'product',
  'termMonths',
  'band',
  'currency',
  'contractedBefore',
  'oldPrice',
  'newPrice',
  'effectiveOn',
  'state',
  'createdAt',
)

/**
 * The plans of one of the acting publisher's titles that renew, in the shop's order, with their prices; and the new prices that were decided for it,
 * the latest first.
 */
export const renewalPrices = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int() }),
  transaction: 'none',
  async run(ctx, input): Promise<{ plans: RenewingPlan[]; changes: RenewalPrice[]; isTruncated: boolean }> {
    const { id: publicationId } = await ownPublication(ctx, { id: input.publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const rows = await listed.rows<{ by: string; announced: number | string; charged: number | string }>(
      ctx,
      `SELECT ${listed.columns('c')}, COALESCE(u.first_name || ' ' || u.last_name, '') AS by,
         (SELECT COUNT(*) FROM renewals n WHERE n.price_change_id = c.id AND n.state IN (:open)) AS announced,
         (SELECT COUNT(*) FROM payment_agreements a WHERE a.price_change_id = c.id AND a.state = 'active') AS charged
       FROM renewal_price_changes c LEFT JOIN users u ON u.id = c.created_by
       WHERE c.publication_id = :publicationId ORDER BY c.id DESC LIMIT :maxListed`,
      { publicationId, maxListed, open: [...openRenewalStates] },
    )
    const changes: RenewalPrice[] = []
    for (const { announced, charged, by, createdAt, ...change } of rows) {
      const reach = change.state === 'open' ? await priceChangeImpact(ctx, change, today) : null
      const setOn = dayOf(createdAt, ctx.settings.timeZone)
      const counts = { announced: Number(announced), charged: Number(charged) }
      changes.push({ ...change, ...counts, setOn, by: by.trim(), reach })
    }
    return { plans: await renewingPlans(ctx, publicationId), changes, isTruncated: rows.length === maxListed }
  },
})

async function renewingPlans({ db }: Pick<AppContext, 'db'>, publicationId: number): Promise<RenewingPlan[]> {
  const rows = await db.query<Omit<RenewingPlan, 'prices'> & { price: number; agreements: number | string }>(
    `SELECT product, term_months AS "termMonths", band, currency, price, COUNT(*) AS agreements FROM payment_agreements
     WHERE publication_id = :publicationId AND state = 'active' GROUP BY product, term_months, band, currency, price
     ORDER BY COUNT(*) DESC, price`,
    { publicationId },
  )
  const plans = new Map<string, RenewingPlan>()
  for (const { price, agreements, ...plan } of rows) {
    const name = `${plan.product}:${plan.termMonths}:${plan.band}`
    const renewing = plans.get(name) ?? { ...plan, prices: [] }
    renewing.prices.push({ price, agreements: Number(agreements) })
    plans.set(name, renewing)
  }
  const sortKey = ({ product, termMonths, band }: RenewingPlan) =>
    products.indexOf(product) * 100 + termLengths.indexOf(termMonths) * 10 + bands.indexOf(band)
  return [...plans.values()].sort((a, b) => sortKey(a) - sortKey(b))
}
