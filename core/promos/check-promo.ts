import { z } from 'zod'
import { dayOf } from '../kernel/dates.ts'
import { invalid } from '../kernel/errors.ts'
import { type ApplicableProducts, promoProblem } from '../pricing/discount.rules.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { countTry } from '../rate-limits/rate-limit.ts'
import { giveTryBack } from '../rate-limits/rate-limits.rows.ts'
import { getStorefront } from '../storefronts/get-storefront.query.ts'
import { useCase } from '../use-case.ts'
import { findPromo } from './promo-uses.ts'

/** Wrong guesses at promo codes, per network address. */
export const promoGuesses = { hits: 30, windowSeconds: 15 * 60 }

/** A promo code that applies, as the page needs it to show the reduced price. */
export interface AppliedPromo {
  code: string
  discountPercent: number
  applicableProducts: ApplicableProducts
}

/**
 * Looks a typed promo code up for the chosen plan, or one that came with a link, before a plan is chosen. Takes nothing: the use is taken
 * with the order. Guessing is limited; right codes do not count, so that one address may hold many readers of one newsletter.
 */
export const checkPromo = useCase({
  permission: 'public',
  input: z.object({
    urlKey: z.string().max(100),
    plan: z.string().max(30).optional(),
    promoCode: z.string().trim().max(60).default(''),
  }),
  transaction: 'none',
  async run(ctx, { urlKey, plan, promoCode }): Promise<AppliedPromo> {
    const { address } = ctx.origin
    if (address) await countTry(ctx, `promo-from:${address}`, promoGuesses)
    if (promoCode === '') throw invalid({ promoCode: 'Type the code first' })
    const { id } = await getStorefront(ctx, { urlKey })
    const chosen = plan === undefined ? null : parsePlanCode(plan)
    if (plan !== undefined && !chosen) throw invalid({ plan: 'Choose a subscription' })
    const promo = await findPromo(ctx, id, promoCode)
    const problem = promoProblem(promo, chosen, dayOf(ctx.now(), ctx.settings.timeZone))
    if (problem || !promo) throw invalid({ promoCode: problem ?? '' })
    if (address) await giveTryBack(ctx, `promo-from:${address}`)
    return { code: promo.code, discountPercent: promo.discountPercent, applicableProducts: promo.applicableProducts }
  },
})
