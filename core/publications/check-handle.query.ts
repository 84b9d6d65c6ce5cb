import { z } from 'zod'
import { conflict, invalid } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { handleMessages, handlePattern, isReservedHandle } from './handle.rules.ts'

/**
 * Whether a handle is available. Throws `invalid` for characters it may not have and `conflict` (field `urlKey`) if it is taken, by
 * any publisher, in any case, or is one of the product's own addresses. A removed publication keeps its handle: it can come back.
 */
export const checkHandle = useCase({
  permission: 'publication:write',
  input: z.object({ urlKey: z.string().trim().min(1, 'Required').max(100, 'Must be 100 characters or fewer') }),
  transaction: 'none',
  async run(ctx, { urlKey }): Promise<{ isFree: true }> {
    if (!handlePattern.test(urlKey)) throw invalid({ urlKey: handleMessages.characters })
    const [other] = await ctx.db.query(`SELECT id FROM publications WHERE url_key_lower = :key`, {
      key: urlKey.toLowerCase(),
    })
    if (other || isReservedHandle(urlKey)) {
      throw conflict(handleMessages.taken, { fields: { urlKey: handleMessages.taken } })
    }
    return { isFree: true }
  },
})
