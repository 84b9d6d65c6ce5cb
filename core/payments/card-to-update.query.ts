import { z } from 'zod'
import type { Day } from '../kernel/dates.ts'
import type { PlanChoice } from '../pricing/plan-code.rules.ts'
import { useCase } from '../use-case.ts'
import { cardAgreement } from './card-agreement.ts'

/** The contents of the page that changes a card. */
export interface CardToUpdate {
  agreementId: number
  plan: PlanChoice
  renewsOn: Day
  /** The demo bank has no fields of its own: the form has only a card number. */
  isDemo: boolean
  /** The publisher's own key, for Stripe's script. */
  publishableKey: string
}

/** The logged-in buyer's renewal whose card is to be changed: the named one, or the next. */
export const cardToUpdate = useCase({
  permission: 'buyer',
  input: z.object({ agreementId: z.coerce.number('The renewal was not found').int().nullable().default(null) }),
  transaction: 'none',
  async run(ctx, { agreementId }): Promise<CardToUpdate> {
    const { id, product, termMonths, renewsOn, payee, provider } = await cardAgreement(ctx, agreementId)
    return {
      agreementId: id,
      plan: { product, termMonths, isRecurring: false },
      renewsOn,
      isDemo: provider === 'demo',
      publishableKey: payee.publishableKey ?? '',
    }
  },
})
