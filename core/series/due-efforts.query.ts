import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import { type Db, daysAfter, typedValue } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { isGiftSql } from '../readers/readers.rows.ts'
import {
  caseSql,
  dayValues,
  type ExclusionReason,
  exclusionTexts,
  paidFor,
  spacingSql,
  stopSql,
} from './exclusions.query.ts'
import { catchUpDays, type Effort, effortKind, endsDue, lastReminder } from './series.rules.ts'

/** A series of one publication, and the day for which its due efforts are wanted. */
export interface DueQuery {
  publicationId: number
  efforts: readonly Effort[]
  on: Day
  /** `on` is in the future: efforts of earlier days are ignored, since they will have been sent by then. */
  isFuture?: boolean
}

/**
 * The CTEs `near`, one row per reader and due effort, and `checked`, the rows of `near` that have not been planned yet, each with the reason for
 * leaving it out, or null.
 */
function checkedSql(
  db: Db,
  { publicationId, efforts, on, isFuture = false }: DueQuery,
  { ids, columns = '' }: { ids?: readonly number[]; columns?: string },
): { sql: string; values: SqlValues } {
  const values: SqlValues = { publicationId, ...dayValues(on), ...(ids ? { ids: [...ids] } : {}) }
  const parts = efforts.flatMap((effort, index) => {
    const { from, until } = endsDue(effort, on, isFuture ? 1 : catchUpDays)
    if (from > until) return []
    values[`from${index}`] = from
    values[`until${index}`] = until
    return [
      `SELECT id, ${effort.dayOffset} AS day_offset FROM readers WHERE publication_id = :publicationId
         AND sub_end_on >= ${typedValue(db, `:from${index}`, 'day')} AND sub_end_on <= ${typedValue(db, `:until${index}`, 'day')} AND sub_type <> ''
         ${ids ? 'AND id IN (:ids)' : ''}`,
    ]
  })
  const isEffortSql = (test: (effort: Effort) => boolean) => {
    const offsets = efforts.filter(test).map(({ dayOffset }) => dayOffset)
    return offsets.length === 0 ? '1 = 0' : `n.day_offset IN (${offsets.join(', ')})`
  }
  const last = lastReminder(efforts)
  const isLastReminderSql = last === null ? '1 = 0' : `n.day_offset = ${last}`
  const isLetterSql = isEffortSql(({ channel }) => channel === 'letter')
  // Efforts about a gift go to the giver, except the last reminder, and all of them if the giver is unknown. The buyer gets emails for a reader
  // without an address.
  const isToBuyerSql = `b.id IS NOT NULL AND ((r.email = '' AND NOT (${isLetterSql})) OR (NOT (${isLastReminderSql}) AND ${isGiftSql}))`
  const email = `CASE WHEN ${isToBuyerSql} THEN b.email ELSE r.email END`
  const emailKey = `CASE WHEN ${isToBuyerSql} THEN b.email_key ELSE r.key_email END`
  const reasons = [
    ...stopSql(db, {
      endsOn: 'r.sub_end_on',
      effortOn: daysAfter(db, 'r.sub_end_on', 'n.day_offset'),
      isOfferSql: isEffortSql((effort) => effortKind(effort) === 'offer'),
      isLetterSql,
      isToBuyerSql,
      email,
      emailKey,
    }),
    ...spacingSql(isToBuyerSql),
  ]
  const near = parts.length === 0 ? `SELECT id, 0 AS day_offset FROM readers WHERE 1 = 0` : parts.join('\nUNION ALL ')
  return {
    sql: `near AS MATERIALIZED (${near}), checked AS MATERIALIZED (
      SELECT r.id, n.day_offset, r.sub_end_on, ${isToBuyerSql} AS is_to_buyer, ${email} AS email, ${emailKey} AS email_key,
        ${caseSql(reasons)} AS exclusion${columns}
      FROM near n JOIN readers r ON r.id = n.id LEFT JOIN buyers b ON b.id = r.buyer_id
      WHERE NOT EXISTS (SELECT 1 FROM reader_efforts e WHERE e.reader_id = r.id AND e.cycle_on = r.sub_end_on AND e.day_offset = n.day_offset
        AND e.blanket_id IS NULL))`,
    values,
  }
}

/**
 * The readers who are to get something on a day, in batches of `batchSize` people, each as comma-separated ids. All records of one person are in the
 * same batch. Reads only, without a lock.
 */
export async function dueReaders(ctx: Pick<AppContext, 'db'>, due: DueQuery, batchSize: number): Promise<string[]> {
  const { sql, values } = checkedSql(ctx.db, due, {})
  const rows = await ctx.db.query<{ ids: string }>(
    `WITH ${sql}, placed AS (
       SELECT id, DENSE_RANK() OVER (ORDER BY COALESCE(NULLIF(email_key, ''), CAST(id AS TEXT))) - 1 AS place
       FROM checked WHERE exclusion IS NULL)
     SELECT STRING_AGG(CAST(id AS TEXT), ',') AS ids FROM placed GROUP BY place / :batchSize ORDER BY place / :batchSize`,
    { ...values, batchSize },
  )
  return rows.map(({ ids }) => ids)
}

/** One effort that is due for one reader, with the data to plan it. */
export interface DueEffort {
  readerId: number
  dayOffset: number
  cycleOn: Day
  isToBuyer: boolean
  email: string
  exclusion: ExclusionReason | null
  /** Empty: the publisher's country. */
  country: string
  product: Product
  /** The term of the last order; null if nothing was bought here. */
  termMonths: TermMonths | null
}

