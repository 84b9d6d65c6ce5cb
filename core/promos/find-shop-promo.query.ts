import { z } from 'zod'
import { AppError } from '../kernel/errors.ts'
import { promoMessages } from '../pricing/discount.rules.ts'
import { countAttempt, networkKey } from '../rate-limits/rate-limit.ts'
import { removeAttempt } from '../rate-limits/rate-limits.rows.ts'
import { useCase } from '../use-case.ts'
import { promoGuesses } from './check-promo.ts'
import { type FoundPromo, findPromo } from './promo-uses.ts'

/**
 * A publication's promo code by what a buyer typed, with everything that decides whether it applies. Guesses are
 * rate-limited as on the storefront.
 */
export const findShopPromo = useCase({
  permission: 'public',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    code: z.string('Required').trim().min(1, 'Required').max(60),
  }),
  transaction: 'none',
  async run(ctx, { publicationId, code }): Promise<FoundPromo> {
    const key = networkKey(ctx, 'promo')
    if (key) await countAttempt(ctx, key, promoGuesses)
    const promo = await findPromo(ctx, publicationId, code)
    if (!promo) throw new AppError('notFound', promoMessages.invalid)
    if (key) await removeAttempt(ctx, key)
    return promo
  },
})
