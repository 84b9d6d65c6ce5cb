import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import type { Services } from '#core/context.ts'
import { withoutSource } from '#core/storefronts/traffic-source.rules.ts'
import type { CacheablePage, PageCache } from './app/http/page-cache.ts'
import { type CachedPage, cachedPage, type Visit } from './cached-page.ts'
import { pageKey } from './page-key.ts'

/** A page for each country and language of a few hundred publications; a page is some 100 kB. */
const limits = { count: 1_000, bytes: 64 * 1024 * 1024 }

interface CachedAnswer extends CachedPage {
  offered: CacheablePage
  version: number
  headers: [string, string][]
}

/**
 * Sends a storefront page that was made a moment ago for somebody else (docs/decisions/010). Cached is what a loader offers, for
 * requests that say nothing of their visitor; a committed change of what storefronts show makes all of it out of date at once, and
 * so do the few seconds that a change in another process may stay unseen. A page is made and cached without the parameters that say where a
 * visitor came from: none of them is in it, and the link of a newsletter is answered with the page that is there.
 */
export function pageCache({ db, now, settings }: Services): RequestHandler {
  const answers = lruBySize<CachedAnswer>(limits)

  function isFresh({ version, offered: { madeAt, until } }: CachedAnswer): boolean {
    const at = now().getTime()
    return version === db.storefrontVersion() && at >= madeAt && at < until
  }

  function cacheFor(key: string | undefined, nonce: string): PageCache {
    // Taken before anything is read: a change while the page is made counts.
    const version = db.storefrontVersion()
    let offered: CacheablePage | undefined
    return {
      offer(page) {
        offered = page
      },
      store(html, headers) {
        // A page with a NUL in it could not be packed (cached-page.ts).
        if (key === undefined || !offered || html.includes('\0')) return
        const page = cachedPage(html, { nonce, formKey: offered.formKey })
        answers.set(key, { ...page, offered, version, headers: [...headers] })
      },
      drop(urlKey) {
        for (const [key, { offered: page }] of [...answers.entries()]) if (page.urlKey === urlKey) answers.delete(key)
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
    const cached = key === undefined ? undefined : answers.get(key)
    if (cached && isFresh(cached)) {
      response.locals.isCached = true
      send(response, cached, request.acceptsEncodings('gzip') === 'gzip', { nonce, formKey: randomUUID() })
    } else {
      response.locals.pages = cacheFor(key, nonce)
      next()
    }
  }
}

/** At most so many things and so many bytes together; a thing larger than all of them is not held. */
export function lruBySize<Thing extends { bytes: number }>({ count, bytes }: { count: number; bytes: number }) {
  return new LRUCache<string, Thing>({
    max: count,
    maxSize: bytes,
    sizeCalculation: (page) => Math.max(1, page.bytes),
  })
}

function send(response: Response, page: CachedAnswer, isGzip: boolean, visit: Visit): void {
  for (const [name, value] of page.headers) response.setHeader(name, value)
  response.vary('Accept-Encoding')
  if (isGzip) response.setHeader('Content-Encoding', 'gzip')
  const body = isGzip ? page.gzipped(visit) : page.plain(visit)
  response.setHeader('Content-Length', body.length)
  response.end(body)
}
