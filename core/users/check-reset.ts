import { z } from 'zod'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import type { LinkPurpose } from '../sessions/password-resets.rows.ts'
import { useCase } from '../use-case.ts'
import { openPasswordLink } from './password-link.ts'

/** More than any user needs, but far too few to guess a token of 256 bits. */
const perNetwork = { hits: 60, windowSeconds: 15 * 60 }

/** The purpose and the user of an emailed link that can still set a password; null if it cannot. */
export const checkReset = useCase({
  permission: 'public',
  input: z.object({ token: z.string() }),
  transaction: 'none',
  async run(ctx, { token }): Promise<{ purpose: LinkPurpose; firstName: string; email: string } | null> {
    await countFromNetwork(ctx, 'reset', perNetwork)
    const link = await openPasswordLink(ctx, token)
    return link && { purpose: link.purpose, firstName: link.user.firstName, email: link.user.email }
  },
})
