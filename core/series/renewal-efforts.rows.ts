import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'
import { type Effort, type EffortChannel, shippedSeries } from './series.rules.ts'

/** The efforts of publications that have their own series: at most one on each day before or after the end. */
export const RenewalEfforts = defineTable('renewal_efforts', {
  id: id(),
  publicationId: ref(),
  /** Days after the last day of the subscription; negative: before it. */
  dayOffset: integer(),
  channel: text<EffortChannel>(),
  /** Empty: the publication's template for renewals; without one, the standard text. */
  subject: defaulted(text()),
  body: defaulted(text()),
  /** The second text of a test; both empty if there is none. */
  subjectB: defaulted(text()),
  bodyB: defaulted(text()),
  /** The plan that the link offers; null: the reader's current plan. */
  offerProduct: nullable(text<Product>()),
  offerTermMonths: nullable(integer<TermMonths>()),
  /** The discount, by a promo code for one reader and one use. */
  offerPercent: nullable(integer()),
  /** A special price in minor units, for each currency it applies to. */
  offerPrices: nullable(json<Partial<Record<Currency, number>>>()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The efforts of a publication, earliest first: its own, or the default series. */
export async function effortsOf(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, hasOwnEfforts }: { publicationId: number; hasOwnEfforts: boolean },
): Promise<readonly Effort[]> {
  if (!hasOwnEfforts) return shippedSeries
  return RenewalEfforts.rows(
    ctx,
    `SELECT ${RenewalEfforts.columns()} FROM renewal_efforts WHERE publication_id = :publicationId ORDER BY day_offset`,
    { publicationId },
  )
}

/** Replaces all efforts of a publication. Call it in a transaction that locks the series. */
export async function replaceEfforts(
  ctx: AppContext,
  publicationId: number,
  efforts: readonly Effort[],
): Promise<void> {
  await RenewalEfforts.remove(ctx, { publicationId })
  for (const effort of efforts) await RenewalEfforts.insert(ctx, { publicationId, ...effort })
}
