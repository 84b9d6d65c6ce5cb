import { Buyers } from '../buyers/buyers.rows.ts'
import { emailKey } from '../buyers/recognise-buyer.ts'
import { type StoredBuyer, storeBuyer } from '../buyers/store-buyer.ts'
import type { AppContext } from '../context.ts'
import type { OrderRow } from './orders.rows.ts'

/** The buyer of an order that is paid. `hasMoved`: the email of the account is no longer that of the order. */
export interface OrderBuyer extends StoredBuyer {
  hasMoved?: boolean
}

/**
 * The buyer of an order that is being paid, by its email: stored if the email is new to the publication. If the account that placed the order has
 * another email by now, the order is still that account's: whoever has the former email must not get it. Call it as `storeBuyer`.
 */
export async function buyerOfOrder(ctx: AppContext, order: OrderRow): Promise<OrderBuyer> {
  const { publicationId, email, buyerDraft } = order
  const accountId = placedBy(order)
  const account = accountId === null ? null : await Buyers.find(ctx, { id: accountId, publicationId })
  if (account && account.emailKey !== emailKey(email)) return { id: account.id, isNew: false, hasMoved: true }
  return storeBuyer(ctx, publicationId, { ...order, passwordHash: buyerDraft?.passwordHash ?? null })
}

/** The account that placed an order: it was logged in, gave its password, or had proven its email when staff took the order. Null if none did. */
function placedBy({ buyerId, buyerDraft, channel, effortId, renewalId }: OrderRow): number | null {
  if (!buyerDraft || buyerDraft.isUnproven || renewalId !== null) return null
  if (buyerDraft.accountId !== undefined) return buyerDraft.accountId
  if (channel !== 'storefront') return null
  return effortId === null || buyerDraft.isLoggedIn === true ? buyerId : null
}
