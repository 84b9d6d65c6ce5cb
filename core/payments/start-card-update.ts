import { z } from 'zod'
import { countAttempt } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { cardAgreement } from './card-agreement.ts'

const perBuyer = { hits: 20, windowSeconds: 60 * 60 }

/** Starts a card update for one of the logged-in buyer’s renewals. No money is taken; the browser confirms with the secret. */
export const startCardUpdate = useCase({
  permission: 'buyer',
  input: z.object({ agreementId: z.coerce.number('Choose a renewal').int() }),
  transaction: 'none',
  async run(ctx, { agreementId }): Promise<{ clientSecret: string }> {
    const { id, customerReference, payee, buyer, update } = await cardAgreement(ctx, agreementId)
    await countAttempt(ctx, `card-update:${buyer.id}`, perBuyer)
    const { clientSecret } = await update.begin({ payee, customerReference, agreementId: id })
    return { clientSecret }
  },
})
