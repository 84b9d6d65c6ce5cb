import type { AppContext } from '../context.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { TermMonths } from '../pricing/plan-code.rules.ts'
import { shiftedLastDay } from '../terms/term.rules.ts'

/** A term that an order paid for. */
export interface PaidTerm {
  startOn: Day
  endOn: Day
  /** Null until further notice. */
  termMonths: TermMonths | null
}

/**
 * The value of `paidEndOn` after another paid term: null if the term begins directly after what was paid, or by today. If it begins later, the record
 * had an end that no order paid for and that may still be corrected; the result is then the day until which the agreement is really paid.
 */
export async function paidEndAfter(
  ctx: AppContext,
  { readerId, renewsOn, paidEndOn }: { readerId: number | null; renewsOn: Day; paidEndOn: Day | null },
  { startOn, termMonths }: PaidTerm,
): Promise<Day | null> {
  const paidUntil = paidEndOn ?? renewsOn
  const isUnpaidBefore = startOn > addDays(paidUntil, 1) && startOn > dayOf(ctx.now(), ctx.settings.timeZone)
  return isUnpaidBefore && termMonths !== null ? paidEndMoved(ctx, readerId, paidUntil, termMonths) : null
}

/** The day until which an agreement is paid, moved by some months (back if negative), as the reader's record counts them. */
export async function paidEndMoved(
  { db }: Pick<AppContext, 'db'>,
  readerId: number | null,
  paidUntil: Day,
  months: number,
): Promise<Day> {
  const [record] = await db.query<{ subStartOn: Day; subAnchorDay: number | null }>(
    `SELECT sub_start_on AS "subStartOn", sub_anchor_day AS "subAnchorDay" FROM readers WHERE id = :readerId`,
    { readerId },
  )
  return shiftedLastDay(paidUntil, months, record ?? { subStartOn: paidUntil, subAnchorDay: null })
}
