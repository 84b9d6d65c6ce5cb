/** What a loader says of a page that may be kept: the same for everybody but for the form key. */
export interface OfferedPage {
  /** The storefront it belongs to. */
  urlKey: string
  formKey: string
  /** When what it shows was read, and how long that counts (ms). */
  madeAt: number
  until: number
}

/** Keeps pages of storefronts for the next visitor. Only what a loader offers is kept, and only for a request that says nothing of its visitor. */
export interface PageKeeper {
  offer(page: OfferedPage): void
  /** Said by the renderer, with the finished page and its headers. */
  fill(html: string, headers: Headers): void
  /** Lets go of a storefront's pages, after an order showed that they are out of date. */
  forget(urlKey: string): void
}
