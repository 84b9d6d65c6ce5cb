import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { voidLinks } from '../sessions/password-resets.rows.ts'
import { endSessions } from '../sessions/sessions.rows.ts'
import { clearUnprovenPassword } from './buyers.rows.ts'
import { type BuyerRow, buyerSubject } from './live-buyer.ts'

/**
 * Removes the password of an account whose email was never proven, before an order that the account did not place is added to it: whoever chose the
 * password may not own the email. Sessions, tokens and open reset links end; the owner can set a password by an emailed link. Open claims stay valid,
 * since they were sent to the owner's mailbox. Changes nothing if the email is proven. Call it in the order's transaction.
 */
export async function removeUnprovenPassword(
  ctx: AppContext,
  buyer: Pick<BuyerRow, 'id' | 'publisherId'>,
): Promise<void> {
  if (!(await clearUnprovenPassword(ctx, buyer.id))) return
  const endedSessions = await endSessions(ctx, { buyerId: buyer.id }, 'password-changed')
  await voidLinks(ctx, { buyerId: buyer.id })
  await recordAudit(ctx, 'take-buyer-password', buyerSubject(buyer), { endedSessions })
}
