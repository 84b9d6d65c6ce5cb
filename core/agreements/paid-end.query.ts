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
 * The day until which an agreement is paid after another term, for `paidEndOn`: null where the term begins directly after what was paid, or today. One
 * that begins later follows an end of the record that no order paid for, and which may yet be corrected.
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

/** The day that is some months after the one until which an agreement is paid (negative: before it), for the reader's record. */
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
