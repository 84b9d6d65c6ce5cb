import { narrowedTo, type RenewalScope } from '../agreements/renewal-scope.query.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import type { SeriesState } from './renewal-series.rows.ts'

/** Which series: of one title, of one publisher, or all. */
export type SeriesScope = RenewalScope

export interface RunningSeries extends SeriesState {
  publicationId: number
  publisherId: number
  /** The account sends renewal emails: the publisher's switch for all titles. */
  isAccountOn: boolean
  /** The publisher's country, which also counts as the country of readers without one. */
  homeCountry: string
}

/**
 * The series that may send something, ordered by title id: the title is neither removed nor an example, its publisher is active, and both the account
 * and the title are switched on. With `includeOff`, also those that are switched off by the title or the account.
 */
export async function runningSeries(
  { db }: Pick<AppContext, 'db'>,
  { includeOff = false, ...scope }: SeriesScope & { includeOff?: boolean },
): Promise<RunningSeries[]> {
  const narrow = narrowedTo(scope, { publicationId: 'p.id', publisherId: 'p.publisher_id' })
  const isOn = includeOff ? '' : 'AND c.automated_renewal_emails AND (s.is_on IS NULL OR s.is_on)'
  const rows = await db.query<RunningSeries>(
    `SELECT p.id AS "publicationId", p.publisher_id AS "publisherId", c.automated_renewal_emails AS "isAccountOn", COALESCE(c.country, '') AS "homeCountry",
       COALESCE(s.is_on, :yes) AS "isOn", COALESCE(s.has_own_efforts, :no) AS "hasOwnEfforts"
     FROM publications p JOIN users u ON u.id = p.publisher_id JOIN accounts c ON c.user_id = p.publisher_id
       LEFT JOIN renewal_series s ON s.publication_id = p.id
     WHERE p.removed_at IS NULL AND NOT p.is_example AND u.is_active ${isOn}${narrow.sql} ORDER BY p.id`,
    { yes: true, no: false, ...narrow.values },
  )
  return rows.map((row) => ({
    ...row,
    isAccountOn: asBoolean(row.isAccountOn),
    isOn: asBoolean(row.isOn),
    hasOwnEfforts: asBoolean(row.hasOwnEfforts),
  }))
}
