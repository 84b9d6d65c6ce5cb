import type { AppContext } from '../context.ts'
import type { Language } from '../kernel/languages.ts'
import { findLink, makeLink } from '../sessions/password-resets.rows.ts'
import { type BuyerRow, liveBuyer } from './live-buyer.ts'

/** A link with the data of its email. The token is only in the link: the database has its hash. */
export interface BuyerLink {
  url: string
  email: string
  name: string
  /** Null: unknown. */
  language: Language | null
  publicationId: number
}

/** Creates a link for setting a new password, and voids older ones; null if there is no such buyer or the storefront has closed. */
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

/** The link of a token, with its buyer; null if it is unknown, used, voided or expired, or if the storefront has closed. */
export async function openBuyerLink(ctx: AppContext, token: string): Promise<{ id: number; buyer: BuyerRow } | null> {
  const link = await findLink(ctx, 'buyerId', token)
  const buyer = link && (await liveBuyer(ctx, { id: link.ownerId }))
  return link && buyer ? { id: link.id, buyer } : null
}
