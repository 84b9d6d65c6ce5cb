import type { AppContext } from '../context.ts'
import { asBoolean, type SqlValues } from '../database.ts'
import { type Db, daysAfter, typedValue } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import { isGiftSql } from '../readers/readers.rows.ts'
import {
  againAfterDays,
  catchUpDays,
  type Effort,
  effortKind,
  endsDue,
  lastReminder,
  minDaysApart,
  quietDays,
  winBackAfter,
  winBackDays,
} from './series.rules.ts'

/** Why a reader whose day it is gets nothing, in the order in which they are asked, and in words for staff. */
export const leftOutWords = {
  inactive: 'Deactivated',
  renews: 'Renews automatically',
  cancelled: 'Turned the automatic renewal off, or took a payment back',
  refunded: 'Last order refunded',
  free: 'Free reader',
  stopped: 'Stopped reminders',
  'stopped-once': 'Series stopped for this end',
  declined: 'An automatic renewal failed in the last days',
  bought: 'Has bought again',
  refuses: 'Refuses offers by email',
  'never-bought': 'Never bought here',
  'no-email': 'No email',
  bounced: 'Mail to the address came back',
  'no-address': 'No postal address',
  moved: 'Had this effort lately, before the end was moved',
  lately: 'Had another effort in the last days',
  offered: 'Had another offer in the last month',
  'long-ago': 'Ended more than five years ago',
} as const

export type LeftOut = keyof typeof leftOutWords

/** A condition with the reason that it is. */
export type Reason = [LeftOut, string]

/** Who is asked about: the alias `r` is the reader, `b` the buyer in whose account it is (or null), and SQL expressions for the rest. */
interface Asked {
  /** The last day that counts and the effort's own day, as SQL. */
  endsOn: string
  effortOn: string
  /** Whether it is marketing, or a letter, as SQL conditions. */
  isOffer: string
  isLetter: string
  /** The address that a mail would go to, as SQL. */
  email: string
  /** Whether it goes to who gives it, as an SQL condition. */
  isToBuyer: string
  /** Whether it is of an offer to a list, as an SQL condition; without it it is of the series. */
  isBlanket?: string
}

export const paidFor = (reader: string) => `o.reader_id = ${reader} AND o.state = 'paid' AND o.product IS NOT NULL`

/**
 * The first reason of a record's own why it gets no effort, as SQL; null where there is none. Asked when an effort is planned and once more
 * when its mail is written. Values: `recently`, some days ago.
 */
export function stopSql(db: Db, { endsOn, effortOn, isOffer, isLetter, email, isToBuyer, isBlanket }: Asked): Reason[] {
  // By the person alone: without statistics SQLite takes an index of ends or types, and goes through half the readers for each.
  const plain = (column: string) => (db.dialect === 'sqlite' ? `+${column}` : column)
  // An offer to a list looks back years: whoever reads by another record now is no reader who left.
  const readsOn = isBlanket ? ` OR (${isBlanket} AND ${endsOn} < :today AND ${plain('x.sub_end_on')} >= :today)` : ''
  const again = `x.publication_id = r.publication_id AND x.id <> r.id AND NOT x.is_deleted AND ${plain('x.sub_end_on')} > ${endsOn}
    AND (${plain('x.sub_start_on')} >= ${daysAfter(db, endsOn, '-60')}${readsOn}) AND ${plain('x.sub_type')} IN (r.sub_type, 'bundle')`
  return [
    ['inactive', 'r.is_deleted'],
    ['renews', `EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id AND a.state = 'active')`],
    [
      'cancelled',
      `EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id AND a.state = 'ended'
         AND a.end_reason IN ('reader', 'staff', 'taken-back') AND a.renews_on >= ${endsOn})`,
    ],
    [
      'refunded',
      `(SELECT o.state FROM orders o WHERE o.reader_id = r.id AND o.product IS NOT NULL AND o.state IN ('paid', 'refunded', 'reversed')
         ORDER BY o.id DESC LIMIT 1) IN ('refunded', 'reversed')`,
    ],
    ['free', `COALESCE(r.sub_paid, 0) <= 0 AND NOT EXISTS (SELECT 1 FROM orders o WHERE ${paidFor('r.id')})`],
    ['stopped', `EXISTS (SELECT 1 FROM reminder_stops s WHERE s.reader_id = r.id AND s.cycle_on IS NULL)`],
    ['stopped-once', `EXISTS (SELECT 1 FROM reminder_stops s WHERE s.reader_id = r.id AND s.cycle_on = ${endsOn})`],
    [
      'declined',
      `EXISTS (SELECT 1 FROM payment_agreements a CROSS JOIN renewals w
         WHERE w.agreement_id = a.id AND a.reader_id = r.id AND (w.told_on >= :recently OR (w.state = 'lapsed' AND w.settled_at >= :recentlyAt)))`,
    ],
    [
      'bought',
      // The record itself, since the effort's day; or another one of the same person, about when this one ended.
      `(EXISTS (SELECT 1 FROM orders o WHERE ${paidFor('r.id')} AND o.ordered_on >= ${effortOn})
         OR (r.key_email <> '' AND EXISTS (SELECT 1 FROM readers x WHERE x.key_email = r.key_email AND x.key_email <> '' AND ${again}))
         OR (b.id IS NOT NULL AND EXISTS (SELECT 1 FROM readers x WHERE x.buyer_id = b.id AND x.key_surname = r.key_surname AND ${again})))`,
    ],
    ['refuses', `${isOffer} AND CASE WHEN ${isLetter} THEN r.pub_offers_post ELSE r.pub_offers END`],
    // An email with an offer needs a sale (the soft opt-in); an imported list has bought nothing here.
    [
      'never-bought',
      `${isOffer} AND NOT (${isLetter}) AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = r.id AND o.state = 'paid')`,
    ],
    ['no-email', `NOT (${isLetter}) AND ${email} = ''`],
    [
      'bounced',
      `NOT (${isLetter}) AND EXISTS (SELECT 1 FROM address_marks m WHERE m.address_key = LOWER(${email})
         AND m.publisher_id = (SELECT p.publisher_id FROM publications p WHERE p.id = r.publication_id)
         AND (m.bounced_at IS NOT NULL OR m.complained_at IS NOT NULL))`,
    ],
    [
      'no-address',
      // Of who gives it the address of the last bill is known, and no other.
      `${isLetter} AND CASE WHEN ${isToBuyer} THEN NOT EXISTS (SELECT 1 FROM orders o WHERE o.buyer_id = b.id
         AND o.publication_id = r.publication_id AND o.state IN ('paid', 'refunded')) ELSE r.address_one = '' END`,
    ],
  ]
}

