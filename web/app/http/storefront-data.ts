import type { AppLoadContext } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import type { Services } from '#core/context.ts'
import { isAppError } from '#core/kernel/errors.ts'
import { plansFor } from '#core/pricing/price-table.rules.ts'
import { bandOf, currencyOf } from '#core/pricing/region.rules.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import type { Storefront } from '#core/storefronts/storefront.rules.ts'
import type { PageShop } from '../components/storefront/shop-error-page.tsx'
import { visitorContext } from './session.ts'

/** Changes by other processes are visible within this time, in milliseconds; orders are priced from the database in any case. */
const maxAgeMs = 5_000
const maxCount = 500

interface CachedStorefront {
  storefront: Promise<Storefront>
  /** Changes by this process are visible immediately: they increase the version. */
  version: number
  /** In milliseconds since 1970. */
  readAt: number
}

type StorefrontCache = LRUCache<string, CachedStorefront>

/** One per set of services, so that two servers in one process (tests) do not share it. */
const caches = new WeakMap<Services, StorefrontCache>()

/** A storefront, the same for all visitors, cached; a closed one too (`isClosed`). */
export function storefrontOf(context: AppLoadContext, urlKey: string): Promise<Storefront> {
  const cache = cacheOf(context)
  const key = urlKey.toLowerCase()
  const { db, now } = context.services
  const readAt = now().getTime()
  const cached = cache.get(key)
  const age = cached && readAt - cached.readAt
  if (age !== undefined && age >= 0 && age < maxAgeMs && cached?.version === db.storefrontVersion())
    return cached.storefront
  const entry = { version: db.storefrontVersion(), readAt }
  const storefront = getStorefront(visitorContext(context), { urlKey, includeClosed: true })
  cache.set(key, { storefront, ...entry })
  // Not-found results are not cached: the storefront may be created the next moment.
  storefront.catch(() => cache.delete(key))
  return storefront
}

/** The storefront of an order's page. The buyer can always open that page, so the storefront of a removed title is returned too. */
export async function storefrontOfOrder(context: AppLoadContext, urlKey: string): Promise<Storefront> {
  try {
    return await storefrontOf(context, urlKey)
  } catch (error) {
    if (!isAppError(error) || error.kind !== 'notFound') throw error
    return getStorefront(visitorContext(context), { urlKey, includeClosed: true, includeRemoved: true })
  }
}

/**
 * Declares that the page of this storefront is the same for every visitor except for its form key, so that it may be cached as long as its
 * data (`page-cache.ts`). For pages that depend only on the address, the visitor's country and the chosen language.
 */
export function cachePage(context: AppLoadContext, urlKey: string, formKey: string): void {
  const key = urlKey.toLowerCase()
  const cached = cacheOf(context).get(key)
  if (cached) context.pages.offer({ urlKey: key, formKey, readAt: cached.readAt, freshUntil: cached.readAt + maxAgeMs })
}

/** Invalidates a storefront's cached data and pages, after an order showed that they are stale. */
export function dropStorefront(context: AppLoadContext, urlKey: string): void {
  const key = urlKey.toLowerCase()
  cacheOf(context).delete(key)
  context.pages.drop(key)
}

function cacheOf({ services }: AppLoadContext): StorefrontCache {
  let cache = caches.get(services)
  if (!cache) {
    cache = new LRUCache({ max: maxCount })
    caches.set(services, cache)
  }
  return cache
}

/** The shop of a page, for its error page; null if there is none, or it cannot be loaded. */
export async function shopOfAddress(context: AppLoadContext, urlKey: string | undefined): Promise<PageShop | null> {
  if (!urlKey) return null
  const storefront = await storefrontOf(context, urlKey).catch(() => null)
  return (
    storefront && { urlKey: storefront.urlKey, publicationName: storefront.publicationName, theme: storefront.theme }
  )
}

/** The frame data of storefront pages: without prices and issues, which depend on the country. */
export function shopOf({ prices: _, backIssues, ...shop }: Storefront) {
  return { ...shop, hasIssues: backIssues.length > 0 }
}

/**
 * The prices of a storefront for a country: its plans and their currency. A publisher that does not sell overseas shows all visitors the
 * domestic prices.
 */
export function offerOf(storefront: Storefront, visitorsCountry: string) {
  const { country: home, sellsOverseas } = storefront.publisher
  const country = sellsOverseas ? visitorsCountry : home
  return {
    country,
    isOneCountry: !sellsOverseas,
    currency: currencyOf(bandOf(country)),
    plans: plansFor(storefront, country),
  }
}
