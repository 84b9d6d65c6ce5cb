import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import type { Db } from '../dialect.ts'
import { addMonths } from '../kernel/calendar.ts'
import { type Day, openEnd } from '../kernel/dates.ts'
import { isGiftSql } from '../readers/readers.rows.ts'
import type { OfferFilter } from './blanket-offers.rows.ts'
import type { DueEffort, ReachedReader } from './due-efforts.query.ts'
import {
  caseSql,
  dayValues,
  type ExclusionReason,
  exclusionTexts,
  offeredSql,
  paidFor,
  type Reason,
  recentlySql,
  stopSql,
} from './exclusions.query.ts'

/** The readers of a publication whom an offer is for, on a day. */
export interface OfferAudience {
  publicationId: number
  /** The publisher's country, which also counts as the country of readers without one. */
  homeCountry: string
  filter: OfferFilter
  on: Day
  /** The offer, once it is stored: readers who already have it are left out. */
  blanketId: number | null
}

/** Marketing data is not kept for longer (see the privacy policy). */
const reachableYears = 5

/** The condition for the readers `r` that a filter selects. An open-ended subscription never ends, so there is nothing to renew. */
function chosenSql({ publicationId, homeCountry, filter, on, blanketId }: OfferAudience): {
  sql: string
  values: SqlValues
} {
  const { status, endsFrom, endsUntil, product, country } = filter
  const conditions = [
    `r.publication_id = :publicationId AND r.sub_type <> '' AND r.sub_end_on < :openEnd`,
    ...(status === 'running' ? ['r.sub_end_on >= :today'] : []),
    ...(status === 'ended' ? ['r.sub_end_on < :today'] : []),
    ...(endsFrom === null ? [] : ['r.sub_end_on >= :endsFrom']),
    ...(endsUntil === null ? [] : ['r.sub_end_on <= :endsUntil']),
    ...(product === null ? [] : ['r.sub_type = :product']),
    ...(country === '' ? [] : [`COALESCE(NULLIF(r.country, ''), :homeCountry) = :country`]),
    ...(blanketId === null
      ? []
      : ['NOT EXISTS (SELECT 1 FROM reader_efforts e WHERE e.blanket_id = :blanketId AND e.reader_id = r.id)']),
  ]
  const values = { publicationId, openEnd, endsFrom, endsUntil, product, country, homeCountry, blanketId }
  return { sql: conditions.join(' AND '), values: { ...values, ...dayValues(on) } }
}

/** Emails go to the giver, as in the series; to the reader if the giver is unknown. */
const isToBuyerSql = `b.id IS NOT NULL AND (r.email = '' OR ${isGiftSql})`
const email = `CASE WHEN ${isToBuyerSql} THEN b.email ELSE r.email END`
const emailKey = `CASE WHEN ${isToBuyerSql} THEN b.email_key ELSE r.key_email END`

/** SQL: the first reason why a chosen reader is left out. Parameters: `reachableFrom` and `dayValues`. */
function exclusionSql(db: Db): string {
  const reasons: Reason[] = [
    ...stopSql(db, {
      endsOn: 'r.sub_end_on',
      effortOn: ':today',
      isOfferSql: '1 = 1',
      isLetterSql: '1 = 0',
      email,
      emailKey,
      isToBuyerSql,
      isBlanketSql: '1 = 1',
    }),
    ['long-ago', 'r.sub_end_on < :reachableFrom'],
    recentlySql(isToBuyerSql),
    // An offer for another record of the person counts too: nobody gets two offers in a month.
    ['offered', offeredSql(isToBuyerSql)],
  ]
  return caseSql(reasons)
}

const reachableFrom = (on: Day) => addMonths(on, -12 * reachableYears)

/** How many readers a filter selects. */
export async function countChosen(ctx: Pick<AppContext, 'db'>, audience: OfferAudience): Promise<number> {
  const { sql, values } = chosenSql(audience)
  const [row] = await ctx.db.query<{ readers: number }>(
    `SELECT COUNT(*) AS readers FROM readers r WHERE ${sql}`,
    values,
  )
  return Number(row?.readers ?? 0)
}

/** How many of the chosen readers get the offer, and how many do not, by reason. */
export async function countOffered(
  ctx: Pick<AppContext, 'db'>,
  audience: OfferAudience,
): Promise<{ readers: number; excluded: { reason: ExclusionReason; text: string; readers: number }[] }> {
  const { sql, values } = chosenSql(audience)
  const rows = await ctx.db.query<{ reason: ExclusionReason | null; readers: number }>(
    `SELECT reason, COUNT(*) AS readers FROM (SELECT ${exclusionSql(ctx.db)} AS reason FROM readers r LEFT JOIN buyers b ON b.id = r.buyer_id
       WHERE ${sql}) AS checked GROUP BY reason ORDER BY reason`,
    { ...values, reachableFrom: reachableFrom(audience.on) },
  )
  return {
    readers: Number(rows.find(({ reason }) => reason === null)?.readers ?? 0),
    excluded: rows.flatMap(({ reason, readers }) =>
      reason === null ? [] : [{ reason, text: exclusionTexts[reason], readers: Number(readers) }],
    ),
  }
}

