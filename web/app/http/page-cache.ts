/** Declared by a loader whose page may be cached: it is the same for all visitors except for the form key. */
export interface CacheablePage {
  /** The storefront of the page. */
  urlKey: string
  formKey: string
  /** When its data was read and until when it is fresh, in milliseconds since 1970. */
  readAt: number
  freshUntil: number
}

/**
 * The page cache of one request. Only pages that a loader declares are cached, and only for requests without a log-in, toast or promo code.
 */
export interface PageCache {
  offer(page: CacheablePage): void
  /** Called by the renderer with the finished page and its headers. */
  store(html: string, headers: Headers): void
  /** Drops a storefront's pages, after an order showed that they are stale. */
  drop(urlKey: string): void
}
