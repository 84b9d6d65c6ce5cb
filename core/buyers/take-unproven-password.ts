import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { voidLinks } from '../sessions/password-resets.rows.ts'
import { endSessions } from '../sessions/sessions.rows.ts'
import { clearUnprovenPassword } from './buyers.rows.ts'
import { type BuyerRow, buyerSubject } from './live-buyer.ts'

/**
 * Takes away the password of an account whose email was never proven, before an order that the account did not place goes into it: whoever
 * chose the password may not own the email. Sessions, tokens and open links end; the owner sets a password by an emailed link, also by an
 * earlier one: it went to the owner's mailbox. Changes nothing
 * if the email is proven. Call it in the order's transaction.
 */
export async function takeUnprovenPassword(
  ctx: AppContext,
  buyer: Pick<BuyerRow, 'id' | 'publisherId'>,
): Promise<void> {
  if (!(await clearUnprovenPassword(ctx, buyer.id))) return
  const endedSessions = await endSessions(ctx, { buyerId: buyer.id }, 'password-changed')
  await voidLinks(ctx, { buyerId: buyer.id })
  await recordAudit(ctx, 'take-buyer-password', buyerSubject(buyer), { endedSessions })
}
