import type { AppContext } from '../context.ts'
import type { Currency } from '../kernel/money.ts'
import { LedgerCloseStates } from './ledger-close-states.rows.ts'
import { closesInForce } from './ledger-closes.rows.ts'
import type { LedgerProduct } from './ledger-products.rules.ts'
import { lastDayOf, type Month } from './months.rules.ts'
import { computedRows, frozenRows, type ScheduleRow } from './schedule.query.ts'
import { scheduleParts } from './schedule-parts.rules.ts'

/** A figure of a closed month that differs from the ledger now, in minor units. */
export interface ClosedMonthDifference {
  publisherId: number
  month: Month
  currency: Currency
  publicationId: number
  product: LedgerProduct
  figure: (typeof scheduleParts)[number]
  frozen: number
  recomputed: number
}

/** The parts of a context that the comparison needs: `doctor` has no complete context. */
export type ClosedMonthsContext = Pick<AppContext, 'db'> & { settings: Pick<AppContext['settings'], 'timeZone'> }

/** Compares the frozen figures of every closed month, of one publisher or of all, with the ledger. Empty: they agree. */
export async function closedMonthDifferences(
  ctx: ClosedMonthsContext,
  filter: { publisherId?: number | undefined } = {},
): Promise<ClosedMonthDifference[]> {
  const states = await LedgerCloseStates.rows(
    ctx,
    `SELECT ${LedgerCloseStates.columns()} FROM ledger_close_states WHERE closed_until IS NOT NULL
     ${filter.publisherId === undefined ? '' : 'AND publisher_id = :publisherId'} ORDER BY publisher_id`,
    { publisherId: filter.publisherId ?? null },
  )
  const differences: ClosedMonthDifference[] = []
  for (const { publisherId } of states) {
    const closes = [...(await closesInForce(ctx, publisherId)).values()]
    const months = closes.map(({ month }) => month).sort()
    const last = months.at(-1)
    if (last === undefined) continue
    const frozen = await frozenRows(ctx, { closes, publicationId: undefined })
    const recomputed = await computedRows(ctx, { publisherId, months, asOf: lastDayOf(last), isFromEntries: true })
    differences.push(...differencesOf(frozen, recomputed).map((difference) => ({ publisherId, ...difference })))
  }
  return differences
}

function differencesOf(
  frozen: readonly ScheduleRow[],
  recomputed: readonly ScheduleRow[],
): Omit<ClosedMonthDifference, 'publisherId'>[] {
  const keyOf = ({ month, currency, publicationId, product }: ScheduleRow) =>
    [month, currency, publicationId, product].join(' ')
  const pairs = new Map<string, { frozen?: ScheduleRow; recomputed?: ScheduleRow }>()
  for (const row of frozen) pairs.set(keyOf(row), { frozen: row })
  for (const row of recomputed) pairs.set(keyOf(row), { ...pairs.get(keyOf(row)), recomputed: row })
  return [...pairs.values()].flatMap((pair) => {
    const { month, currency, publicationId, product } = (pair.frozen ?? pair.recomputed) as ScheduleRow
    return scheduleParts.flatMap((figure) => {
      const frozen = pair.frozen?.[figure] ?? 0
      const recomputed = pair.recomputed?.[figure] ?? 0
      return frozen === recomputed ? [] : [{ month, currency, publicationId, product, figure, frozen, recomputed }]
    })
  })
}
