import type { AppLoadContext } from '@remix-run/node'
import type { Services } from '#core/context.ts'
import { plansFor } from '#core/pricing/price-table.rules.ts'
import { bandOf, currencyOf } from '#core/pricing/region.rules.ts'
import { getStorefront } from '#core/publications/get-storefront.query.ts'
import type { Storefront } from '#core/publications/storefront.rules.ts'
import { visitorContext } from './session.ts'

/** A change that another process made shows at the latest after this; an order is priced by what is stored, whatever a page showed. */
const keptMs = 5_000
const keptAtMost = 500

interface Kept {
  storefront: Promise<Storefront>
  /** A change that this process made shows at once: the edition has moved on then. */
  edition: number
  madeAt: number
}

/** Kept per set of services, so that two servers in one process (tests) do not share. */
const shelves = new WeakMap<Services, Map<string, Kept>>()

/** A storefront, the same for all visitors and read once for many of them; a closed one too (`isClosed`). */
export function storefrontOf(context: AppLoadContext, urlKey: string): Promise<Storefront> {
  const shelf = shelfOf(context)
  const key = urlKey.toLowerCase()
  const { db, now } = context.services
  const madeAt = now().getTime()
  const kept = shelf.get(key)
  const age = kept && madeAt - kept.madeAt
  if (age !== undefined && age >= 0 && age < keptMs && kept?.edition === db.storefrontEdition()) return kept.storefront
  if (shelf.size >= keptAtMost) shelf.clear()
  const made = { edition: db.storefrontEdition(), madeAt }
  const storefront = getStorefront(visitorContext(context), { urlKey, evenClosed: true })
  shelf.set(key, { storefront, ...made })
  // What is not found is asked for again: it may be made the next moment.
  storefront.catch(() => shelf.delete(key))
  return storefront
}

/**
 * Says that the page of this storefront is the same for every visitor but for its form key, so that it may be kept as long as what it
 * shows (`page-cache.ts`). For a page that goes by its address, the visitor's country and the language they chose, and nothing else.
 */
export function keepPage(context: AppLoadContext, urlKey: string, formKey: string): void {
  const key = urlKey.toLowerCase()
  const kept = shelfOf(context).get(key)
  if (kept) context.pages.offer({ urlKey: key, formKey, madeAt: kept.madeAt, until: kept.madeAt + keptMs })
}

/** Lets go of what is kept, after an order showed that it is out of date. */
export function forgetStorefront(context: AppLoadContext, urlKey: string): void {
  const key = urlKey.toLowerCase()
  shelfOf(context).delete(key)
  context.pages.forget(key)
}

function shelfOf({ services }: AppLoadContext): Map<string, Kept> {
  let shelf = shelves.get(services)
  if (!shelf) {
    shelf = new Map()
    shelves.set(services, shelf)
  }
  return shelf
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