/** The ids of the next chosen readers, in order. */
export async function nextChosen(
  ctx: Pick<AppContext, 'db'>,
  audience: OfferAudience,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const { sql, values } = chosenSql(audience)
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT r.id FROM readers r WHERE ${sql} AND r.id > :after ORDER BY r.id LIMIT :limit`,
    { ...values, after, limit },
  )
  return rows.map(({ id }) => Number(id))
}

/** Other chosen readers that are records of the same people: one email names them all. */
export async function otherRecordsChosen(
  ctx: Pick<AppContext, 'db'>,
  audience: OfferAudience,
  ids: readonly number[],
): Promise<number[]> {
  const { sql, values } = chosenSql(audience)
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT r.id FROM readers r WHERE r.key_email <> ''
       AND r.key_email IN (SELECT y.key_email FROM readers y WHERE y.id IN (:ids) AND y.key_email <> '') AND ${sql}
     UNION SELECT r.id FROM readers r WHERE r.buyer_id IN (SELECT y.buyer_id FROM readers y WHERE y.id IN (:ids) AND y.buyer_id IS NOT NULL)
       AND ${sql}
     UNION SELECT r.id FROM readers r WHERE r.key_email <> ''
       AND r.key_email IN (SELECT g.email_key FROM readers y JOIN buyers g ON g.id = y.buyer_id WHERE y.id IN (:ids)) AND ${sql}
     UNION SELECT r.id FROM readers r WHERE r.buyer_id IN (SELECT g.id FROM readers y JOIN buyers g
       ON g.publication_id = y.publication_id AND g.email_key = y.key_email WHERE y.id IN (:ids)) AND ${sql}`,
    { ...values, ids: [...ids] },
  )
  const knownIds = new Set(ids)
  return rows.map(({ id }) => Number(id)).filter((id) => !knownIds.has(id))
}

/** Those of these readers who get the offer, with the data to plan it. */
export async function offeredReaders(
  ctx: Pick<AppContext, 'db'>,
  audience: OfferAudience,
  ids: readonly number[],
): Promise<Omit<DueEffort, 'dayOffset' | 'exclusion'>[]> {
  const { sql, values } = chosenSql(audience)
  const rows = await ctx.db.query<Omit<DueEffort, 'dayOffset'>>(
    `SELECT * FROM (SELECT r.id AS "readerId", r.sub_end_on AS "cycleOn", ${isToBuyerSql} AS "isToBuyer", ${email} AS email,
       COALESCE(NULLIF(r.country, ''), '') AS country, r.sub_type AS product,
       (SELECT o.term_months FROM orders o WHERE ${paidFor('r.id')} ORDER BY o.id DESC LIMIT 1) AS "termMonths",
       ${exclusionSql(ctx.db)} AS exclusion
     FROM readers r LEFT JOIN buyers b ON b.id = r.buyer_id WHERE r.id IN (:ids) AND ${sql}) AS checked
     WHERE exclusion IS NULL ORDER BY "readerId"`,
    { ...values, reachableFrom: reachableFrom(audience.on), ids: [...ids] },
  )
  return rows.map(({ exclusion: _, ...row }) => ({ ...row, isToBuyer: asBoolean(row.isToBuyer) }))
}

/** A page of the chosen readers; those who get the offer come first. */
export async function listOffered(
  ctx: Pick<AppContext, 'db'>,
  audience: OfferAudience,
  { page, size }: { page: number; size: number },
): Promise<ReachedReader[]> {
  const { sql, values } = chosenSql(audience)
  const rows = await ctx.db.query<Omit<ReachedReader, 'exclusion'> & { exclusion: ExclusionReason | null }>(
    `SELECT * FROM (SELECT r.id AS "readerId", r.unique_reference AS "uniqueReference",
       COALESCE(NULLIF(r.full_name, ''), TRIM(r.first_name || ' ' || r.last_name)) AS name, r.sub_end_on AS "endsOn", ${email} AS email,
       ${isToBuyerSql} AS "isToBuyer", ${exclusionSql(ctx.db)} AS exclusion
     FROM readers r LEFT JOIN buyers b ON b.id = r.buyer_id WHERE ${sql}) AS checked
     ORDER BY exclusion IS NOT NULL, "endsOn", "readerId" LIMIT :size OFFSET :from`,
    { ...values, reachableFrom: reachableFrom(audience.on), size, from: (page - 1) * size },
  )
  return rows.map((row) => ({
    ...row,
    isToBuyer: asBoolean(row.isToBuyer),
    exclusion: row.exclusion === null ? null : exclusionTexts[row.exclusion],
  }))
}
