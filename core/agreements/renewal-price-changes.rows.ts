import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { Band } from '../pricing/region.rules.ts'
import { day, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'

/** Price changes for automatic renewals: the plan, the readers, and the first cycle. The storefront's prices are in another table. */
export const RenewalPriceChanges = defineTable('renewal_price_changes', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  product: text<Product>(),
  termMonths: integer<TermMonths>(),
  band: text<Band>(),
  currency: text<Currency>(),
  /** It applies to agreements made before this day. Later agreements were made at their own price. */
  contractedBefore: day(),
  /** It applies only to agreements with this current price, in minor units; null: any price. */
  oldPrice: nullable(integer()),
  /** What each term costs from then on, in minor units. */
  newPrice: integer(),
  /** The new price applies to terms that follow one ending on this day or later. */
  effectiveOn: day(),
  state: text<'open' | 'withdrawn'>(),
  /** Null if not created by a member of staff. */
  createdBy: nullable(ref()),
  withdrawnBy: nullable(ref()),
  withdrawnAt: nullable(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** SQL condition: a change applies to an agreement `a`, regardless of the day; `c` is the alias of the change. */
export function appliesToSql(c: string): string {
  return `${c}.publication_id = a.publication_id AND ${c}.product = a.product AND ${c}.term_months = a.term_months AND ${c}.band = a.band
    AND (a.contract_on IS NULL OR a.contract_on < ${c}.contracted_before) AND (${c}.old_price IS NULL OR ${c}.old_price = a.price)
    AND NOT EXISTS (SELECT 1 FROM renewal_price_changes taken
      WHERE taken.id = a.price_change_id AND (taken.effective_on, taken.id) >= (${c}.effective_on, ${c}.id))`
}

/**
 * SQL: the id of the open change that sets the price of an agreement `a` for its next cycle. Of several, the one that takes effect last counts and,
 * on the same day, the one added last. The change that set the current price does not apply again, nor does an earlier one.
 */
export const priceChangeSql = `(SELECT c.id FROM renewal_price_changes c
  WHERE c.state = 'open' AND c.effective_on <= a.renews_on AND ${appliesToSql('c')}
  ORDER BY c.effective_on DESC, c.id DESC LIMIT 1)`

/** SQL: an upper bound for the effect of a change on the price of an agreement `a`, by its plan alone. If no change is open, nothing more is read. */
export const mayChangeSql = `CASE WHEN EXISTS (SELECT 1 FROM renewal_price_changes WHERE state = 'open') AND EXISTS (SELECT 1 FROM renewal_price_changes c WHERE c.state = 'open'
  AND c.publication_id = a.publication_id AND c.product = a.product AND c.term_months = a.term_months AND c.band = a.band)
  THEN 'higher' ELSE 'same' END`

/** The values of a new price change. */
type DecidedChange = Omit<
  RowOf<typeof RenewalPriceChanges>,
  'id' | 'state' | 'withdrawnBy' | 'withdrawnAt' | 'createdAt' | 'updatedAt'
>

/** Adds a change that applies from now on, and returns its id. */
export async function addChange(ctx: AppContext, change: DecidedChange): Promise<number> {
  return RenewalPriceChanges.insert(ctx, { ...change, state: 'open' })
}

/** Withdraws an open change; renewals that were already planned with it keep their price. False if it was already withdrawn. */
export async function withdrawChange(ctx: AppContext, id: number, withdrawnBy: number | null): Promise<boolean> {
  const changed = await RenewalPriceChanges.update(
    ctx,
    { id, state: 'open' },
    { state: 'withdrawn', withdrawnBy, withdrawnAt: ctx.now() },
  )
  return changed > 0
}
