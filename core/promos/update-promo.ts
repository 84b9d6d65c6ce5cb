import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { BasedOn, refuseOutdated } from '../kernel/based-on.ts'
import { invalid, notFound } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { ownPromo, type Promo } from './own-promo.ts'
import { promoFields } from './promo.input.ts'
import { changePromoCode } from './promo-codes.rows.ts'
import { changedPromoProblems, reportTakenCode, tooFewUses } from './promo-problems.ts'
import { promoKey } from './promo-uses.ts'

/** Changes a promo code of the acting publisher. Its start cannot change; its maximum number of uses cannot be lower than its redemptions so far. */
export const updatePromo = useCase({
  permission: 'promo:write',
  input: z.object({
    id: z.coerce.number('Required').int(),
    /** Passed by callers that know it: a code never moves to another publication. */
    publicationId: z.coerce.number('Must be a number').int().optional(),
    ...promoFields,
    applicableProducts: promoFields.applicableProducts.optional(),
    basedOn: BasedOn,
  }),
  alsoCheck: changedPromoProblems,
  async run(ctx, { basedOn, ...input }): Promise<Promo> {
    const before = await ownPromo(ctx, input.id, { isLocked: true })
    if (input.publicationId !== undefined && input.publicationId !== before.publicationId)
      throw notFound('The promo code')
    refuseOutdated(basedOn, before, input)
    const applicableProducts = input.applicableProducts ?? before.applicableProducts
    // A buyer may redeem the code concurrently: the compare-and-set in the database decides.
    const isChanged = await reportTakenCode(() =>
      changePromoCode(ctx, before.id, {
        name: input.name,
        code: input.code,
        codeKey: promoKey(input.code),
        discountPercent: input.discountPercent,
        endsOn: input.endsOn,
        uses: input.uses,
        applicableProducts,
      }),
    )
    if (!isChanged) throw invalid(tooFewUses(await ownPromo(ctx, before.id), input.uses))
    await recordAudit(
      ctx,
      'update-promo',
      { type: 'promo-code', id: before.id, publisherId: before.publisherId },
      { publicationId: before.publicationId, fields: changedFields(before, { ...input, applicableProducts }) },
    )
    return ownPromo(ctx, before.id)
  },
})

const auditedFields = ['name', 'code', 'discountPercent', 'endsOn', 'uses', 'applicableProducts'] as const

function changedFields(before: Promo, after: Pick<Promo, (typeof auditedFields)[number]>): string[] {
  return auditedFields.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}
