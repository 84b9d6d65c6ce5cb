import { type Db, daysAfter } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { againAfterDays, minDaysApart, quietDays, winBackAfter, winBackDays } from './series.rules.ts'

/** The reasons why a reader whose effort is due gets nothing, in the order in which the series checks them, as texts for staff. */
export const exclusionTexts = {
  inactive: 'Deactivated',
  renews: 'Renews automatically',
  cancelled: 'Turned off automatic renewal, or had a payment reversed',
  refunded: 'Last order refunded',
  free: 'Free reader',
  stopped: 'Stopped reminders',
  'stopped-once': 'Series stopped for this expiry',
  declined: 'An automatic renewal failed in the last few days',
  bought: 'Has bought again',
  refuses: 'Opted out of offers',
  'never-bought': 'Never bought here',
  'no-email': 'No email',
  bounced: 'Email to this address bounced',
  'no-address': 'No postal address',
  moved: 'Had this effort recently, before the end date was changed',
  lately: 'Had another effort in the last few days',
  offered: 'Had another offer in the last month',
  'long-ago': 'Ended more than five years ago',
} as const

export type ExclusionReason = keyof typeof exclusionTexts

/** A reason and its SQL condition. */
export type Reason = [ExclusionReason, string]

/** SQL expressions about an effort. The alias `r` is the reader, `b` the buyer whose account the reader belongs to, or null. */
interface ExclusionQuery {
  /** The last day of the subscription. */
  endsOn: string
  /** The day of the effort. */
  effortOn: string
  /** Conditions: the effort is marketing; it is a letter. */
  isOfferSql: string
  isLetterSql: string
  /** The address that an email would be sent to. */
  email: string
  /** The key of that address: LOWER does not change letters such as É on SQLite and in some locales of PostgreSQL. */
  emailKey: string
  /** Condition: the effort is sent to the giver. */
  isToBuyerSql: string
  /** Condition: the effort belongs to an offer to chosen readers; otherwise it belongs to the series. */
  isBlanketSql?: string
}

export const paidFor = (reader: string) => `o.reader_id = ${reader} AND o.state = 'paid' AND o.product IS NOT NULL`

/**
 * The reasons, apart from earlier efforts, why a reader gets no effort, with their conditions, in the order in which they are checked: when an effort
 * is planned and again when its email is written. Parameters: `dayValues`.
 */
export function stopSql(
  db: Db,
  { endsOn, effortOn, isOfferSql, isLetterSql, email, emailKey, isToBuyerSql, isBlanketSql }: ExclusionQuery,
): Reason[] {
  // Makes SQLite use the index by person: without statistics it would choose an index by end or type, and scan half the readers for each row.
  const withoutIndex = (column: string) => (db.dialect === 'sqlite' ? `+${column}` : column)
  // An offer to chosen readers may be for readers who left years ago: somebody with another running record has not left.
  const stillReadingSql = isBlanketSql
    ? ` OR (${isBlanketSql} AND ${endsOn} < :today AND ${withoutIndex('x.sub_end_on')} >= :today)`
    : ''
  const otherTermSql = `x.publication_id = r.publication_id AND x.id <> r.id AND NOT x.is_deleted AND ${withoutIndex('x.sub_end_on')} > ${endsOn}
    AND (${withoutIndex('x.sub_start_on')} >= ${daysAfter(db, endsOn, '-60')}${stillReadingSql}) AND ${withoutIndex('x.sub_type')} IN (r.sub_type, 'bundle')`
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
      // An order for this reader since the effort's day, or another record of the same person that began around the end of this one.
      `(EXISTS (SELECT 1 FROM orders o WHERE ${paidFor('r.id')} AND o.ordered_on >= ${effortOn})
         OR (r.key_email <> '' AND EXISTS (SELECT 1 FROM readers x WHERE x.key_email = r.key_email AND x.key_email <> '' AND ${otherTermSql}))
         OR (b.id IS NOT NULL AND EXISTS (SELECT 1 FROM readers x WHERE x.buyer_id = b.id AND x.key_surname = r.key_surname AND ${otherTermSql})))`,
    ],
    ['refuses', `${isOfferSql} AND CASE WHEN ${isLetterSql} THEN r.pub_offers_post ELSE r.pub_offers END`],
    // An offer may only be emailed to somebody who bought here (the soft opt-in); imported readers have not.
    [
      'never-bought',
      `${isOfferSql} AND NOT (${isLetterSql}) AND NOT EXISTS (SELECT 1 FROM orders o WHERE o.reader_id = r.id AND o.state = 'paid')`,
    ],
    ['no-email', `NOT (${isLetterSql}) AND ${email} = ''`],
    [
      'bounced',
      `NOT (${isLetterSql}) AND EXISTS (SELECT 1 FROM address_marks m WHERE m.address_key = ${emailKey}
         AND m.publisher_id = (SELECT p.publisher_id FROM publications p WHERE p.id = r.publication_id)
         AND (m.bounced_at IS NOT NULL OR m.complained_at IS NOT NULL))`,
    ],
    [
      'no-address',
      // Only the giver's last billing address is known.
      `${isLetterSql} AND CASE WHEN ${isToBuyerSql} THEN NOT EXISTS (SELECT 1 FROM orders o WHERE o.buyer_id = b.id
         AND o.publication_id = r.publication_id AND o.state IN ('paid', 'refunded')) ELSE r.address_one = '' END`,
    ],
  ]
}

