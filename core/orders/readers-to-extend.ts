import { Buyers } from '../buyers/buyers.rows.ts'
import { emailKey } from '../buyers/recognise-buyer.ts'
import type { AppContext } from '../context.ts'
import type { PostalAddress } from '../kernel/postal-address.ts'
import { idsToExtend } from '../readers/subscribe-reader.ts'

/** The readers whose records an order by staff may extend: the chosen one, or those found by its email. They are locked together, before the order. */
export async function readersToExtend(
  ctx: AppContext,
  order: {
    publicationId: number
    email: string
    isGift: boolean
    readerId?: number | null | undefined
    /** The account, if it is known. */
    buyerId?: number | null
    /** The delivery address. */
    address: Pick<PostalAddress, 'lastName' | 'postCode'>
  },
): Promise<number[]> {
  const { publicationId, email, isGift, readerId, buyerId, address } = order
  if (isGift) return []
  if (readerId) return [readerId]
  const accountId = buyerId ?? (await Buyers.find(ctx, { publicationId, emailKey: emailKey(email) }))?.id ?? null
  return idsToExtend(ctx, { publicationId, buyerId: accountId, email, address })
}
