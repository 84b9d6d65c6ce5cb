import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { addDays, dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defineTable, integer, nullable, ref, text } from '../table.ts'
import type { SubType } from '../terms/term.rules.ts'
import { readersChanged } from './reader-editions.rows.ts'

/** Why the state of a reader's record ended. A term that ran to its last day has no reason. */
export const termEnds = ['changed', 'deactivated', 'removed', 'replaced', 'merged', 'reversed', 'undone'] as const
export type TermEnd = (typeof termEnds)[number]

/**
 * Who was sent the magazine, on what terms, on which days: one row for each period in which a reader's record said so, without personal data. It
 * outlives the record. Circulation of any day is counted from it: `activeFrom` and `activeUntil` are the days on which a row counts, and
 * those of one reader never overlap.
 */
export const CirculationTerms = defineTable('circulation_terms', {
  publicationId: ref(),
  readerId: ref(),
  knownOn: day(),
  product: text<SubType>(),
  /** Minor units; null is free. */
  amount: nullable(integer()),
  currency: nullable(text<Currency>()),
  country: text(),
  startsOn: day(),
  endsOn: day(),
  activeFrom: day(),
  activeUntil: day(),
  endedOn: nullable(day()),
  endedWhy: nullable(text<TermEnd>()),
})

interface TermChange {
  publicationId: number
  today: Day
  /** The readers, as an SQL condition on the column that has their numbers. */
  which: (readerId: string) => string
  /** The end reason for readers whose record no longer exists. */
  endReason?: TermEnd
  /** The end reason for the other readers. */
  changed?: TermEnd
}

const columns =
  'publication_id, reader_id, known_on, product, amount, currency, country, starts_on, ends_on, active_from, active_until'

/**
 * The statements that update the terms of these readers to match their records, for writers with a separate connection; run in this order
 * in the transaction that wrote the readers. A change that is reverted on the same day leaves no row: the end of the day counts.
 */
export function termChangeSql({ publicationId, today, ...change }: TermChange): string[] {
  const days = { today: `'${today}'`, yesterday: `'${addDays(today, -1)}'` }
  return changeSql({ ...change, ...days, publication: String(publicationId) })
}

/** The changed records, with their values as SQL. */
interface SqlChange extends Pick<TermChange, 'which' | 'endReason' | 'changed'> {
  publication: string
  today: string
  yesterday: string
}

function changeSql(change: SqlChange): string[] {
  const { publication, today, yesterday, which, endReason = 'removed', changed = 'changed' } = change
  const isOpenSql = `publication_id = ${publication} AND ${which('reader_id')} AND ended_on IS NULL`
  const reader = `FROM readers r WHERE r.id = circulation_terms.reader_id`
  const isSameSql = `EXISTS (SELECT 1 ${reader} AND NOT r.is_deleted AND r.sub_type = circulation_terms.product
    AND r.sub_start_on = circulation_terms.starts_on AND r.sub_end_on = circulation_terms.ends_on AND r.country = circulation_terms.country
    AND r.sub_paid IS NOT DISTINCT FROM circulation_terms.amount
    AND (r.sub_paid IS NULL OR r.sub_currency = circulation_terms.currency))`
  return [
    `DELETE FROM circulation_terms WHERE ${isOpenSql} AND known_on >= ${today} AND NOT ${isSameSql}`,
    `UPDATE circulation_terms SET ended_on = ${today},
       active_until = CASE WHEN active_until < ${yesterday} THEN active_until ELSE ${yesterday} END,
       ended_why = COALESCE((SELECT CASE WHEN r.is_deleted THEN 'deactivated' ELSE '${changed}' END ${reader}), '${endReason}')
     WHERE ${isOpenSql} AND NOT ${isSameSql}`,
    `${beginSql(change)}
      AND NOT EXISTS (SELECT 1 FROM circulation_terms t WHERE t.publication_id = r.publication_id AND t.reader_id = r.id AND t.ended_on IS NULL)
      ${reopenSql}`,
  ]
}

/** For a clock that went back: a row that is known from this day may have ended on a later one, and is reopened. */
const reopenSql = `ON CONFLICT (publication_id, reader_id, known_on) DO UPDATE SET ended_on = NULL, ended_why = NULL, ${[
  'product',
  'amount',
  'currency',
  'country',
  'starts_on',
  'ends_on',
  'active_from',
  'active_until',
]
  .map((column) => `${column} = excluded.${column}`)
  .join(', ')}`

/** The only statement needed for readers who were just added. */
export function beginTermsSql({ publicationId, today, which }: TermChange): string {
  return beginSql({ publication: String(publicationId), today: `'${today}'`, which })
}

function beginSql({ publication, today, which }: Pick<SqlChange, 'publication' | 'today' | 'which'>): string {
  // The plus sign makes SQLite use the readers' ids: by an index of the publication it would scan all its readers.
  return termsSql(today, `+r.publication_id = ${publication} AND ${which('r.id')}`)
}

/** A row for each reader with a subscription that had not ended on the day it is known from. */
function termsSql(knownOn: string, which: string): string {
  return `INSERT INTO circulation_terms (${columns})
    SELECT r.publication_id, r.id, ${knownOn}, r.sub_type, r.sub_paid, CASE WHEN r.sub_paid IS NULL THEN NULL ELSE r.sub_currency END, r.country,
      r.sub_start_on, r.sub_end_on, CASE WHEN r.sub_start_on > ${knownOn} THEN r.sub_start_on ELSE ${knownOn} END, r.sub_end_on
    FROM readers r
    WHERE ${which} AND NOT r.is_deleted AND r.sub_type <> '' AND r.sub_end_on >= ${knownOn} AND r.sub_start_on <= r.sub_end_on`
}

/** Begins terms as if each reader of a publication had been known since the day it was created: for the demo data, which has a history. */
export function beginTermsAtCreationSql({ dialect }: Pick<AppContext['db'], 'dialect'>, publicationId: number): string {
  const createdOn = dialect === 'sqlite' ? 'SUBSTR(r.created_at, 1, 10)' : 'CAST(r.created_at AS DATE)'
  return termsSql(createdOn, `r.publication_id = ${publicationId}`)
}

/**
 * Records that subscriptions or countries of these readers changed, or that they were added or removed. Call it at the end of the
 * transaction that wrote them, in place of `readersChanged`.
 */
export async function termsChanged(
  ctx: Pick<AppContext, 'db' | 'now' | 'settings'>,
  publicationId: number,
  readerIds: readonly number[],
  why: Pick<TermChange, 'endReason' | 'changed'> = {},
): Promise<void> {
  const today = dayOf(ctx.now(), ctx.settings.timeZone)
  const which = (readerId: string) => `${readerId} IN (:readerIds)`
  // Named parameters: the statements never differ, and stay prepared.
  const sql = { publication: ':publicationId', today: ':today', yesterday: ':yesterday', which }
  const values = { publicationId, readerIds, today, yesterday: addDays(today, -1) }
  await awaitAll(
    ...changeSql({ ...sql, ...why }).map((statement) => ctx.db.run(statement, values)),
    readersChanged(ctx.db, publicationId),
  )
}
