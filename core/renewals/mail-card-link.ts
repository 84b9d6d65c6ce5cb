import { z } from 'zod'
import { keysRefused } from '../agreements/declines.rules.ts'
import { PaymentAgreements } from '../agreements/payment-agreements.rows.ts'
import { openRenewalOf } from '../agreements/renewals.rows.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { liveBuyer } from '../buyers/live-buyer.ts'
import { enqueueMail } from '../jobs/enqueue-mail.ts'
import { conflict, notFound } from '../kernel/errors.ts'
import { IdempotencyKey } from '../kernel/form-fields.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'

const perAgreement = { hits: 3, windowSeconds: 24 * 60 * 60 }

/**
 * Emails the reader of an automatic renewal the link for entering another card, at most three times a day. While a renewal is open the
 * link works without a log-in and pays it; before that it leads to the reader's account. The same key sent twice sends one email.
 */
export const mailCardLink = useCase({
  permission: 'renewal:charge',
  input: z.object({
    agreementId: z.coerce.number('Choose a renewal').int(),
    key: IdempotencyKey,
  }),
  async run(ctx, { agreementId, key }): Promise<{ to: string }> {
    const agreement = await PaymentAgreements.find(ctx, { id: agreementId })
    if (!agreement) throw notFound('This renewal')
    const { publisherId } = await ownPublication(ctx, { id: agreement.publicationId })
    if (agreement.state !== 'active') throw conflict('This automatic renewal is off: nothing is charged to its card')
    if (!ctx.payments[agreement.provider]?.cardUpdate) {
      throw conflict('This renewal is not paid by card', {
        hint: 'The reader can order again and choose another payment method.',
      })
    }
    if ((await openRenewalOf(ctx, agreementId))?.declineCode === keysRefused) {
      throw conflict(
        'Stripe refused the keys at the last charge: until they are corrected, the reader can neither pay nor enter another card',
        { hint: 'If they have been corrected, charge this renewal again first.' },
      )
    }
    const buyer = await liveBuyer(ctx, { id: agreement.buyerId })
    if (!buyer?.email) throw conflict('This reader has no email')
    await countAttempt(ctx, `mail-card-link:${agreementId}`, perAgreement)
    const dedupeKey = `card-link:${agreementId}:${key}`
    await enqueueMail(ctx, 'card-link', { agreementId, key }, { dedupeKey, publisherId })
    await recordAudit(ctx, 'mail-card-link', { type: 'reader', id: agreement.readerId, publisherId }, { agreementId })
    return { to: buyer.email }
  },
})
