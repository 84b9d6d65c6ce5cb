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
    /** The delivery address. */
    address: Pick<PostalAddress, 'lastName' | 'postCode'>
  },
): Promise<number[]> {
  const { publicationId, email, isGift, readerId, address } = order
  if (isGift) return []
  if (readerId) return [readerId]
  const buyer = await Buyers.find(ctx, { publicationId, emailKey: emailKey(email) })
  return idsToExtend(ctx, { publicationId, buyerId: buyer?.id ?? null, email, address })
}
