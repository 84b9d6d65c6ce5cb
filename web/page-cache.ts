import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Services } from '#core/context.ts'
import { withoutSource } from '#core/storefronts/traffic-source.rules.ts'
import type { CacheablePage, PageCache } from './app/http/page-cache.ts'
import { type CachedPage, cachedPage, type Visit } from './cached-page.ts'
import { pageKey } from './page-key.ts'

/** A few hundred publications with a page for each country and language; a page is some 100 kB. */
const limits = { count: 1_000, bytes: 64 * 1024 * 1024 }

interface CachedEntry extends CachedPage {
  offered: CacheablePage
  version: number
  headers: [string, string][]
}

/**
 * Serves cached storefront pages (docs/decisions/010). Only pages that a loader declares are cached, for requests without
 * personal data. A committed change of storefront data invalidates all of them; they also expire, which limits how long a change by another
 * process may remain unseen. Pages are rendered and cached without the parameters of the traffic source: none of them is in the page, so the
 * link of a newsletter gets the cached page.
 */
export function pageCache({ db, now, settings }: Services): RequestHandler {
  const pages = lruBySize<CachedEntry>(limits)

  function isFresh({ version, offered: { readAt, freshUntil } }: CachedEntry): boolean {
    const at = now().getTime()
    return version === db.storefrontVersion() && at >= readAt && at < freshUntil
  }

  function cacheFor(key: string | undefined, nonce: string): PageCache {
    // Read before the data is: a change while the page is rendered invalidates it.
    const version = db.storefrontVersion()
    let cacheable: CacheablePage | undefined
    return {
      offer(page) {
        cacheable = page
      },
      store(html, headers) {
        // A page with a NUL in it could not be compressed (cached-page.ts).
        if (key === undefined || !cacheable || html.includes('\0')) return
        const page = cachedPage(html, { nonce, formKey: cacheable.formKey })
        pages.set(key, { ...page, offered: cacheable, version, headers: [...headers] })
      },
      drop(urlKey) {
        for (const [key, { offered: page }] of [...pages.entries()]) if (page.urlKey === urlKey) pages.delete(key)
      },
    }
  }

  return (request, response, next) => {
    if (request.method === 'GET' || request.method === 'HEAD') {
      request.originalUrl = withoutSource(request.originalUrl)
      request.url = withoutSource(request.url)
    }
    const key = pageKey(request, settings.countryHeader)
    const nonce = response.locals.nonce as string
    const cached = key === undefined ? undefined : pages.get(key)
    if (cached && isFresh(cached)) {
      response.locals.isCached = true
      send(response, cached, request.acceptsEncodings('gzip') === 'gzip', { nonce, formKey: randomUUID() })
    } else {
      response.locals.pages = cacheFor(key, nonce)
      next()
    }
  }
}

/** An LRU cache with a limit for entries and bytes; a larger item is not cached. */
export function lruBySize<Item extends { bytes: number }>({ count, bytes }: { count: number; bytes: number }) {
  return new LRUCache<string, Item>({
    max: count,
    maxSize: bytes,
    sizeCalculation: (page) => Math.max(1, page.bytes),
  })
}

function send(response: Response, page: CachedEntry, isGzip: boolean, visit: Visit): void {
  for (const [name, value] of page.headers) response.setHeader(name, value)
  response.vary('Accept-Encoding')
  if (isGzip) response.setHeader('Content-Encoding', 'gzip')
  const body = isGzip ? page.gzipped(visit) : page.plain(visit)
  response.setHeader('Content-Length', body.length)
  response.end(body)
}