/** Reasons that lie in what went before; values: `again`, `lately`, `offeredSince`, all days. */
function spacingSql(isToBuyer: string): Reason[] {
  return [
    [
      'moved',
      `EXISTS (SELECT 1 FROM reader_efforts e WHERE e.reader_id = r.id AND e.day_offset = n.day_offset AND e.cycle_on <> r.sub_end_on
         AND e.blanket_id IS NULL AND e.planned_on > :again AND e.state <> 'skipped')`,
    ],
    latelySql(isToBuyer),
    ['offered', `n.day_offset > ${winBackAfter} AND ${offeredSql(isToBuyer)}`],
  ]
}

/** Another effort of the person in the last days. */
export const latelySql = (isToBuyer: string): Reason => ['lately', ofPersonSql(isToBuyer, ':lately')]

/** Another offer to the person in the last month, as an SQL condition. */
export const offeredSql = (isToBuyer: string) => ofPersonSql(isToBuyer, ':offeredSince', ` AND e.kind = 'offer'`)

function ofPersonSql(isToBuyer: string, since: string, kind = ''): string {
  const recent = `e.planned_on > ${since} AND e.state <> 'skipped'${kind}`
  // Whoever gives one subscription and reads another has one mailbox, with or without an account at the record that is read.
  // CROSS JOIN: the person's few records first. While there are no statistics yet SQLite goes through all efforts for each reader.
  return `(EXISTS (SELECT 1 FROM reader_efforts e WHERE e.reader_id = r.id AND ${recent})
      OR (r.key_email <> '' AND EXISTS (SELECT 1 FROM readers x CROSS JOIN reader_efforts e
        WHERE e.reader_id = x.id AND x.publication_id = r.publication_id AND x.key_email = r.key_email AND x.key_email <> '' AND ${recent}))
      OR (b.id IS NOT NULL AND EXISTS (SELECT 1 FROM readers x CROSS JOIN reader_efforts e
        WHERE e.reader_id = x.id AND x.buyer_id = b.id AND e.addressee = 'buyer' AND ${recent}))
      OR (r.key_email <> '' AND EXISTS (SELECT 1 FROM buyers g CROSS JOIN readers x CROSS JOIN reader_efforts e
        WHERE g.publication_id = r.publication_id AND g.email_key = r.key_email AND x.buyer_id = g.id AND e.reader_id = x.id
          AND e.addressee = 'buyer' AND ${recent}))
      OR (${isToBuyer} AND EXISTS (SELECT 1 FROM readers x CROSS JOIN reader_efforts e
        WHERE x.publication_id = r.publication_id AND x.key_email = b.email_key AND x.key_email <> '' AND e.reader_id = x.id
          AND e.addressee = 'reader' AND ${recent})))`
}

