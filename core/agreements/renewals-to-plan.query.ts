import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { type Db, greatest, typedValue } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { noticeSql } from './notice-days.query.ts'
import { maxNoticeDays, minLeadDays, noticeRules, unannouncedLeadDays } from './notice-days.rules.ts'
import { mayChangeSql, priceChangeSql } from './renewal-price-changes.rows.ts'
import { narrowedTo, type RenewalScope } from './renewal-scope.query.ts'
import { openRenewalStates } from './renewal-states.rules.ts'

/** A batch of agreements whose next renewal is to be planned, as comma-separated ids, which need less memory than numbers. */
export interface AgreementsToPlan {
  ids: string
  /** The agreements whose reader's record already has a later end; null if there are none. */
  extended: string | null
  /** The agreements whose renewal of this cycle, or of that later end, was cancelled; null if there are none. */
  cancelled: string | null
}

/**
 * Agreements whose renewal is to be announced by a day and that have no renewal for this cycle, or a cancelled one, in batches of `batch`, ordered by
 * id. Reads only, without a lock, and all batches in one query: with one query per batch, PostgreSQL would scan the whole day each time.
 */
export async function agreementsToPlan(
  { db }: Pick<AppContext, 'db'>,
  { on, batch, ...scope }: { on: Day; batch: number } & RenewalScope,
): Promise<AgreementsToPlan[]> {
  // An index-only scan; while no agreement is due, nothing else is read. The due agreements are then read in their physical order.
  const mayBeDueSql = `a.renews_on <= ${latestEndSql(db, { ...charge, country: null, price: mayChangeSql })}`
  const near = `SELECT a.id FROM payment_agreements a
    WHERE a.state = 'active' AND a.renews_on <= :latest AND (a.renews_on <= :surely OR ${mayBeDueSql}) AND ${noOpenRenewalSql('a')} ORDER BY +a.id`
  const { sql, values } = upcomingSql(db, {
    on,
    scope,
    columns: `CAST(a.id AS TEXT) AS id, r.sub_end_on > a.renews_on AS is_extended,
      ${cancelledSql(db, 'x.state')} IS NOT NULL AS is_cancelled, ROW_NUMBER() OVER (ORDER BY a.id) - 1 AS place`,
    from: 'near CROSS JOIN payment_agreements a',
    where: `a.id = near.id AND (r.sub_end_on > a.renews_on OR ${isNewCycleSql})`,
  })
  return db.query<AgreementsToPlan>(
    `WITH near AS MATERIALIZED (${near}), coming AS (${sql})
     SELECT STRING_AGG(id, ',') AS ids, STRING_AGG(CASE WHEN is_extended THEN id END, ',') AS extended,
       STRING_AGG(CASE WHEN is_cancelled THEN id END, ',') AS cancelled
     FROM coming GROUP BY place / :batch ORDER BY place / :batch`,
    { ...values, batch, latest: addDays(on, maxNoticeDays), surely: addDays(on, minLeadDays) },
  )
}

// A subquery instead of a join makes PostgreSQL look up each agreement in the index. While the first renewals are being planned, the statistics say
// that the table is empty, and a join might scan all renewals for each agreement.
export const isNewCycleSql = `(SELECT x.agreement_id FROM renewals x WHERE x.agreement_id = a.id AND x.cycle_on = a.renews_on AND x.state <> 'cancelled') IS NULL`

/** SQL: a column of the cancelled renewal `x` of the cycle that an agreement `a` is at, or moves to with the record of its reader `r`. */
export const cancelledSql = (db: Db, column: string) =>
  `(SELECT ${column} FROM renewals x WHERE x.agreement_id = a.id AND x.cycle_on = ${greatest(db, ['a.renews_on', 'r.sub_end_on'])}
     AND x.state = 'cancelled')`

/** SQL condition: an agreement with this alias has no open renewal (it has at most one). Parameter: `open`. */
export const noOpenRenewalSql = (a: string) =>
  `(SELECT x.agreement_id FROM renewals x WHERE x.agreement_id = ${a}.id AND x.state IN (:open)) IS NULL`

/** The facts of an agreement's next charge, as expressions in the statement of `upcomingSql`. */
export const charge = {
  country: `COALESCE(NULLIF(r.country, ''), c.country, '')`,
  termMonths: 'a.term_months',
  isDebit: `a.provider = 'stripe-bacs'`,
  price: `CASE WHEN d.new_price > a.price THEN 'higher' WHEN d.new_price < a.price THEN 'lower' ELSE 'same' END`,
  contractOn: 'a.contract_on',
  cycleOn: 'a.renews_on',
}

/** SQL: the latest end of a term whose renewal must be planned by now. Parameters: `upcomingDays`. */
function latestEndSql(db: Db, facts: Parameters<typeof noticeSql>[1]): string {
  return noticeSql(db, facts, 'usual', (days) => typedValue(db, `:${upcomingDay(days)}`, 'day'))
}

const upcomingDay = (days: number) => `in${days < 0 ? unannouncedLeadDays : days}`

/** The parameters of `latestEndSql`, computed once instead of for every row. */
function upcomingDays(on: Day): Record<string, Day> {
  const leadDays = [unannouncedLeadDays, ...noticeRules.map(({ days }) => days.usual)]
  return Object.fromEntries(leadDays.map((days) => [upcomingDay(days), addDays(on, days)]))
}

/** SQL condition: renewals are planned, since neither the title `p`, the publisher `u` nor the reader `r` is removed or deactivated. */
export const isPlannedForSql = 'p.removed_at IS NULL AND u.is_active AND NOT r.is_deleted'

/** SQL: a SELECT of these columns for active agreements without an open renewal whose next renewal is to be planned. */
export function upcomingSql(
  db: Db,
  { on, scope, columns, from, where }: { on: Day; scope: RenewalScope; columns: string; from: string; where: string },
): { sql: string; values: SqlValues } {
  const narrow = narrowedTo(scope, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  return {
    sql: `SELECT ${columns}
         FROM ${from} JOIN publications p ON p.id = a.publication_id JOIN users u ON u.id = p.publisher_id
           JOIN buyers b ON b.id = a.buyer_id JOIN readers r ON r.id = a.reader_id
           LEFT JOIN accounts c ON c.user_id = p.publisher_id LEFT JOIN renewal_settings s ON s.publication_id = a.publication_id
           LEFT JOIN renewal_price_changes d ON d.id = ${priceChangeSql}
         WHERE a.state = 'active' AND ${isPlannedForSql} AND ${noOpenRenewalSql('a')}
           AND ${where} AND a.renews_on <= ${latestEndSql(db, charge)}${narrow.sql}`,
    values: { open: [...openRenewalStates], ...upcomingDays(on), ...narrow.values },
  }
}
