import { z } from 'zod'
import { endAgreement, PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { buyerSubject, ownBuyer } from '../buyers/live-buyer.ts'
import { notFound } from '../kernel/errors.ts'
import { recordReaderChange } from '../readers/record-reader-change.ts'
import { notifyBuyer } from '../sessions/notify.ts'
import { useCase } from '../use-case.ts'

/**
 * Ends one of the logged-in buyer's automatic renewals: the paid term is delivered to its end, and no money is taken after that. The
 * buyer is notified by email. Turning off a renewal that is already off changes nothing.
 */
export const turnRenewalOff = useCase({
  permission: 'buyer',
  input: z.object({ agreementId: z.coerce.number('Choose a renewal').int() }),
  async run(ctx, { agreementId }): Promise<{ wasOn: boolean }> {
    const buyer = await ownBuyer(ctx)
    const publicationId = buyer.publicationId
    const agreement = await PaymentAgreements.find(ctx, { id: agreementId, buyerId: buyer.id, publicationId })
    if (!agreement) throw notFound('This renewal')
    const { id, readerId, product } = agreement
    // Of two concurrent cancellations one wins.
    if (!(await endAgreement(ctx, id, 'reader'))) return { wasOn: false }
    if (readerId !== null) {
      const note = 'Automatic renewal turned off by the reader'
      await recordReaderChange(ctx, { readerId, publicationId, kind: 'renewal-off', note })
    }
    await recordAudit(ctx, 'turn-renewal-off', buyerSubject(buyer), { product })
    await notifyBuyer(ctx, buyer, 'renewal-off', { agreementId })
    return { wasOn: true }
  },
})
