/** What a loader says of a page that may be cached: the same for everybody but for the form key. */
export interface CacheablePage {
  /** The storefront it belongs to. */
  urlKey: string
  formKey: string
  /** When what it shows was read, and how long that counts (ms). */
  madeAt: number
  until: number
}

/** The page cache, as one request sees it. Only a page that a loader offers is cached, and only for a request without log-in, message or promo code. */
export interface PageCache {
  offer(page: CacheablePage): void
  /** Called by the renderer, with the finished page and its headers. */
  store(html: string, headers: Headers): void
  /** Drops a storefront's pages, after an order showed that they are out of date. */
  drop(urlKey: string): void
}
