import type { Services } from '#core/context.ts'
import type { PageCache } from './page-cache.ts'

declare module '@remix-run/node' {
  /** What the server hands to every loader and action of one request. */
  interface AppLoadContext {
    services: Services
    requestId: string
    /** The caller's network address. */
    address: string
    /** This answer's CSP nonce. */
    nonce: string
    /** True when the product is served over https: cookies are then Secure. */
    isSecure: boolean
    /** What this request has already looked up, such as its session. */
    memo: Map<string, unknown>
    /** Caches the page for other visitors, where it is the same for all of them. */
    pages: PageCache
    /** Takes the finished page as a text; the Response then has its status and its headers and no body. */
    finish(html: string): void
  }

  interface Future {
    v3_singleFetch: true
  }
}
