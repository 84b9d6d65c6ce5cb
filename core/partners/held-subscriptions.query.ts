import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { isGiftSql } from '../readers/readers.rows.ts'
import type { Held } from './entitlement.rules.ts'

/** No account is a list of this length; a mistake of somebody's script may be. */
const maxReaders = 200

const columns = `r.id, r.sub_type AS "subType", r.sub_start_on AS "subStartOn", r.sub_end_on AS "subEndOn",
  r.first_name AS "firstName", r.last_name AS "lastName"`

// Plus zero: without statistics SQLite would go through the whole publication instead of the index of buyers.
const ofAccount = `SELECT ${columns} FROM readers r
  WHERE r.buyer_id = :buyerId AND r.publication_id + 0 = :publicationId AND r.is_deleted = :no AND NOT ${isGiftSql}`
const ofEmail = `SELECT ${columns} FROM readers r
  WHERE r.publication_id = :publicationId AND r.key_email = :keyEmail AND r.key_email <> '' AND r.is_deleted = :no`

interface Who {
  publicationId: number
  buyerId: number | null
  email: string | null
}

/** The statement of the subscriptions of somebody, and its values; null where neither account nor email is known. */
function heldBy({ publicationId, buyerId, email }: Who) {
  const parts = [...(buyerId === null ? [] : [ofAccount]), ...(email === null ? [] : [ofEmail])]
  if (parts.length === 0) return null
  return {
    sql: `${parts.join(' UNION ')} ORDER BY "subEndOn" DESC, id LIMIT ${maxReaders}`,
    values: { publicationId, buyerId, keyEmail: email, no: false },
  }
}

/**
 * The subscriptions of one person at a publication: those in the account but the gifts that were given away, and those of the email, where it
 * is known to be theirs. `email` null: it is not.
 */
export async function heldSubscriptions({ db }: Pick<AppContext, 'db'>, who: Who): Promise<(Held & { id: number })[]> {
  const held = heldBy(who)
  return held ? db.query(held.sql, held.values) : []
}

/** The same for an account, and whether it has bought a single or back issue at the publication, in one statement. */
export async function heldAndBought(
  { db }: Pick<AppContext, 'db'>,
  who: Who & { buyerId: number },
): Promise<{ held: Held[]; hasBoughtIssue: boolean }> {
  const held = heldBy(who)
  const rows = await db.prepared.query<Held & { id: number | null; bought: unknown }>(
    `SELECT always.bought, held.* FROM (SELECT EXISTS (SELECT 1 FROM orders o JOIN order_items i ON i.order_id = o.id
       WHERE o.buyer_id = :buyerId AND o.publication_id = :publicationId AND o.state = 'paid' AND i.back_issue_id IS NOT NULL) AS bought) always
     LEFT JOIN (${held?.sql}) held ON TRUE`,
    held?.values,
  )
  return { held: rows.filter(({ id }) => id !== null), hasBoughtIssue: asBoolean(rows[0]?.bought) }
}
