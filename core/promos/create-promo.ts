import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { dayOf } from '../kernel/dates.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { ownPromo, type Promo } from './own-promo.ts'
import { promoFields } from './promo.input.ts'
import { everyProduct } from './promo.rules.ts'
import { newPromoProblems, refusingTakenCode } from './promo-problems.ts'
import { promoKey } from './promo-uses.ts'

/**
 * Adds a promo code to one of the acting publisher's publications. A code is unique there without regard to case; a blank start is
 * today.
 */
export const createPromo = useCase({
  permission: 'promo:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    ...promoFields,
    applicableProducts: promoFields.applicableProducts.prefault(everyProduct),
  }),
  alsoCheck: newPromoProblems,
  async run(ctx, input): Promise<Promo> {
    const { id: publicationId, publisherId } = await ownPublication(ctx, { id: input.publicationId })
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const [made] = await refusingTakenCode(() =>
      ctx.db.query<{ id: number }>(
        `INSERT INTO promo_codes (publication_id, name, code, code_key, discount_percent, starts_on, ends_on, uses, applicable_products, created_at, updated_at)
       VALUES (:publicationId, :name, :code, :codeKey, :discountPercent, :startsOn, :endsOn, :uses, :applicable, :now, :now) RETURNING id`,
        {
          publicationId,
          name: input.name,
          code: input.code,
          codeKey: promoKey(input.code),
          discountPercent: input.discountPercent,
          startsOn: input.startsOn ?? today,
          endsOn: input.endsOn,
          uses: input.uses,
          applicable: JSON.stringify(input.applicableProducts),
          now: ctx.now(),
        },
      ),
    )
    if (!made) throw new Error('The promo code was not written')
    await recordAudit(
      ctx,
      'add-promo',
      { type: 'promo-code', id: made.id, publisherId },
      { publicationId, discountPercent: input.discountPercent, uses: input.uses },
    )
    return ownPromo(ctx, made.id)
  },
})
