import { randomUUID } from 'node:crypto'
import type { AppContext } from '../context.ts'
import { leaveMail, type MailSubjects } from '../jobs/leave-mail.ts'

/** Leaves the mail that tells a user what happened to the account; `to`: an address that is no longer the user's own. Belongs in a transaction. */
export function notifyUser(
  ctx: AppContext,
  userId: number,
  kind: MailSubjects['account-notice']['kind'],
  to?: string,
): Promise<void> {
  return leaveMail(ctx, 'account-notice', { userId, key: randomUUID(), kind, ...(to !== undefined && { to }) })
}

/** Leaves the mail that tells a reader what happened to the account or to one of its renewals. Belongs in a transaction. */
export function notifyBuyer(
  ctx: AppContext,
  buyer: { id: number; publisherId: number },
  kind: MailSubjects['buyer-notice']['kind'],
  agreementId?: number,
): Promise<void> {
  const key = agreementId === undefined ? randomUUID() : `agreement-${agreementId}`
  return leaveMail(
    ctx,
    'buyer-notice',
    { buyerId: buyer.id, key, kind, ...(agreementId !== undefined && { agreementId }) },
    { publisherId: buyer.publisherId },
  )
}
