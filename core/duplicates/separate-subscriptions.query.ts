import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { dayOf } from '../kernel/calendar.ts'
import { termSql } from '../terms/term.rules.ts'

/** What keeps records apart however much they are one person's. */
export interface SeparateSubscriptions {
  /** Whose subscription is paid for and runs, or is still to begin. */
  paid: ReadonlySet<number>
  /** Who has an automatic renewal that is on. */
  renewing: ReadonlySet<number>
}

/** Of these readers, those whose subscription a merge may not join with another such one. */
export async function separateSubscriptions(
  { db, now, settings }: AppContext,
  readerIds: readonly number[],
): Promise<SeparateSubscriptions> {
  if (readerIds.length === 0) return { paid: new Set(), renewing: new Set() }
  const rows = await db.query<{ id: number; is_paid: unknown; renews: unknown }>(
    `SELECT r.id, sub_type <> '' AND sub_paid > 0 AND NOT (${termSql.over(':today')}) AS is_paid,
       EXISTS (SELECT 1 FROM payment_agreements a WHERE a.reader_id = r.id AND a.state = 'active') AS renews
     FROM readers r WHERE r.id IN (:readerIds)`,
    { readerIds: [...readerIds], today: dayOf(now(), settings.timeZone) },
  )
  return {
    paid: new Set(rows.filter((row) => asBoolean(row.is_paid)).map(({ id }) => id)),
    renewing: new Set(rows.filter((row) => asBoolean(row.renews)).map(({ id }) => id)),
  }
}

/** Why these readers stay as many as they are, with what can be done; null where they can be made one. */
export function joiningProblem(
  readerIds: readonly number[],
  { paid, renewing }: SeparateSubscriptions,
): { message: string; hint: string } | null {
  if (readerIds.filter((id) => paid.has(id)).length > 1)
    return {
      message:
        'More than one of these readers has a paid subscription that runs: one record would hold more or less than was bought',
      hint: 'Keep them as readers of their own. When all but one have ended, they can be merged.',
    }
  if (readerIds.filter((id) => renewing.has(id)).length > 1)
    return {
      message: 'More than one of these readers renews automatically: one record would be charged twice',
      hint: 'When all but one of the automatic renewals are off, they can be merged.',
    }
  return null
}