export const caseOf = (reasons: readonly Reason[]) =>
  `CASE ${reasons.map(([name, condition]) => `WHEN ${condition} THEN '${name}'`).join(' ')} END`

/** The days that the conditions name. */
export function dayValues(on: Day): Record<string, Day | Date> {
  return {
    today: on,
    recently: addDays(on, -quietDays),
    recentlyAt: new Date(`${addDays(on, -quietDays)}T00:00:00Z`),
    again: addDays(on, -againAfterDays),
    lately: addDays(on, -minDaysApart),
    offeredSince: addDays(on, -winBackDays),
  }
}

/** What a series has due in one publication. */
export interface DueIn {
  publicationId: number
  efforts: readonly Effort[]
  on: Day
  /** A day that is to come: what the days before it have missed goes on those. */
  isAhead?: boolean
}

/** The CTEs `near`, one row per reader and effort whose day it is and that has none yet, and `judged`, the same with why it is left out. */
function judgedSql(
  db: Db,
  { publicationId, efforts, on, isAhead = false }: DueIn,
  { ids, columns = '' }: { ids?: readonly number[]; columns?: string },
): { sql: string; values: SqlValues } {
  const values: SqlValues = { publicationId, ...dayValues(on), ...(ids ? { ids: [...ids] } : {}) }
  const parts = efforts.flatMap((effort, at) => {
    const { from, until } = endsDue(effort, on, isAhead ? 1 : catchUpDays)
    if (from > until) return []
    values[`from${at}`] = from
    values[`until${at}`] = until
    return [
      `SELECT id, ${effort.dayOffset} AS day_offset FROM readers WHERE publication_id = :publicationId
         AND sub_end_on >= ${typedValue(db, `:from${at}`, 'day')} AND sub_end_on <= ${typedValue(db, `:until${at}`, 'day')} AND sub_type <> ''
         ${ids ? 'AND id IN (:ids)' : ''}`,
    ]
  })
  const of = (test: (effort: Effort) => boolean) => {
    const found = efforts.filter(test).map(({ dayOffset }) => dayOffset)
    return found.length === 0 ? '1 = 0' : `n.day_offset IN (${found.join(', ')})`
  }
  const last = lastReminder(efforts)
  const toRecipient = last === null ? '1 = 0' : `n.day_offset = ${last}`
  const isLetter = of(({ channel }) => channel === 'letter')
  // Whoever gives it is written to; who gets it once, and where the giver is not known. A mail reaches who has an email.
  const isToBuyer = `b.id IS NOT NULL AND ((r.email = '' AND NOT (${isLetter})) OR (NOT (${toRecipient}) AND ${isGiftSql}))`
  const email = `CASE WHEN ${isToBuyer} THEN b.email ELSE r.email END`
  const reasons = [
    ...stopSql(db, {
      endsOn: 'r.sub_end_on',
      effortOn: daysAfter(db, 'r.sub_end_on', 'n.day_offset'),
      isOffer: of((effort) => effortKind(effort) === 'offer'),
      ...{ isLetter, isToBuyer, email },
    }),
    ...spacingSql(isToBuyer),
  ]
  const near = parts.length === 0 ? `SELECT id, 0 AS day_offset FROM readers WHERE 1 = 0` : parts.join('\nUNION ALL ')
  return {
    sql: `near AS MATERIALIZED (${near}), judged AS MATERIALIZED (
      SELECT r.id, n.day_offset, r.sub_end_on, ${isToBuyer} AS is_to_buyer, ${email} AS email, ${caseOf(reasons)} AS left_out${columns}
      FROM near n JOIN readers r ON r.id = n.id LEFT JOIN buyers b ON b.id = r.buyer_id
      WHERE NOT EXISTS (SELECT 1 FROM reader_efforts e WHERE e.reader_id = r.id AND e.cycle_on = r.sub_end_on AND e.day_offset = n.day_offset
        AND e.blanket_id IS NULL))`,
    values,
  }
}

/**
 * The readers who are to get something on a day, so many persons together as `batch` says, each as ids with commas between them: one person
 * with several records is in one. It writes nothing and locks nothing.
 */
