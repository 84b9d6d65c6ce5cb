import { z } from 'zod'
import { recordAudit } from '../access/audit.ts'
import { invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { codeTaken } from './create-promo.ts'
import { ownPromo, type Promo } from './own-promo.ts'
import { endsBeforeItStarts, promoFields } from './promo.input.ts'
import { promoKey } from './promo-uses.ts'

/** Changes a promo code of the acting publisher. Its start stays as it was made; its uses cannot fall below those already taken. */
export const updatePromo = useCase({
  permission: 'promo:write',
  input: z.object({ id: z.coerce.number('Required').int(), ...promoFields }),
  async run(ctx, input): Promise<Promo> {
    const before = await ownPromo(ctx, input.id)
    if (input.startsOn && input.startsOn !== before.startsOn) {
      throw invalid({ startsOn: 'The start date cannot be changed. Make a new code instead.' })
    }
    if (before.startsOn && input.endsOn && input.endsOn < before.startsOn) throw invalid({ endsOn: endsBeforeItStarts })
    const codeKey = promoKey(input.code)
    const [other] = await ctx.db.query(
      `SELECT id FROM promo_codes WHERE publication_id = :publicationId AND code_key = :codeKey AND removed_at IS NULL AND id <> :id`,
      { publicationId: before.publicationId, codeKey, id: before.id },
    )
    if (other) throw invalid({ code: codeTaken })
    // A buyer may take a use at this very moment: the database judges.
    const changed = await ctx.db.run(
      `UPDATE promo_codes SET name = :name, code = :code, code_key = :codeKey, discount_percent = :discountPercent, ends_on = :endsOn,
         uses = :uses, applicable_products = :applicable, updated_at = :now
       WHERE id = :id AND (:uses = 0 OR used <= :uses)`,
      {
        id: before.id,
        name: input.name,
        code: input.code,
        codeKey,
        discountPercent: input.discountPercent,
        endsOn: input.endsOn,
        uses: input.uses,
        applicable: JSON.stringify(input.applicableProducts),
        now: ctx.now(),
      },
    )
    if (changed === 0) {
      throw invalid({ uses: `Must be 0 (unlimited) or at least ${before.used}: so many have been used already` })
    }
    await recordAudit(
      ctx,
      'update-promo',
      { type: 'promo-code', id: before.id, publisherId: before.publisherId },
      { publicationId: before.publicationId, fields: changedFields(before, input) },
    )
    return ownPromo(ctx, before.id)
  },
})

const watched = ['name', 'code', 'discountPercent', 'endsOn', 'uses', 'applicableProducts'] as const

function changedFields(before: Promo, after: Pick<Promo, (typeof watched)[number]>): string[] {
  return watched.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]))
}
