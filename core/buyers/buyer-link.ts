import { hashToken, newToken } from '../access/tokens.ts'
import type { AppContext } from '../context.ts'
import { type BuyerRow, liveBuyer } from './live-buyer.ts'

const linkHours = 1

/** A link as its mail needs it. The token in it is nowhere else: only its hash is stored. */
export interface MadeBuyerLink {
  url: string
  email: string
  name: string
  publicationId: number
}

/** Makes the link with which a buyer sets a new password and voids the older ones; null where there is no such buyer any more. */
export async function makeBuyerLink(ctx: AppContext, buyerId: number): Promise<MadeBuyerLink | null> {
  const buyer = await liveBuyer(ctx, { id: buyerId })
  if (!buyer) return null
  const token = newToken()
  const now = ctx.now()
  await ctx.db.transaction(async () => {
    await voidLinks(ctx, buyer.id)
    await ctx.db.run(
      `INSERT INTO password_resets (token_hash, buyer_id, expires_at, created_at) VALUES (:tokenHash, :buyerId, :expiresAt, :now)`,
      {
        tokenHash: hashToken(token),
        buyerId: buyer.id,
        expiresAt: new Date(now.getTime() + linkHours * 3_600_000),
        now,
      },
    )
  })
  return {
    url: `${ctx.settings.appUrl}/resetsub/${token}`,
    email: buyer.email,
    name: [buyer.title, buyer.first_name, buyer.last_name].filter(Boolean).join(' '),
    publicationId: buyer.publication_id,
  }
}

/** The buyer whom a token lets set a password; null for an unknown, used, voided or expired one, and where the storefront has closed. */
export async function openBuyerLink(ctx: AppContext, token: string): Promise<{ id: number; buyer: BuyerRow } | null> {
  const [link] = await ctx.db.query<{ id: number; buyer_id: number }>(
    `SELECT id, buyer_id FROM password_resets
     WHERE token_hash = :tokenHash AND buyer_id IS NOT NULL AND used_at IS NULL AND expires_at > :now`,
    { tokenHash: hashToken(token), now: ctx.now() },
  )
  const buyer = link && (await liveBuyer(ctx, { id: link.buyer_id }))
  return link && buyer ? { id: link.id, buyer } : null
}

/** Ends every open link of a buyer. */
export async function voidLinks(ctx: AppContext, buyerId: number): Promise<void> {
  await ctx.db.run(`UPDATE password_resets SET used_at = :now WHERE buyer_id = :buyerId AND used_at IS NULL`, {
    now: ctx.now(),
    buyerId,
  })
}
