import type { AppLoadContext } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import type { Services } from '#core/context.ts'
import { plansFor } from '#core/pricing/price-table.rules.ts'
import { bandOf, currencyOf } from '#core/pricing/region.rules.ts'
import { getStorefront } from '#core/storefronts/get-storefront.query.ts'
import type { Storefront } from '#core/storefronts/storefront.rules.ts'
import type { PageShop } from '../components/storefront/shop-error-page.tsx'
import { visitorContext } from './session.ts'

/** A change that another process made shows at the latest after this; an order is priced by what is stored, whatever a page showed. */
const maxAgeMs = 5_000
const maxCount = 500

interface CachedStorefront {
  storefront: Promise<Storefront>
  /** A change that this process made shows at once: the version has moved on then. */
  version: number
  madeAt: number
}

type StorefrontCache = LRUCache<string, CachedStorefront>

/** One for each set of services, so that two servers in one process (tests) do not share. */
const caches = new WeakMap<Services, StorefrontCache>()

/** A storefront, the same for all visitors and read once for many of them; a closed one too (`isClosed`). */
export function storefrontOf(context: AppLoadContext, urlKey: string): Promise<Storefront> {
  const cache = cacheOf(context)
  const key = urlKey.toLowerCase()
  const { db, now } = context.services
  const madeAt = now().getTime()
  const cached = cache.get(key)
  const age = cached && madeAt - cached.madeAt
  if (age !== undefined && age >= 0 && age < maxAgeMs && cached?.version === db.storefrontVersion())
    return cached.storefront
  const made = { version: db.storefrontVersion(), madeAt }
  const storefront = getStorefront(visitorContext(context), { urlKey, evenClosed: true })
  cache.set(key, { storefront, ...made })
  // What is not found is asked for again: it may be made the next moment.
  storefront.catch(() => cache.delete(key))
  return storefront
}

/**
 * Says that the page of this storefront is the same for every visitor but for its form key, so that it may be cached as long as what it
 * shows (`page-cache.ts`). For a page that goes by its address, the visitor's country and the language they chose, and nothing else.
 */
export function cachePage(context: AppLoadContext, urlKey: string, formKey: string): void {
  const key = urlKey.toLowerCase()
  const cached = cacheOf(context).get(key)
  if (cached) context.pages.offer({ urlKey: key, formKey, madeAt: cached.madeAt, until: cached.madeAt + maxAgeMs })
}

/** Drops what is cached of a storefront, after an order showed that it is out of date. */
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

/** The shop that a page stands in, for what is said when the page itself fails; null where there is none, or it cannot be read. */
export async function shopAround(context: AppLoadContext, urlKey: string | undefined): Promise<PageShop | null> {
  if (!urlKey) return null
  const storefront = await storefrontOf(context, urlKey).catch(() => null)
  return (
    storefront && { urlKey: storefront.urlKey, publicationName: storefront.publicationName, theme: storefront.theme }
  )
}

/** What the pages of a storefront are framed with: not its prices and issues, which go by the country. */
export function shopOf({ prices: _, backIssues, ...shop }: Storefront) {
  return { ...shop, hasIssues: backIssues.length > 0 }
}

/** What a storefront shows to a visitor of a country: its plans and their currency. Who does not sell overseas shows everybody the prices at home. */
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
