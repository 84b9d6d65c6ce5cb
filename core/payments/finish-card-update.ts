import { z } from 'zod'
import { changeCard } from '../agreements/payment-agreements.rows.ts'
import { chargeAgainOn, openRenewalOf, returningRenewalOf } from '../agreements/renewals.rows.ts'
import { mayTryCard } from '../agreements/settle-renewal.ts'
import { recordAudit } from '../audit/record-audit.ts'
import { buyerSubject } from '../buyers/live-buyer.ts'
import { dayOf } from '../kernel/calendar.ts'
import { conflict } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { cardAgreement } from './card-agreement.ts'

/**
 * Stores the card that the logged-in buyer entered for a renewal: trusts the provider's answer to the server, never the browser. A
 * renewal that was declined or waits for the buyer is due again immediately; with the same card number, only up to the limit of its cycle. Idempotent
 * for the same card.
 */
export const finishCardUpdate = useCase({
  permission: 'buyer',
  input: z.object({
    agreementId: z.coerce.number('Choose a renewal').int(),
    reference: z.string('Required').min(1, 'Required').max(200),
  }),
  transaction: 'none',
  async run(ctx, { agreementId, reference }): Promise<{ isNew: boolean }> {
    const before = await cardAgreement(ctx, agreementId)
    const { id, customerReference, payee, buyer, update } = before
    const card = await update.finish({ payee, reference, customerReference, agreementId: id })
    if (!card) throw conflict('The new card was not confirmed. The previous card is still in use.')
    return ctx.db.transaction(async () => {
      const isNew = await changeCard(ctx, id, card)
      if (isNew) {
        await recordAudit(ctx, 'change-card', buyerSubject(buyer), { agreement: id })
        const renewal = (await openRenewalOf(ctx, id)) ?? (await returningRenewalOf(ctx, id))
        if (renewal && (await mayTryCard(ctx, renewal.id, { before, now: card })))
          await chargeAgainOn(ctx, id, dayOf(ctx.now(), ctx.settings.timeZone))
      }
      return { isNew }
    })
  },
})
