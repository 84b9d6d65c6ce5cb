import { z } from 'zod'
import { dayOf } from '../kernel/calendar.ts'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type Promo, promosWhere } from './own-promo.ts'
import { type PromoStatus, promoStatus } from './promo.rules.ts'

export interface PromoListItem extends Promo {
  status: PromoStatus
}

/** The promo codes of one of the acting publisher's publications, newest first, with the current state of each. */
export const listPromos = useCase({
  permission: 'promo:read',
  input: z.union([z.object({ publicationId: z.number().int() }), z.object({ urlKey: z.string().max(100) })]),
  transaction: 'none',
  async run(
    ctx,
    which,
  ): Promise<{ publication: { id: number; publicationName: string; urlKey: string }; promos: PromoListItem[] }> {
    const { id, publicationName, urlKey } = await ownPublication(
      ctx,
      'urlKey' in which ? which : { id: which.publicationId },
    )
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    const promos = await promosWhere(ctx, 'c.publication_id = :publicationId', { publicationId: id })
    return {
      publication: { id, publicationName, urlKey },
      promos: promos.map((promo) => ({ ...promo, status: promoStatus(promo, today) })),
    }
  },
})