export async function dueReaders(ctx: Pick<AppContext, 'db'>, due: DueIn, batch: number): Promise<string[]> {
  const { sql, values } = judgedSql(ctx.db, due, {})
  const rows = await ctx.db.query<{ ids: string }>(
    `WITH ${sql}, placed AS (
       SELECT id, DENSE_RANK() OVER (ORDER BY CASE WHEN email = '' THEN CAST(id AS TEXT) ELSE LOWER(email) END) - 1 AS place
       FROM judged WHERE left_out IS NULL)
     SELECT STRING_AGG(CAST(id AS TEXT), ',') AS ids FROM placed GROUP BY place / :batch ORDER BY place / :batch`,
    { ...values, batch },
  )
  return rows.map(({ ids }) => ids)
}

/** One effort that is due for one reader, with what is needed to plan it. */
export interface DueEffort {
  readerId: number
  dayOffset: number
  cycleOn: Day
  isToBuyer: boolean
  email: string
  leftOut: LeftOut | null
  /** Empty: the publisher's own. */
  country: string
  product: Product
  /** Of the last order; null where nothing was bought here. */
  termMonths: TermMonths | null
}

/** What is due for these readers; those that are left out are among them. */
export async function dueEfforts(
  ctx: Pick<AppContext, 'db'>,
  due: DueIn,
  ids: readonly number[],
): Promise<DueEffort[]> {
  const columns = `, COALESCE(NULLIF(r.country, ''), '') AS country, r.sub_type,
    (SELECT o.term_months FROM orders o WHERE ${paidFor('r.id')} ORDER BY o.id DESC LIMIT 1) AS term_months`
  const { sql, values } = judgedSql(ctx.db, due, { ids, columns })
  const rows = await ctx.db.query<DueEffort>(
    `WITH ${sql} SELECT id AS "readerId", day_offset AS "dayOffset", sub_end_on AS "cycleOn", is_to_buyer AS "isToBuyer", email,
       left_out AS "leftOut", country, sub_type AS product, term_months AS "termMonths"
     FROM judged ORDER BY id, day_offset`,
    values,
  )
  return rows.map((row) => ({ ...row, isToBuyer: asBoolean(row.isToBuyer) }))
}

const askedBySender: readonly LeftOut[] = ['stopped', 'refuses', 'never-bought', 'bounced']

/** Those of these efforts that still go on a day, looked at once more: the end did not move, and nothing has stopped them since. */
export async function stillDue(ctx: Pick<AppContext, 'db'>, effortIds: readonly number[], on: Day): Promise<number[]> {
  const rows = await ctx.db.query<{ id: number; leftOut: LeftOut | null }>(
    `SELECT e.id, ${stoppedSql(ctx.db)} AS "leftOut" ${standingSql} AND e.id IN (:ids) ORDER BY e.id`,
    { ids: [...effortIds], yes: true, ...dayValues(on) },
  )
  const standing = rows.filter(({ leftOut }) => leftOut === null)
  // Whoever sends a mail asks for consent and looks at the address, and writes down why it does not go.
  const asked = rows.filter(({ leftOut }) => leftOut !== null && askedBySender.includes(leftOut))
  return (standing.length > 0 ? standing : asked).map(({ id }) => id)
}

/** Why an effort `e` that was planned stops, as SQL; null where nothing does. */
function stoppedSql(db: Db): string {
  return caseOf(
    stopSql(db, {
      endsOn: 'e.cycle_on',
      effortOn: 'e.planned_on',
      isOffer: `e.kind = 'offer'`,
      isLetter: `e.channel = 'letter'`,
      email: `CASE WHEN e.addressee = 'buyer' THEN b.email ELSE r.email END`,
      isToBuyer: `e.addressee = 'buyer'`,
      isBlanket: 'e.blanket_id IS NOT NULL',
    }),
  )
}

/** Efforts that are planned and not gone, of series that are on, whose end has not moved. Values: `yes`, true, and `today`. */
const standingSql = `FROM reader_efforts e JOIN readers r ON r.id = e.reader_id JOIN publications p ON p.id = e.publication_id
     JOIN users u ON u.id = e.publisher_id JOIN accounts c ON c.user_id = e.publisher_id LEFT JOIN buyers b ON b.id = r.buyer_id
     LEFT JOIN renewal_series s ON s.publication_id = e.publication_id
   WHERE e.state = 'due' AND r.sub_end_on = e.cycle_on AND p.removed_at IS NULL AND u.is_active
     AND c.automated_renewal_emails
     AND CASE WHEN e.blanket_id IS NULL THEN COALESCE(s.is_on, :yes) ELSE e.good_until >= :today END`

