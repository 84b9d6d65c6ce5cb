import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import { useCase } from '../use-case.ts'
import { ownPromo } from './own-promo.ts'
import { PromoCodes } from './promo-codes.rows.ts'

/** Removes a promo code: it no longer works and can be reused. Orders that used it keep it. */
export const deletePromo = useCase({
  permission: 'promo:write',
  input: z.object({ id: z.coerce.number('Required').int() }),
  async run(ctx, { id }): Promise<{ id: number; publicationId: number; code: string; used: number }> {
    const promo = await ownPromo(ctx, id)
    await PromoCodes.update(ctx, { id }, { removedAt: ctx.now() })
    await recordAudit(
      ctx,
      'delete-promo',
      { type: 'promo-code', id, publisherId: promo.publisherId },
      { publicationId: promo.publicationId, used: promo.used },
    )
    return { id, publicationId: promo.publicationId, code: promo.code, used: promo.used }
  },
})
