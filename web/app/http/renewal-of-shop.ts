import { type RenewalByLink, renewalByLink } from '#core/charging/renew-by-link.ts'
import type { AppContext } from '#core/context.ts'
import { notFound } from '#core/kernel/errors.ts'

/** The renewal that the key of an emailed link belongs to; not found under the address of another shop. */
export async function renewalOfShop(
  ctx: AppContext,
  shop: { id: number },
  key: string | undefined,
): Promise<RenewalByLink> {
  const renewal = await renewalByLink(ctx, { key })
  if (renewal.publicationId !== shop.id) throw notFound('This link')
  return renewal
}
