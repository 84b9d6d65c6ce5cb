import type { Services } from '#core/context.ts'
import type { PageCache } from './page-cache.ts'

declare module '@remix-run/node' {
  /** The data that the server passes to every loader and action of one request. */
  interface AppLoadContext {
    services: Services
    requestId: string
    /** The client's IP address. */
    ip: string
    /** This response's CSP nonce. */
    nonce: string
    /** Whether the product is served over https: cookies are then Secure. */
    isSecure: boolean
    /** Per-request memo of lookups, such as the session. */
    memo: Map<string, unknown>
    /** The page cache, for pages that are the same for all visitors. */
    pages: PageCache
    /** Whether a path of this site, with or without its query, shows a page. Data and files have none. */
    isPage(path: string): boolean
    /** Receives the rendered HTML; the Response then carries status and headers only. */
    finish(html: string): void
  }

  interface Future {
    v3_singleFetch: true
  }
}

/** The `handle` of a route without a page. */
export interface ReturnHandle {
  /** Whether it ends in a redirect to a page, and so may be returned to after a log-in. */
  endsInPage: boolean
}
