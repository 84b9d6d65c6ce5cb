import { z } from 'zod'
import { hashToken } from '../access/tokens.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { useCase } from '../use-case.ts'
import { openBuyerLink } from './buyer-link.ts'

/** More attempts than any buyer needs, but far too few to guess a token of 256 bits. */
const perNetwork = { hits: 60, windowSeconds: 15 * 60 }

export interface CheckedBuyerReset {
  /** The email of the buyer whose password a valid token sets; null for any other token. */
  email: string | null
  /** The storefront of the token, valid or not, so that a new link can be requested there; null for an unknown token. */
  urlKey: string | null
}

/** Whether the token of an emailed link can still set a buyer's password, and at which storefront. */
export const checkBuyerReset = useCase({
  permission: 'public',
  input: z.object({ token: z.string() }),
  transaction: 'none',
  async run(ctx, { token }): Promise<CheckedBuyerReset> {
    await countFromNetwork(ctx, 'buyer-reset', perNetwork)
    const [shop] = await ctx.db.query<{ url_key: string }>(
      `SELECT p.url_key FROM password_resets r JOIN buyers b ON b.id = r.buyer_id JOIN publications p ON p.id = b.publication_id
       WHERE r.token_hash = :tokenHash AND p.removed_at IS NULL`,
      { tokenHash: hashToken(token) },
    )
    const link = await openBuyerLink(ctx, token)
    return { email: link?.buyer.email ?? null, urlKey: shop?.url_key ?? null }
  },
})
