import { z } from 'zod'
import { endAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import { notFound } from '../kernel/errors.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'

/**
 * Ends a reader's automatic renewal on behalf of staff, and its open renewal: what is paid for is delivered, and no more money is taken. The
 * buyer is notified by email. Idempotent.
 */
export const stopRenewal = useCase({
  permission: 'renewal:charge',
  input: z.object({ agreementId: z.coerce.number('Choose a renewal').int() }),
  async run(ctx, { agreementId }): Promise<{ wasOn: boolean }> {
    const agreement = await PaymentAgreements.find(ctx, { id: agreementId })
    if (!agreement) throw notFound('This renewal')
    const { publisherId, id: publicationId } = await ownPublication(ctx, { id: agreement.publicationId })
    if (!(await endAgreement(ctx, agreementId, 'staff'))) return { wasOn: false }
    const { readerId, buyerId, product } = agreement
    if (readerId !== null) {
      const note = 'Automatic renewal stopped by the publisher'
      await recordReaderChange(ctx, { readerId, publicationId, kind: 'renewal-off', note })
    }
    await recordAudit(ctx, 'stop-renewal', { type: 'reader', id: readerId, publisherId }, { agreementId, product })
    const buyer = await liveBuyer(ctx, { id: buyerId })
    if (buyer) await notifyBuyer(ctx, buyer, 'renewal-off', { agreementId })
    return { wasOn: true }
  },
})
