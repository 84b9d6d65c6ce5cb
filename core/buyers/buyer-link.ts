import type { AppContext } from '../context.ts'
import type { Language } from '../kernel/languages.ts'
import { findLink, makeLink } from '../sessions/password-resets.rows.ts'
import { type BuyerRow, liveBuyer } from './live-buyer.ts'

/** A link as its email needs it. Its token is stored nowhere else, only its hash. */
export interface BuyerLink {
  url: string
  email: string
  name: string
  /** Null: not known. */
  language: Language | null
  publicationId: number
}

/** Creates the link with which a buyer sets a new password and voids the older ones; null if there is no such buyer, or the storefront has closed. */
export async function makeBuyerLink(ctx: AppContext, buyerId: number): Promise<BuyerLink | null> {
  const buyer = await liveBuyer(ctx, { id: buyerId })
  if (!buyer) return null
  const token = await makeLink(ctx, { buyerId: buyer.id }, 'reset')
  return {
    url: `${ctx.settings.appUrl}/resetsub/${token}`,
    email: buyer.email,
    name: [buyer.title, buyer.firstName, buyer.lastName].filter(Boolean).join(' '),
    language: buyer.language,
    publicationId: buyer.publicationId,
  }
}

/** The buyer whom a token lets set a password; null for an unknown, used, voided or expired one, and where the storefront has closed. */
export async function openBuyerLink(ctx: AppContext, token: string): Promise<{ id: number; buyer: BuyerRow } | null> {
  const link = await findLink(ctx, 'buyerId', token)
  const buyer = link && (await liveBuyer(ctx, { id: link.ownerId }))
  return link && buyer ? { id: link.id, buyer } : null
}
