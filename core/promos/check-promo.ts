import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import { invalid } from '../kernel/errors.ts'
import { type ApplicableProducts, promoProblem } from '../pricing/discount.rules.ts'
import { parsePlanCode } from '../pricing/plan-code.rules.ts'
import { countAttempt, networkKey, refusePastLimit } from '../rate-limits/rate-limit.ts'
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
 * Looks up a typed promo code for the chosen plan, or one from a link before a plan is chosen. It does not count as a use: the
 * order does. Guesses are rate-limited; correct codes do not count, so that many readers of one newsletter may share an address.
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
    const { promo, problem } = await limitGuesses(ctx, async () => {
      const match = await findPromo(ctx, publicationId, promoCode)
      return { promo: match, problem: promoProblem(match, chosen, dayOf(ctx.now(), ctx.settings.timeZone)) }
    })
    if (problem || !promo) throw invalid({ promoCode: problem ?? '' })
    return { code: promo.code, discountPercent: promo.discountPercent, applicableProducts: promo.applicableProducts }
  },
})

/** The last pending check of each address: concurrent guesses wait for each other. */
const lookups = new Map<string, Promise<unknown>>()

/**
 * Checks a code, unless this address has guessed wrong too often, and counts a wrong guess before it responds. A correct code writes nothing: a
 * link with a code is opened by thousands. Each process handles the checks of an address one by one, so concurrent guesses exceed the limit by at
 * most one for each further process.
 */
async function limitGuesses<Result extends { problem: unknown }>(
  ctx: AppContext,
  lookUp: () => Promise<Result>,
): Promise<Result> {
  const key = networkKey(ctx, 'promo')
  if (!key) return lookUp()
  const previous = lookups.get(key) ?? Promise.resolve()
  const check = previous.then(async () => {
    await refusePastLimit(ctx, key, promoGuesses)
    const result = await lookUp()
    if (result.problem) await countAttempt(ctx, key, promoGuesses)
    return result
  })
  const settled = check.catch(() => {})
  lookups.set(key, settled)
  try {
    return await check
  } finally {
    if (lookups.get(key) === settled) lookups.delete(key)
  }
}
