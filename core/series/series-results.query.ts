import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { yearMonth } from '../dialect.ts'
import { addMonths, dayOf } from '../kernel/calendar.ts'
import type { Currency } from '../kernel/money.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { abTestResult, type Interval, wilson } from './interval.rules.ts'
import type { EffortChannel, EffortKind } from './series.rules.ts'

/**
 * The results of an effort among the readers whose subscription ends in a month. A renewal is attributed to the effort whose link was used, or else
 * to the last effort before its order.
 */
export interface EffortResults {
  /** The month in which the subscriptions end, such as `2027-06`. */
  month: string
  dayOffset: number
  variant: 'a' | 'b'
  kind: EffortKind
  channel: EffortChannel
  /** Readers the effort was planned for, and those whose email the mail server accepted or whose letter was produced. */
  planned: number
  sent: number
  /** Links that were opened. */
  opened: number
  renewed: number
  /** The revenue of the renewal orders, without those that were refunded in full, in minor units. */
  money: { currency: Currency; amount: number }[]
}

/** A test of two texts, over all months shown. */
export interface TextTest {
  dayOffset: number
  a: { sent: number; renewed: number; share: Interval | null }
  b: { sent: number; renewed: number; share: Interval | null }
  /** The 95% confidence interval of the difference between the shares that renewed, the first text's minus the second's. */
  difference: Interval | null
  /** Null: not significant yet. */
  better: 'a' | 'b' | null
}

/** How many months are shown before and after the current one; months to come are shown because efforts are also sent before the end. */
const monthsBack = 13
const monthsAhead = 3

/**
 * The results of a title's efforts, by the month in which the subscriptions end (latest first) and by effort, and those of its tests of two texts.
 */
export const seriesResults = useCase({
  permission: 'renewal:read',
  input: z.object({ publicationId: z.coerce.number('Must be a number').int() }),
  transaction: 'none',
  async run(ctx, input): Promise<{ efforts: EffortResults[]; tests: TextTest[] }> {
    const { id } = await ownPublication(ctx, { id: input.publicationId })
    const efforts = await resultRows(ctx, id)
    return { efforts, tests: testsOf(efforts) }
  },
})

async function resultRows(ctx: AppContext, publicationId: number): Promise<EffortResults[]> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const month = yearMonth(ctx.db, 'e.cycle_on')
  const rows = await ctx.db.query<Omit<EffortResults, 'money'> & { currency: Currency | null; amount: number | null }>(
    `SELECT ${month} AS month, e.day_offset AS "dayOffset", e.variant, e.kind, e.channel, COUNT(*) AS planned,
       SUM(CASE WHEN e.state = 'produced' OR m.state = 'sent' THEN 1 ELSE 0 END) AS sent,
       SUM(CASE WHEN e.opened_at IS NOT NULL THEN 1 ELSE 0 END) AS opened,
       SUM(CASE WHEN o.id IS NOT NULL THEN 1 ELSE 0 END) AS renewed, o.currency, SUM(o.amount) AS amount
     FROM reader_efforts e LEFT JOIN orders o ON o.id = e.order_id AND o.state = 'paid'
       LEFT JOIN emails m ON m.email_key = 'renewal-effort:' || COALESCE(e.together_with, e.id)
     WHERE e.publication_id = :publicationId AND e.cycle_on >= :from AND e.cycle_on < :before AND e.blanket_id IS NULL AND e.state <> 'skipped'
     GROUP BY 1, 2, 3, 4, 5, o.currency ORDER BY 1 DESC, 2, 3`,
    {
      publicationId,
      from: `${addMonths(today, -monthsBack).slice(0, 7)}-01`,
      before: addMonths(`${today.slice(0, 7)}-01`, monthsAhead + 1),
    },
  )
  const efforts = new Map<string, EffortResults>()
  for (const { currency, amount, ...row } of rows) {
    const key = [row.month, row.dayOffset, row.variant, row.kind, row.channel].join(' ')
    const effort = efforts.get(key) ?? { ...row, planned: 0, sent: 0, opened: 0, renewed: 0, money: [] }
    efforts.set(key, effort)
    for (const count of ['planned', 'sent', 'opened', 'renewed'] as const) effort[count] += Number(row[count])
    if (currency !== null) effort.money.push({ currency, amount: Number(amount) })
  }
  return [...efforts.values()]
}

function testsOf(efforts: readonly EffortResults[]): TextTest[] {
  const tested = [...new Set(efforts.filter(({ variant }) => variant === 'b').map(({ dayOffset }) => dayOffset))]
  return tested.map((dayOffset) => {
    const sumOf = (variant: 'a' | 'b') => {
      const matching = efforts.filter((effort) => effort.dayOffset === dayOffset && effort.variant === variant)
      const sum = (count: 'sent' | 'renewed') => matching.reduce((total, effort) => total + effort[count], 0)
      return { hits: Math.min(sum('renewed'), sum('sent')), total: sum('sent') }
    }
    const a = sumOf('a')
    const b = sumOf('b')
    return {
      dayOffset,
      a: { sent: a.total, renewed: a.hits, share: wilson(a) },
      b: { sent: b.total, renewed: b.hits, share: wilson(b) },
      ...abTestResult(a, b),
    }
  })
}
