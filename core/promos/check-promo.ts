import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { invalid } from '../kernel/errors.ts'
import { type ApplicableProducts, promoProblem } from '../pricing/discount.rules.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { countTry } from '../rate-limits/rate-limit.ts'
import { giveTryBack } from '../rate-limits/rate-limits.rows.ts'
import { openShop } from '../storefronts/open-shop.ts'
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
    if (promoCode === '') throw invalid({ promoCode: 'Type the code first' })
    const chosen = plan === undefined ? null : parsePlanCode(plan)
    if (plan !== undefined && !chosen) throw invalid({ plan: 'Choose a subscription' })
    const { id: publicationId } = await openShop(ctx, { urlKey })
    const { promo, problem } = await countingWrongOnes(ctx, async () => {
      const found = await findPromo(ctx, publicationId, promoCode)
      return { promo: found, problem: promoProblem(found, chosen, dayOf(ctx.now(), ctx.settings.timeZone)) }
    })
    if (problem || !promo) throw invalid({ promoCode: problem ?? '' })
    return { code: promo.code, discountPercent: promo.discountPercent, applicableProducts: promo.applicableProducts }
  },
})

/** Counted before the look and taken back after it, in one transaction: guesses sent at the same moment wait for each other. */
async function countingWrongOnes<Found extends { problem: unknown }>(
  ctx: AppContext,
  look: () => Promise<Found>,
): Promise<Found> {
  const { address } = ctx.origin
  if (!address) return look()
  const key = `promo-from:${address}`
  return ctx.db.transaction(async () => {
    await countTry(ctx, key, promoGuesses)
    const found = await look()
    if (!found.problem) await giveTryBack(ctx, key)
    return found
  })
}
