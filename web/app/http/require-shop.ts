import { type AppLoadContext, redirect } from '@remix-run/node'
import type { BuyerProfile } from '#core/buyers/buyer-profile.query.ts'
import type { AppContext } from '#core/context.ts'
import type { Shop } from '../components/storefront/shop-frame.tsx'
import { buyerActor, buyerContext, buyerOf, buyerSessionToken } from './buyer-session.ts'
import { languageFor, type PageLanguage } from './language.ts'
import { returnAddress, safeReturn } from './require-screen.ts'
import { shopOf, storefrontOf } from './storefront-data.ts'
import { visitorCountry } from './visitor-country.ts'

/** The frame of an account page, and the headers that keep a chosen language. */
export interface ShopPage extends PageLanguage {
  shop: Shop
  headers: HeadersInit
}

/** A page of an open storefront, with or without a log-in. A closed one shows its own page. */
export async function requireShop(
  request: Request,
  context: AppLoadContext,
  urlKey: string | undefined,
  country?: string,
): Promise<ShopPage> {
  const storefront = await storefrontOf(context, urlKey ?? '')
  if (storefront.isClosed) throw redirect(`/${storefront.urlKey}`)
  return { shop: shopOf(storefront), ...languageFor(request, context, country ?? visitorCountry(request, context)) }
}

/** A page of a buyer's account. */
export interface AccountPage extends ShopPage {
  /** The use case context of the logged-in buyer. */
  ctx: AppContext
  profile: BuyerProfile
  /** Whose page it is: what was typed is offered again to the same person only. */
  person: string
}

/** Requires a buyer logged in at this storefront; any other visitor is redirected to its log-in and back, or to `returnTo`. */
export async function requireAccount(
  request: Request,
  context: AppLoadContext,
  urlKey: string | undefined,
  returnTo = returnAddress(request, context),
): Promise<AccountPage> {
  const { shop } = await requireShop(request, context, urlKey)
  const actor = await buyerActor(request, context, shop.id)
  if (!actor) {
    const hadSession = buyerSessionToken(request, context, shop.id) !== undefined
    const params = new URLSearchParams({
      ...(returnTo === null ? {} : { returnTo }),
      ...(hadSession ? { reason: 'ended' } : {}),
    })
    throw redirect(`/${shop.urlKey}/login?${params}`)
  }
  const [ctx, profile] = await Promise.all([
    buyerContext(request, context, shop.id),
    buyerOf(request, context, shop.id),
  ])
  if (!profile) throw redirect(`/${shop.urlKey}/login`)
  return {
    ...(await requireShop(request, context, urlKey, profile.lastOrder?.country)),
    ctx,
    profile,
    person: `buyer ${actor.buyerId}`,
  }
}

/** Where to go after a log-in or log-out: the requested page of the same storefront, else by default the account. */
export function returnWithin(
  request: Request,
  context: AppLoadContext,
  urlKey: string,
  fallback = `/${urlKey}/account`,
): string {
  const target = safeReturn(context, new URL(request.url).searchParams.get('returnTo'), fallback)
  const first = target.split(/[/?#]/)[1] ?? ''
  return first.toLowerCase() === urlKey.toLowerCase() ? target : fallback
}
