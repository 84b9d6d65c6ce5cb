import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { ownPromo, type Promo } from './own-promo.ts'

/** One promo code of the acting publisher. */
export const getPromo = useCase({
  permission: 'promo:read',
  input: z.object({ id: z.number().int() }),
  transaction: 'none',
  run: (ctx, { id }): Promise<Promo> => ownPromo(ctx, id),
})