/** The due efforts of these readers, including those that are left out with a reason. */
export async function dueEfforts(
  ctx: Pick<AppContext, 'db'>,
  due: DueQuery,
  ids: readonly number[],
): Promise<DueEffort[]> {
  const columns = `, COALESCE(NULLIF(r.country, ''), '') AS country, r.sub_type,
    (SELECT o.term_months FROM orders o WHERE ${paidFor('r.id')} ORDER BY o.id DESC LIMIT 1) AS term_months`
  const { sql, values } = checkedSql(ctx.db, due, { ids, columns })
  const rows = await ctx.db.query<DueEffort>(
    `WITH ${sql} SELECT id AS "readerId", day_offset AS "dayOffset", sub_end_on AS "cycleOn", is_to_buyer AS "isToBuyer", email,
       exclusion, country, sub_type AS product, term_months AS "termMonths"
     FROM checked ORDER BY id, day_offset`,
    values,
  )
  return rows.map((row) => ({ ...row, isToBuyer: asBoolean(row.isToBuyer) }))
}

/** How many readers would get each effort on a day, and how many are left out, by reason. */
export async function countDue(
  ctx: Pick<AppContext, 'db'>,
  due: DueQuery,
): Promise<{ dayOffset: number; exclusion: ExclusionReason | null; readers: number }[]> {
  const { sql, values } = checkedSql(ctx.db, due, {})
  const rows = await ctx.db.query<{ dayOffset: number; exclusion: ExclusionReason | null; readers: number }>(
    `WITH ${sql} SELECT day_offset AS "dayOffset", exclusion, COUNT(*) AS readers FROM checked GROUP BY 1, 2 ORDER BY 1, 2`,
    values,
  )
  return rows.map((row) => ({ ...row, readers: Number(row.readers) }))
}

/** A reader in a list of those who would get something and those who would not. */
export interface ReachedReader {
  readerId: number
  uniqueReference: string
  name: string
  endsOn: Day
  /** Blank if unknown. */
  email: string
  isToBuyer: boolean
  /** Why nothing is sent, as text for staff; null if something is. */
  exclusion: string | null
}

/** A reader whose effort is due, or left out, on a day. */
export interface ListedEffort extends ReachedReader {
  dayOffset: number
}

/** A page of the readers with a due effort; those who get something come first. */
export async function listDue(
  ctx: Pick<AppContext, 'db'>,
  due: DueQuery,
  { page, size }: { page: number; size: number },
): Promise<{ rows: ListedEffort[]; total: number }> {
  const columns = `, r.unique_reference, COALESCE(NULLIF(r.full_name, ''), TRIM(r.first_name || ' ' || r.last_name)) AS name`
  const { sql, values } = checkedSql(ctx.db, due, { columns })
  const rows = await ctx.db.query<
    Omit<ListedEffort, 'exclusion'> & { exclusion: ExclusionReason | null; total: number }
  >(
    `WITH ${sql} SELECT id AS "readerId", unique_reference AS "uniqueReference", name, day_offset AS "dayOffset", sub_end_on AS "endsOn",
       email, is_to_buyer AS "isToBuyer", exclusion, COUNT(*) OVER () AS total
     FROM checked ORDER BY exclusion IS NOT NULL, day_offset, id LIMIT :size OFFSET :from`,
    { ...values, size, from: (page - 1) * size },
  )
  return {
    total: Number(rows[0]?.total ?? 0),
    rows: rows.map(({ total: _, ...row }) => ({
      ...row,
      isToBuyer: asBoolean(row.isToBuyer),
      exclusion: row.exclusion === null ? null : exclusionTexts[row.exclusion],
    })),
  }
}

/** Reasons that are unlikely to change before the effort's day: only these can be forecast. */
const lastingReasons: readonly ExclusionReason[] = [
  'inactive',
  'renews',
  'cancelled',
  'free',
  'stopped',
  'stopped-once',
  'refuses',
  'never-bought',
  'no-email',
  'no-address',
]

/** How many readers an effort would reach as things are now, by the end of their subscription. */
export async function countUpcoming(
  { db }: Pick<AppContext, 'db'>,
  {
    publicationId,
    effort,
    from,
    until,
    today,
  }: { publicationId: number; effort: Effort; from: Day; until: Day; today: Day },
): Promise<{ endsOn: Day; readers: number }[]> {
  const reasons = stopSql(db, {
    endsOn: 'r.sub_end_on',
    effortOn: 'r.sub_end_on',
    isOfferSql: effortKind(effort) === 'offer' ? '1 = 1' : '1 = 0',
    isLetterSql: effort.channel === 'letter' ? '1 = 1' : '1 = 0',
    email: `COALESCE(NULLIF(r.email, ''), b.email, '')`,
    emailKey: `COALESCE(NULLIF(r.key_email, ''), b.email_key, '')`,
    isToBuyerSql: '1 = 0',
  }).filter(([name]) => lastingReasons.includes(name))
  const rows = await db.query<{ endsOn: Day; readers: number }>(
    `SELECT r.sub_end_on AS "endsOn", COUNT(*) AS readers FROM readers r LEFT JOIN buyers b ON b.id = r.buyer_id
     WHERE r.publication_id = :publicationId AND r.sub_end_on >= :from AND r.sub_end_on <= :until AND r.sub_type <> ''
       AND ${reasons.map(([, condition]) => `NOT (${condition})`).join(' AND ')}
     GROUP BY r.sub_end_on ORDER BY r.sub_end_on`,
    { publicationId, from, until, ...dayValues(today) },
  )
  return rows.map((row) => ({ ...row, readers: Number(row.readers) }))
}
