import { recordAudit } from '../audit/record-audit.ts'
import { contextFor } from '../context.ts'
import { missingShop } from '../storefronts/open-shop.ts'
import { useCase } from '../use-case.ts'
import { type BuyerProfile, buyerProfile } from './buyer-profile.query.ts'
import { signBuyerToken } from './buyer-token.ts'
import { recordBuyerLogIn } from './buyers.rows.ts'
import { BuyerCredentials, checkBuyerCredentials } from './check-buyer-credentials.ts'
import { buyerSubject } from './live-buyer.ts'

/** Logs in a returning buyer for an API client: returns a token for the buyer's own calls, and the profile for the order form. */
export const issueBuyerToken = useCase({
  permission: 'public',
  input: BuyerCredentials,
  transaction: 'none',
  alsoCheck: missingShop,
  async run(ctx, input): Promise<{ token: string; profile: BuyerProfile }> {
    const buyer = await checkBuyerCredentials(ctx, input)
    const token = await signBuyerToken(ctx, buyer)
    await ctx.db.transaction(async () => {
      await recordBuyerLogIn(ctx, buyer.id, null)
      await recordAudit(ctx, 'buyer-log-in', buyerSubject(buyer), { as: 'token' })
    })
    const actor = { kind: 'buyer', buyerId: buyer.id, publicationId: buyer.publicationId } as const
    return { token, profile: await buyerProfile(contextFor(ctx, actor, ctx.origin), {}) }
  },
})
