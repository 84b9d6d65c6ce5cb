import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { dayOf } from '../kernel/calendar.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { ownPromo, type Promo } from './own-promo.ts'
import { promoFields } from './promo.input.ts'
import { everyProduct } from './promo.rules.ts'
import { PromoCodes } from './promo-codes.rows.ts'
import { newPromoProblems, reportTakenCode } from './promo-problems.ts'
import { promoKey } from './promo-uses.ts'

/** Adds a promo code to one of the acting publisher's publications. A code is unique there, ignoring case; a blank start is today. */
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
    const id = await reportTakenCode(() =>
      PromoCodes.insert(ctx, {
        publicationId,
        name: input.name,
        code: input.code,
        codeKey: promoKey(input.code),
        discountPercent: input.discountPercent,
        startsOn: input.startsOn ?? today,
        endsOn: input.endsOn,
        uses: input.uses,
        applicableProducts: input.applicableProducts,
      }),
    )
    await recordAudit(
      ctx,
      'add-promo',
      { type: 'promo-code', id, publisherId },
      { publicationId, discountPercent: input.discountPercent, uses: input.uses },
    )
    return ownPromo(ctx, id)
  },
})
