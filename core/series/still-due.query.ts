import type { AppContext } from '../context.ts'
import type { Db } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import { caseSql, dayValues, type ExclusionReason, stopSql } from './exclusions.query.ts'

const reasonsCheckedAtSend: readonly ExclusionReason[] = ['stopped', 'refuses', 'never-bought', 'bounced']

/** Those of these efforts that are still due on a day: the end did not move, and nothing has stopped them since they were planned. */
export async function stillDue(ctx: Pick<AppContext, 'db'>, effortIds: readonly number[], on: Day): Promise<number[]> {
  const rows = await ctx.db.query<{ id: number; exclusion: ExclusionReason | null }>(
    `SELECT e.id, ${stoppedSql(ctx.db)} AS exclusion ${stillDueSql} AND e.id IN (:ids) ORDER BY e.id`,
    { ids: [...effortIds], yes: true, ...dayValues(on) },
  )
  const due = rows.filter(({ exclusion }) => exclusion === null)
  // Consent and address are checked again when the email is sent, which also records why it is not.
  const checkedAtSend = rows.filter(({ exclusion }) => exclusion !== null && reasonsCheckedAtSend.includes(exclusion))
  return (due.length > 0 ? due : checkedAtSend).map(({ id }) => id)
}

/** SQL: why a planned effort `e` is not sent any more; null if nothing stops it. */
function stoppedSql(db: Db): string {
  return caseSql(
    stopSql(db, {
      endsOn: 'e.cycle_on',
      effortOn: 'e.planned_on',
      isOfferSql: `e.kind = 'offer'`,
      isLetterSql: `e.channel = 'letter'`,
      email: `CASE WHEN e.addressee = 'buyer' THEN b.email ELSE r.email END`,
      emailKey: `CASE WHEN e.addressee = 'buyer' THEN b.email_key ELSE r.key_email END`,
      isToBuyerSql: `e.addressee = 'buyer'`,
      isBlanketSql: 'e.blanket_id IS NOT NULL',
    }),
  )
}

/**
 * SQL from FROM on: planned efforts that are not yet in a file of letters and whose end has not moved, of series that are switched on and of offers
 * that are still valid. Parameters: `yes` (true) and `today`.
 */
const stillDueSql = `FROM reader_efforts e JOIN readers r ON r.id = e.reader_id JOIN publications p ON p.id = e.publication_id
     JOIN users u ON u.id = e.publisher_id JOIN accounts c ON c.user_id = e.publisher_id LEFT JOIN buyers b ON b.id = r.buyer_id
     LEFT JOIN renewal_series s ON s.publication_id = e.publication_id
   WHERE e.state = 'due' AND r.sub_end_on = e.cycle_on AND p.removed_at IS NULL AND u.is_active
     AND c.automated_renewal_emails
     AND CASE WHEN e.blanket_id IS NULL THEN COALESCE(s.is_on, :yes) ELSE e.valid_until >= :today END`

/** The letters of a title that wait to be produced, planned after one day and until another, unless something has stopped them since. */
export async function waitingLetters(
  ctx: Pick<AppContext, 'db'>,
  { publicationId, after, until, on }: { publicationId: number; after: Day; until: Day; on: Day },
): Promise<{ id: number; buyerId: number | null }[]> {
  const rows = await ctx.db.query<{ id: number; buyerId: number | null; exclusion: ExclusionReason | null }>(
    `SELECT e.id, CASE WHEN e.addressee = 'buyer' THEN b.id END AS "buyerId", ${stoppedSql(ctx.db)} AS exclusion ${stillDueSql}
       AND e.publication_id = :publicationId AND e.channel = 'letter' AND e.planned_on > :after AND e.planned_on <= :until
       AND (e.kind <> 'reminder' OR e.cycle_on >= :on)
     ORDER BY e.id`,
    { publicationId, after, until, on, yes: true, ...dayValues(on) },
  )
  return rows.filter(({ exclusion }) => exclusion === null)
}
