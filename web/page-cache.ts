import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'
import type { Services } from '#core/context.ts'
import type { OfferedPage, PageKeeper } from './app/http/page-keeper.ts'
import { type KeptPage, keptPage, type Visit } from './kept-page.ts'
import { pageKey } from './page-key.ts'
import { pageShelf } from './page-shelf.ts'

/** A page for each country and language of a few hundred publications; a page is some 100 kB. */
const most = { count: 1_000, bytes: 64 * 1024 * 1024 }

interface Kept extends KeptPage {
  offered: OfferedPage
  edition: number
  headers: [string, string][]
}

/**
 * Sends a storefront page that was made a moment ago for somebody else (docs/decisions/010). Kept is what a loader offers, for
 * requests that say nothing of their visitor; a committed change of what storefronts show makes all of it out of date at once, and
 * so do the few seconds that a change in another process may stay unseen.
 */
export function pageCache({ db, now, settings }: Services): RequestHandler {
  const shelf = pageShelf<Kept>(most)

  function isFresh({ edition, offered: { madeAt, until } }: Kept): boolean {
    const at = now().getTime()
    return edition === db.storefrontEdition() && at >= madeAt && at < until
  }

  function keeper(key: string | undefined, nonce: string): PageKeeper {
    // Taken before anything is read: a change while the page is made counts.
    const edition = db.storefrontEdition()
    let offered: OfferedPage | undefined
    return {
      offer(page) {
        offered = page
      },
      fill(html, headers) {
        // A page with a NUL in it could not be packed (kept-page.ts).
        if (key === undefined || !offered || html.includes('\0')) return
        const page = keptPage(html, { nonce, formKey: offered.formKey })
        shelf.put(key, { ...page, offered, edition, headers: [...headers] })
      },
      forget(urlKey) {
        shelf.dropEach(({ offered: page }) => page.urlKey === urlKey)
      },
    }
  }

  return (request, response, next) => {
    const key = pageKey(request, settings.countryHeader)
    const nonce = response.locals.nonce as string
    const kept = key === undefined ? undefined : shelf.get(key)
    if (kept && isFresh(kept)) {
      response.locals.isKept = true
      send(response, kept, request.acceptsEncodings('gzip') === 'gzip', { nonce, formKey: randomUUID() })
    } else {
      response.locals.pages = keeper(key, nonce)
      next()
    }
  }
}

function send(response: Response, page: Kept, isGzip: boolean, visit: Visit): void {
  for (const [name, value] of page.headers) response.setHeader(name, value)
  response.vary('Accept-Encoding')
  if (isGzip) response.setHeader('Content-Encoding', 'gzip')
  const body = isGzip ? page.gzipped(visit) : page.plain(visit)
  response.setHeader('Content-Length', body.length)
  response.end(body)
}
