import type { AppContext } from '../context.ts'
import { unauthenticated } from '../kernel/errors.ts'
import type { RowOf } from '../table.ts'
import { Buyers } from './buyers.rows.ts'

/** A buyer's row, with the publisher of the publication. */
export type BuyerRow = RowOf<typeof Buyers> & { publisherId: number }

type BuyerRef = { id: number } | { publicationId: number; emailKey: string } | { id: number; publicationId: number }

/** A buyer whose storefront is open: its publication exists and its publisher is active. Otherwise undefined. */
export async function liveBuyer({ db }: Pick<AppContext, 'db'>, filter: BuyerRef): Promise<BuyerRow | undefined> {
  const conditions = [
    ...('id' in filter ? ['b.id = :id'] : []),
    ...('publicationId' in filter ? ['b.publication_id = :publicationId'] : []),
    ...('emailKey' in filter ? ['b.email_key = :emailKey'] : []),
  ]
  const [row] = await Buyers.rows<{ publisherId: number }>(
    { db },
    `SELECT ${Buyers.columns('b')}, p.publisher_id AS "publisherId"
     FROM buyers b JOIN publications p ON p.id = b.publication_id JOIN users u ON u.id = p.publisher_id
     WHERE ${conditions.join(' AND ')} AND p.removed_at IS NULL AND NOT p.is_example AND u.is_active`,
    { ...filter },
  )
  return row
}

/** The authorisation guard of every buyer use case: returns the logged-in buyer, at the publication of the session. */
export async function ownBuyer(ctx: AppContext): Promise<BuyerRow> {
  if (ctx.actor.kind !== 'buyer') throw unauthenticated()
  const { buyerId, publicationId } = ctx.actor
  const buyer = await liveBuyer(ctx, { id: buyerId, publicationId })
  if (!buyer) throw unauthenticated()
  return buyer
}

/** A buyer as the subject of an audit row, filed under the publisher of the publication. */
export function buyerSubject(buyer: Pick<BuyerRow, 'id' | 'publisherId'>): {
  type: 'buyer'
  id: number
  publisherId: number
} {
  return { type: 'buyer', id: buyer.id, publisherId: buyer.publisherId }
}
