import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { openEnd } from '../kernel/dates.ts'
import { termSql } from '../terms/term.rules.ts'

/** The subscriptions that keep records separate even if they belong to one person. */
export interface SeparateSubscriptions {
  /** The terms of paid subscriptions that run or have not begun yet, by reader. */
  paid: ReadonlyMap<number, PaidTerm>
  /** The readers with an active automatic renewal. */
  renewing: ReadonlySet<number>
}

interface PaidTerm {
  /** Equal for a term that was entered twice: product, days, amount and currency. A term with an open end never equals another. */
  key: string
  /** Whether it was bought here: two orders are two purchases, whatever their days. */
  hasOrder: boolean
}

/** SQL about a row of `readers`: its subscription is paid and runs, or has not begun yet, on the day `:today`. */
const isPaidSql = `sub_type <> '' AND sub_paid > 0 AND NOT (${termSql.over(':today')})`

/** SQL about a row `r` of `readers` whose term is paid: `PaidTerm.key` and `hasOrder`. */
const termKeySql = `CASE WHEN r.sub_end_on = '${openEnd}' THEN CAST(r.id AS TEXT)
  ELSE r.sub_type || ' ' || r.sub_start_on || ' ' || r.sub_end_on || ' ' || r.sub_paid || ' ' || r.sub_currency END`
const hasOrderSql = `EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = r.id)`

/** Which of these readers have a subscription or renewal that a merge may not join with another one. */
export async function separateSubscriptions(
  { db, now, settings }: AppContext,
  readerIds: readonly number[],
): Promise<SeparateSubscriptions> {
  if (readerIds.length === 0) return { paid: new Map(), renewing: new Set() }
  const rows = await db.query<{ id: number; is_paid: unknown; term_key: string; has_order: unknown; renews: unknown }>(
    `SELECT r.id, ${isPaidSql} AS is_paid, ${termKeySql} AS term_key, ${hasOrderSql} AS has_order,
       EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id AND a.state = 'active') AS renews
     FROM readers r WHERE r.id IN (:readerIds)`,
    { readerIds: [...readerIds], today: dayOf(now(), settings.timeZone) },
  )
  return {
    paid: new Map(
      rows
        .filter((row) => asBoolean(row.is_paid))
        .map((row) => [row.id, { key: row.term_key, hasOrder: asBoolean(row.has_order) }]),
    ),
    renewing: new Set(rows.filter((row) => asBoolean(row.renews)).map(({ id }) => id)),
  }
}

/** SQL about a group `g` of likely duplicates: more than one of its readers renews automatically, and a user has to choose which renewal is kept. */
export const needsRenewalChoiceSql = `(SELECT COUNT(*) FROM likely_members n JOIN payment_agreements a ON a.reader_id = n.reader_id
  AND a.state = 'active' WHERE n.group_id = g.id) > 1`

/** SQL about a group `g` of likely duplicates: its readers have several paid subscriptions that run, or have not begun yet, on `:today`. */
export const hasSeveralPaidSql = `(SELECT COUNT(DISTINCT ${termKeySql}) > 1 OR COUNT(CASE WHEN ${hasOrderSql} THEN 1 END) > 1
  FROM likely_members n JOIN readers r ON r.id = n.reader_id WHERE n.group_id = g.id AND ${isPaidSql})`

/**
 * Why these readers cannot be merged, and the possible remedy; null if they can. `renewalOf` is the reader whose automatic renewal is kept, if
 * one was chosen.
 */
export function mergeProblem(
  readerIds: readonly number[],
  { paid, renewing }: SeparateSubscriptions,
  renewalOf?: number,
): { kind: 'paid' | 'renewing'; message: string; hint: string } | null {
  const terms = readerIds.flatMap((id) => paid.get(id) ?? [])
  if (new Set(terms.map(({ key }) => key)).size > 1 || terms.filter(({ hasOrder }) => hasOrder).length > 1)
    return {
      kind: 'paid',
      message: 'More than one of these readers has a running paid subscription: one record cannot hold both',
      hint: 'Keep them as separate readers. They can be merged once all but one of the subscriptions have ended, or if the same type, days and amount were entered twice by mistake.',
    }
  if (renewalOf === undefined && readerIds.filter((id) => renewing.has(id)).length > 1)
    return {
      kind: 'renewing',
      message: 'More than one of these readers renews automatically: one record would be charged twice',
      hint: 'Choose under Likely duplicates which automatic renewal to keep, or turn all but one off.',
    }
  return null
}