/** The letters of a title that wait to be produced, planned after one day and until another, and that nothing has stopped since. */
export async function waitingLetters(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, after, until, on }: { publicationId: number; after: Day; until: Day; on: Day },
): Promise<{ id: number; buyerId: number | null }[]> {
  const rows = await ctx.db.query<{ id: number; buyerId: number | null; leftOut: LeftOut | null }>(
    `SELECT e.id, CASE WHEN e.addressee = 'buyer' THEN b.id END AS "buyerId", ${stoppedSql(ctx.db)} AS "leftOut" ${standingSql}
       AND e.publication_id = :publicationId AND e.channel = 'letter' AND e.planned_on > :after AND e.planned_on <= :until
       AND (e.kind <> 'reminder' OR e.cycle_on >= :on)
     ORDER BY e.id`,
    { publicationId, after, until, on, yes: true, ...dayValues(on) },
  )
  return rows.filter(({ leftOut }) => leftOut === null)
}

/** How many readers would get each effort on a day, and how many are left out, by reason. */
export async function countDue(
  ctx: Pick<AppContext, 'db'>,
  due: DueIn,
): Promise<{ dayOffset: number; leftOut: LeftOut | null; readers: number }[]> {
  const { sql, values } = judgedSql(ctx.db, due, {})
  const rows = await ctx.db.query<{ dayOffset: number; leftOut: LeftOut | null; readers: number }>(
    `WITH ${sql} SELECT day_offset AS "dayOffset", left_out AS "leftOut", COUNT(*) AS readers FROM judged GROUP BY 1, 2 ORDER BY 1, 2`,
    values,
  )
  return rows.map((row) => ({ ...row, readers: Number(row.readers) }))
}

/** A reader on a list of who would get something, and who would not. */
export interface ReachedReader {
  readerId: number
  uniqueReference: string
  name: string
  endsOn: Day
  /** Blank: a letter, or nobody to write to. */
  email: string
  isToBuyer: boolean
  /** Why nothing goes, in words for staff; null where something does. */
  leftOut: string | null
}

/** A reader whose day it is. */
export interface ListedEffort extends ReachedReader {
  dayOffset: number
}

/** A page of those whose day it is, whoever gets something first. */
export async function listDue(
  ctx: Pick<AppContext, 'db'>,
  due: DueIn,
  { page, size }: { page: number; size: number },
): Promise<{ rows: ListedEffort[]; total: number }> {
  const columns = `, r.unique_reference, COALESCE(NULLIF(r.full_name, ''), TRIM(r.first_name || ' ' || r.last_name)) AS name`
  const { sql, values } = judgedSql(ctx.db, due, { columns })
  const rows = await ctx.db.query<Omit<ListedEffort, 'leftOut'> & { leftOut: LeftOut | null; total: number }>(
    `WITH ${sql} SELECT id AS "readerId", unique_reference AS "uniqueReference", name, day_offset AS "dayOffset", sub_end_on AS "endsOn",
       email, is_to_buyer AS "isToBuyer", left_out AS "leftOut", COUNT(*) OVER () AS total
     FROM judged ORDER BY left_out IS NOT NULL, day_offset, id LIMIT :size OFFSET :from`,
    { ...values, size, from: (page - 1) * size },
  )
  return {
    total: Number(rows[0]?.total ?? 0),
    rows: rows.map(({ total: _, ...row }) => ({
      ...row,
      isToBuyer: asBoolean(row.isToBuyer),
      leftOut: row.leftOut === null ? null : leftOutWords[row.leftOut],
    })),
  }
}

/** Reasons that the record itself shows and that last: what a look ahead can know. */
const lasting: readonly LeftOut[] = [
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

/** How many readers an effort would reach, by the end of their subscription, as things stand. */
export async function countComing(
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
    ...{ endsOn: 'r.sub_end_on', effortOn: 'r.sub_end_on' },
    isOffer: effortKind(effort) === 'offer' ? '1 = 1' : '1 = 0',
    isLetter: effort.channel === 'letter' ? '1 = 1' : '1 = 0',
    email: `COALESCE(NULLIF(r.email, ''), b.email, '')`,
    isToBuyer: '1 = 0',
  }).filter(([name]) => lasting.includes(name))
  const rows = await db.query<{ endsOn: Day; readers: number }>(
    `SELECT r.sub_end_on AS "endsOn", COUNT(*) AS readers FROM readers r LEFT JOIN buyers b ON b.id = r.buyer_id
     WHERE r.publication_id = :publicationId AND r.sub_end_on >= :from AND r.sub_end_on <= :until AND r.sub_type <> ''
       AND ${reasons.map(([, condition]) => `NOT (${condition})`).join(' AND ')}
     GROUP BY r.sub_end_on ORDER BY r.sub_end_on`,
    { publicationId, from, until, ...dayValues(today) },
  )
  return rows.map((row) => ({ ...row, readers: Number(row.readers) }))
}
