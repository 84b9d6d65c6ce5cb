import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import type { Db } from '../dialect.ts'
import { isGiftSql } from '../readers/readers.rows.ts'
import type { HeldSubscription } from './entitlement.rules.ts'

/** No account has a list of this length; a faulty script may produce one. */
const maxReaders = 200

const columns = `r.id, r.sub_type AS "subType", r.sub_start_on AS "subStartOn", r.sub_end_on AS "subEndOn",
  r.first_name AS "firstName", r.last_name AS "lastName"`

// The `+ 0` makes SQLite use the index of buyers even without statistics, instead of scanning the whole publication.
const ofAccount = (buyerId: string) => `SELECT ${columns} FROM readers r
  WHERE r.buyer_id = ${buyerId} AND r.publication_id + 0 = :publicationId AND r.is_deleted = :no AND NOT ${isGiftSql}`
const ofEmail = (email: string) => `SELECT ${columns} FROM readers r
  WHERE r.publication_id = :publicationId AND r.key_email = ${email} AND r.key_email <> '' AND r.is_deleted = :no`

const latestOf = (parts: readonly string[]) =>
  `${parts.join(' UNION ')} ORDER BY "subEndOn" DESC, id LIMIT ${maxReaders}`

interface Subscriber {
  publicationId: number
  buyerId: number | null
  email: string | null
}

/**
 * The subscriptions of one person at a publication: those in the account except gifts for others, and those of the email, if it
 * is known to be theirs. Otherwise `email` is null.
 */
export async function heldSubscriptions(
  { db }: Pick<AppContext, 'db'>,
  { publicationId, buyerId, email }: Subscriber,
): Promise<(HeldSubscription & { id: number })[]> {
  const parts = [
    ...(buyerId === null ? [] : [ofAccount(':buyerId')]),
    ...(email === null ? [] : [ofEmail(':keyEmail')]),
  ]
  if (parts.length === 0) return []
  return db.query(latestOf(parts), { publicationId, buyerId, keyEmail: email, no: false })
}

/**
 * The subscriptions as part of a statement whose table `b` is the buyer, and whether the account has bought a single or back issue: two columns, and
 * the function that reads them from a row. The statement has the values `publicationId` and `no`.
 */
export function subscriptionsSubquery({ dialect }: Db) {
  const provenEmail = `CASE WHEN b.email_proven_at IS NULL THEN NULL ELSE b.email_key END`
  const names = ['id', 'subType', 'subStartOn', 'subEndOn', 'firstName', 'lastName']
  const pairs = names.map((name) => `'${name}', held."${name}"`).join(', ')
  const list =
    dialect === 'postgres'
      ? `CAST(json_agg(json_build_object(${pairs})) AS TEXT)`
      : `json_group_array(json_object(${pairs}))`
  return {
    columns: `(SELECT ${list} FROM (${latestOf([ofAccount('b.id'), ofEmail(provenEmail)])}) held) AS held,
      EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id
        WHERE o.buyer_id = b.id AND o.publication_id = :publicationId AND o.state = 'paid' AND i.back_issue_id IS NOT NULL) AS bought`,
    of: ({ held, bought }: SubscriptionsRow): { subscriptions: HeldSubscription[]; hasBoughtIssue: boolean } => ({
      subscriptions: held === null ? [] : JSON.parse(held),
      hasBoughtIssue: asBoolean(bought),
    }),
  }
}

/** The columns that `subscriptionsSubquery` reads. */
export interface SubscriptionsRow {
  /** JSON; null if there is none. */
  held: string | null
  bought: unknown
}