/** The reasons that follow from earlier efforts. Parameters: `dayValues`. */
export function spacingSql(isToBuyerSql: string): Reason[] {
  return [
    [
      'moved',
      `EXISTS (SELECT 1 FROM reader_efforts e WHERE e.reader_id = r.id AND e.day_offset = n.day_offset AND e.cycle_on <> r.sub_end_on
         AND e.blanket_id IS NULL AND e.planned_on > :again AND e.state <> 'skipped')`,
    ],
    recentlySql(isToBuyerSql),
    ['offered', `n.day_offset > ${winBackAfter} AND ${offeredSql(isToBuyerSql)}`],
  ]
}

/** The person had another effort in the last few days. */
export const recentlySql = (isToBuyerSql: string): Reason => ['lately', ofPersonSql(isToBuyerSql, ':lately')]

/** SQL condition: the person had another offer in the last month. */
export const offeredSql = (isToBuyerSql: string) => ofPersonSql(isToBuyerSql, ':offeredSince', ` AND e.kind = 'offer'`)

function ofPersonSql(isToBuyerSql: string, since: string, kind = ''): string {
  const recent = `e.planned_on > ${since} AND e.state <> 'skipped'${kind}`
  // Somebody who gives one subscription and reads another has one mailbox, whether or not the record they read belongs to their account.
  // CROSS JOIN makes SQLite read the person's few records first: without statistics it would scan all efforts for each reader.
  return `(EXISTS (SELECT 1 FROM reader_efforts e WHERE e.reader_id = r.id AND ${recent})
      OR (r.key_email <> '' AND EXISTS (SELECT 1 FROM readers x CROSS JOIN reader_efforts e
        WHERE e.reader_id = x.id AND x.publication_id = r.publication_id AND x.key_email = r.key_email AND x.key_email <> '' AND ${recent}))
      OR (b.id IS NOT NULL AND EXISTS (SELECT 1 FROM readers x CROSS JOIN reader_efforts e
        WHERE e.reader_id = x.id AND x.buyer_id = b.id AND e.addressee = 'buyer' AND ${recent}))
      OR (r.key_email <> '' AND EXISTS (SELECT 1 FROM buyers g CROSS JOIN readers x CROSS JOIN reader_efforts e
        WHERE g.publication_id = r.publication_id AND g.email_key = r.key_email AND x.buyer_id = g.id AND e.reader_id = x.id
          AND e.addressee = 'buyer' AND ${recent}))
      OR (${isToBuyerSql} AND EXISTS (SELECT 1 FROM readers x CROSS JOIN reader_efforts e
        WHERE x.publication_id = r.publication_id AND x.key_email = b.email_key AND x.key_email <> '' AND e.reader_id = x.id
          AND e.addressee = 'reader' AND ${recent})))`
}

export const caseSql = (reasons: readonly Reason[]) =>
  `CASE ${reasons.map(([name, condition]) => `WHEN ${condition} THEN '${name}'`).join(' ')} END`

/** The parameters of the conditions: the days they compare with. */
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
