import { z } from 'zod'
import { payeeOf } from '../accounts/payee-of.ts'
import { isDeclineResolved } from '../agreements/declines.rules.ts'
import {
  clearStoredCard,
  endAgreement,
  PaymentAgreements,
  publisherOfAgreement,
  recordStoredCard,
} from '../agreements/payment-agreements.rows.ts'
import { chargeAgainOn, openRenewalOf, returningRenewalOf } from '../agreements/renewals.rows.ts'
import { mayTryCard } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { lockReader } from '../readers/readers.rows.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import type { RowOf } from '../table.ts'
import { useCase } from '../use-case.ts'

type Agreement = RowOf<typeof PaymentAgreements> & { publisherId: number }

/**
 * The job that a provider's message about a card or a mandate enqueues: queries the provider for the stored payment method. A card that its network
 * changed is shown with its new details, and a renewal that was declined for a reason now corrected is due again; an agreement whose mandate is gone
 * ends. Idempotent: repeated runs change nothing.
 */
export const refreshAgreement = useCase({
  permission: 'machine:operate',
  input: z.object({ agreementId: z.number().int() }),
  transaction: 'none',
  async run(ctx, { agreementId }): Promise<void> {
    const row = await PaymentAgreements.find(ctx, { id: agreementId, state: 'active' })
    const publisherId = row && (await publisherOfAgreement(ctx, agreementId))
    const gateway = row && ctx.payments[row.provider]
    if (!row || publisherId === null || !gateway?.lookUpStoredMethod) return
    const agreement = { ...row, publisherId }
    const payee = await payeeOf(ctx, publisherId, row.provider)
    const { details, isMandateGone } = await gateway.lookUpStoredMethod({ payee, storedMethod: row })
    await ctx.db.transaction(async () => {
      await lockReader(ctx, {
        sql: `SELECT reader_id AS "readerId" FROM payment_agreements WHERE id = :agreementId`,
        values: { agreementId },
      })
      if (isMandateGone) await endWithoutMandate(ctx, agreement)
      else if (row.methodReference === null) return
      else if (details === null) await clearStoredCard(ctx, agreementId, row.methodReference)
      else await updateCard(ctx, { ...agreement, methodReference: row.methodReference }, details)
    })
  },
})

/** Locks the renewal before its agreement, as charging does. */
async function updateCard(
  ctx: AppContext,
  agreement: Agreement & { methodReference: string },
  card: { lastFour: string | null; expiresOn: string | null },
): Promise<void> {
  const { id, readerId, publisherId } = agreement
  const openRenewal = await openRenewalOf(ctx, id, { isLocked: true })
  if (!(await recordStoredCard(ctx, agreement, card))) return
  const subject = { type: 'reader', id: readerId, publisherId }
  await recordAudit(ctx, 'change-card', subject, { agreement: id, by: 'card network' })
  const renewal = openRenewal ?? (await returningRenewalOf(ctx, id))
  if (!renewal || !isDeclineResolved(renewal.declineCode, agreement, card)) return
  if (await mayTryCard(ctx, renewal.id, { before: agreement, now: card })) {
    await chargeAgainOn(ctx, id, dayOf(ctx.now(), ctx.settings.timeZone))
  }
}

async function endWithoutMandate(ctx: AppContext, agreement: Agreement): Promise<void> {
  const { id, readerId, publicationId, publisherId, buyerId, product } = agreement
  if (!(await endAgreement(ctx, id, 'mandate'))) return
  if (readerId !== null) {
    const note = 'Automatic renewal ended: the bank ended the direct debit mandate'
    await recordReaderChange(ctx, { readerId, publicationId, kind: 'renewal-off', note })
  }
  await recordAudit(ctx, 'mandate-ended', { type: 'reader', id: readerId, publisherId }, { agreementId: id, product })
  const buyer = await liveBuyer(ctx, { id: buyerId })
  if (buyer) await notifyBuyer(ctx, buyer, 'renewal-off', { agreementId: id })
}
