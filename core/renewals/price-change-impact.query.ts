import { noticeOf, priceStep, type UpcomingCharge } from '../agreements/notice-days.rules.ts'
import { appliesToSql, type RenewalPriceChanges } from '../agreements/renewal-price-changes.rows.ts'
import { openRenewalStates } from '../agreements/renewal-states.rules.ts'
import type { AppContext } from '../context.ts'
import { typedValue, type ValueType } from '../dialect.ts'
import { addDays, addMonths } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { RowOf } from '../table.ts'

/** The part of a price change that determines whom it affects. */
export type PriceChange = Pick<
  RowOf<typeof RenewalPriceChanges>,
  'publicationId' | 'product' | 'termMonths' | 'band' | 'contractedBefore' | 'oldPrice' | 'newPrice' | 'effectiveOn'
>

/** The readers affected by a price change who have not been told of it yet. Amounts are minor units of the plan's currency. */
export interface PriceChangeImpact {
  agreements: number
  /** The prices they pay until then, the most frequent price first. */
  prices: { price: number; agreements: number }[]
  /** How much more they pay in total for one term each; negative if the new price is lower. */
  difference: number
  /** The number of readers who already pay the new price. */
  unchanged: number
  /** The first charge at the new price, and the first notice of one; null if no reader is affected. */
  firstChargeOn: Day | null
  firstNoticeOn: Day | null
}

interface Group {
  renewsOn: Day
  price: number
  isPlanned: number
  agreements: number | string
}

/** No row has this id: an undecided change sorts after all decided ones. */
const notDecided = Number.MAX_SAFE_INTEGER

/** The readers whom a change would affect, or still affects, as of a day; a decided one is given by its id. */
export async function priceChangeImpact(
  ctx: Pick<AppContext, 'db'>,
  change: PriceChange & { id?: number },
  today: Day,
): Promise<PriceChangeImpact> {
  const { db } = ctx
  const { id = notDecided, publicationId, product, termMonths, band, contractedBefore, oldPrice, effectiveOn } = change
  const columns = {
    id: 'id',
    publication_id: 'id',
    product: 'text',
    term_months: 'integer',
    band: 'text',
    contracted_before: 'day',
    old_price: 'id',
    effective_on: 'day',
  } satisfies Record<string, ValueType>
  const list = Object.entries(columns).map(([name, type]) => `${typedValue(db, `:${name}`, type)} AS ${name}`)
  const groups = await db.query<Group>(
    `SELECT a.renews_on AS "renewsOn", a.price, CASE WHEN n.id IS NULL THEN 0 ELSE 1 END AS "isPlanned", COUNT(*) AS agreements
     FROM (SELECT ${list.join(', ')}) c JOIN payment_agreements a ON ${appliesToSql('c')}
       LEFT JOIN renewals n ON n.agreement_id = a.id AND n.state IN (:open)
     WHERE a.state = 'active' AND (n.price_change_id IS NULL OR n.price_change_id <> c.id)
       AND NOT EXISTS (SELECT 1 FROM renewal_price_changes later
         WHERE later.state = 'open' AND (later.effective_on, later.id) > (c.effective_on, c.id)
           AND (later.effective_on <= a.renews_on OR later.effective_on <= c.effective_on) AND ${appliesToSql('later')})
     GROUP BY a.renews_on, a.price, CASE WHEN n.id IS NULL THEN 0 ELSE 1 END`,
    {
      id,
      publication_id: publicationId,
      product,
      term_months: termMonths,
      band,
      contracted_before: contractedBefore,
      old_price: oldPrice,
      effective_on: effectiveOn,
      open: [...openRenewalStates],
    },
  )
  return impactOf(change, groups, today)
}

/** One country of each band: how early a notice is sent depends on the country. */
const countryOf = { UK: 'GB', US: 'US', EU: '' } as const

function impactOf(
  { newPrice, termMonths, band, effectiveOn }: PriceChange,
  groups: Group[],
  today: Day,
): PriceChangeImpact {
  const counts = new Map<number, number>()
  const days: { cycleOn: Day; noticeOn: Day }[] = []
  let unchanged = 0
  for (const { renewsOn, price, isPlanned, agreements } of groups) {
    if (price === newPrice) {
      unchanged += Number(agreements)
      continue
    }
    counts.set(price, (counts.get(price) ?? 0) + Number(agreements))
    const cycleOn = firstCycle(renewsOn, termMonths, { effectiveOn, isPlanned: Number(isPlanned) === 1 })
    const charge: UpcomingCharge = {
      country: countryOf[band],
      termMonths,
      isDebit: false,
      contractOn: null,
      cycleOn,
      price: priceStep(newPrice, price),
    }
    days.push({ cycleOn, noticeOn: addDays(cycleOn, -(noticeOf(charge)?.usual ?? 0)) })
  }
  const firstChargeOn = days.map(({ cycleOn }) => cycleOn).sort()[0] ?? null
  const firstNoticeOn = days.map(({ noticeOn }) => (noticeOn < today ? today : noticeOn)).sort()[0] ?? null
  const prices = [...counts].map(([price, agreements]) => ({ price, agreements }))
  return {
    agreements: prices.reduce((sum, { agreements }) => sum + agreements, 0),
    prices: prices.sort((a, b) => b.agreements - a.agreements || a.price - b.price),
    difference: prices.reduce((sum, { price, agreements }) => sum + (newPrice - price) * agreements, 0),
    unchanged,
    firstChargeOn,
    firstNoticeOn,
  }
}

/** The first cycle from the effective day on. A cycle that is already planned keeps its price. */
function firstCycle(
  renewsOn: Day,
  termMonths: number,
  { effectiveOn, isPlanned }: { effectiveOn: Day; isPlanned: boolean },
): Day {
  let terms = isPlanned ? 1 : 0
  while (addMonths(renewsOn, terms * termMonths) < effectiveOn) terms++
  return addMonths(renewsOn, terms * termMonths)
}
