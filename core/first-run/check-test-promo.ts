import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import { invalid } from '../kernel/errors.ts'
import { promoProblem } from '../pricing/discount.rules.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import type { AppliedPromo } from '../promos/check-promo.ts'
import { findPromo } from '../promos/promo-uses.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'

/** Looks a promo code up in the preview of one of the publisher’s titles, by the rules of its storefront. */
export const checkTestPromo = useCase({
  permission: 'order:test',
  input: z.object({
    urlKey: z.string().max(100),
    plan: z.string().max(30).default(''),
    promoCode: z.string().trim().max(60).default(''),
  }),
  transaction: 'none',
  async run(ctx, { urlKey, plan, promoCode }): Promise<AppliedPromo> {
    if (promoCode === '') throw invalid({ promoCode: 'Type the code first' })
    const chosen = parsePlanCode(plan)
    if (!chosen) throw invalid({ plan: 'Choose a subscription' })
    const { id } = await ownPublication(ctx, { urlKey })
    const promo = await findPromo(ctx, id, promoCode)
    const problem = promoProblem(promo, chosen, dayOf(ctx.now(), ctx.settings.timeZone))
    if (problem || !promo) throw invalid({ promoCode: problem ?? '' })
    return { code: promo.code, discountPercent: promo.discountPercent, applicableProducts: promo.applicableProducts }
  },
})
