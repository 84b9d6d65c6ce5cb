import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { enqueueMail, type MailSubjects } from '../jobs/enqueue-mail.ts'

/**
 * Enqueues the email that notifies a user of a change of the account; `to`: an address that may no longer be the user's own. Call it in
 * the transaction of the change, after its line in the audit log.
 */
export function notifyUser(
  ctx: AppContext,
  userId: number,
  kind: MailSubjects['account-notice']['kind'],
  to?: string,
): Promise<void> {
  // The email is rendered later: by then the account may have been changed again.
  const at = ctx.now().toISOString()
  return enqueueMail(ctx, 'account-notice', { userId, key: randomUUID(), kind, at, ...(to !== undefined && { to }) })
}

/**
 * Enqueues the email that notifies a buyer of a change of the account or one of its renewals; `to`: an address that may no longer be the
 * account's. Call it in a transaction.
 */
export function notifyBuyer(
  ctx: AppContext,
  buyer: { id: number; publisherId: number },
  kind: MailSubjects['buyer-notice']['kind'],
  { agreementId, to }: { agreementId?: number; to?: string } = {},
): Promise<void> {
  const key = agreementId === undefined ? randomUUID() : `agreement-${agreementId}`
  // The email is rendered later. An agreement stores the time of its change; the time of any other change is stored only here.
  const change = agreementId === undefined ? { at: ctx.now().toISOString() } : { agreementId }
  const details = { ...change, ...(to !== undefined && { to }) }
  return enqueueMail(
    ctx,
    'buyer-notice',
    { buyerId: buyer.id, key, kind, ...details },
    { publisherId: buyer.publisherId },
  )
}
