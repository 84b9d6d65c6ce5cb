import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { day, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

/** New prices for automatic renewals: for which plan, which readers, and from which cycle. The storefront's prices are in another table. */
export const RenewalPriceChanges = defineTable('renewal_price_changes', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  product: text<Product>(),
  termMonths: integer<TermMonths>(),
  band: text<Band>(),
  currency: text<Currency>(),
  /** It applies to agreements that were made before this day. Those made later agreed to their own price. */
  contractedBefore: day(),
  /** It applies only to those who pay this until then, in minor units; null for any current price. */
  oldPrice: nullable(integer()),
  /** What each term costs from then on, in minor units. */
  newPrice: integer(),
  /** Terms that end on this day or later are followed by one at the new price. */
  effectiveOn: day(),
  state: text<'open' | 'withdrawn'>(),
  /** Null if not created by a member of staff. */
  createdBy: nullable(ref()),
  withdrawnBy: nullable(ref()),
  withdrawnAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** SQL: whether a change applies to an agreement `a`, regardless of the day; `c` is the alias of the change. */
export function appliesToSql(c: string): string {
  return `${c}.publication_id = a.publication_id AND ${c}.product = a.product AND ${c}.term_months = a.term_months AND ${c}.band = a.band
    AND (a.contract_on IS NULL OR a.contract_on < ${c}.contracted_before) AND (${c}.old_price IS NULL OR ${c}.old_price = a.price)
    AND NOT EXISTS (SELECT 1 FROM renewal_price_changes taken
      WHERE taken.id = a.price_change_id AND (taken.effective_on, taken.id) >= (${c}.effective_on, ${c}.id))`
}

/**
 * SQL: the id of the open change by which the next cycle of an agreement `a` is charged. Of several, the one that takes effect last counts, and of
 * those with the same day the one decided last. A change that set an agreement's current price does not apply a second time, nor does an earlier one.
 */
export const priceChangeSql = `(SELECT c.id FROM renewal_price_changes c
  WHERE c.state = 'open' AND c.effective_on <= a.renews_on AND ${appliesToSql('c')}
  ORDER BY c.effective_on DESC, c.id DESC LIMIT 1)`

/** SQL: the largest effect that a change could have on the price of an agreement `a`, by its plan alone. Where no change is open, nothing is read. */
export const mayChangeSql = `CASE WHEN EXISTS (SELECT 1 FROM renewal_price_changes WHERE state = 'open') AND EXISTS (SELECT 1 FROM renewal_price_changes c WHERE c.state = 'open'
  AND c.publication_id = a.publication_id AND c.product = a.product AND c.term_months = a.term_months AND c.band = a.band)
  THEN 'higher' ELSE 'same' END`

/** The input for a new change of price. */
type DecidedChange = Omit<
  RowOf<typeof RenewalPriceChanges>,
  'id' | 'state' | 'withdrawnBy' | 'withdrawnAt' | 'createdAt' | 'updatedAt'
>

/** Adds a change that applies from now on, and returns its id. */
export async function addChange(ctx: AppContext, change: DecidedChange): Promise<number> {
  return RenewalPriceChanges.insert(ctx, { ...change, state: 'open' })
}

/** Withdraws an open change: renewals already planned with it keep their price. False where it was already withdrawn. */
export async function withdrawChange(ctx: AppContext, id: number, withdrawnBy: number | null): Promise<boolean> {
  const changed = await RenewalPriceChanges.update(
    ctx,
    { id, state: 'open' },
    { state: 'withdrawn', withdrawnBy, withdrawnAt: ctx.now() },
  )
  return changed > 0
}
