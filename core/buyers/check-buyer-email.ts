import { z } from 'zod'
import { EmailAddress } from '../kernel/email-address.ts'
import { conflict } from '../kernel/errors.ts'
import { countFromNetwork } from '../rate-limits/rate-limit.ts'
import { openShop, shopReference } from '../storefronts/open-shop.ts'
import { useCase } from '../use-case.ts'
import { buyerTexts } from './buyer-texts.rules.ts'
import { emailKey } from './recognise-buyer.ts'

const perNetwork = { hits: 30, windowSeconds: 15 * 60 }

/** Throws `conflict` if an email already has an account at a publication. Rate-limited, since it reveals who has an account. */
export const checkBuyerEmail = useCase({
  permission: 'public',
  input: z.object({ ...shopReference, email: EmailAddress }),
  transaction: 'none',
  async run(ctx, { email, ...shopRef }): Promise<void> {
    await countFromNetwork(ctx, 'buyer-email', perNetwork)
    const shop = await openShop(ctx, shopRef)
    const [existing] = await ctx.db.query<{ id: number }>(
      `SELECT id FROM buyers WHERE publication_id = :publicationId AND email_key = :key`,
      { publicationId: shop.id, key: emailKey(email) },
    )
    if (existing) throw conflict(buyerTexts.emailExists, { fields: { email: buyerTexts.emailExists } })
  },
})
