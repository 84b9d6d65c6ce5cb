import { sourceOf, withoutSource } from '#core/storefronts/traffic-source.rules.ts'

const keyOf = (urlKey: string) => `masthead-source-${urlKey.toLowerCase()}`

/**
 * Keeps what the link says by which this visit came to a storefront, in the browser's tab until its last page closes, and takes it off the
 * address: who passes that on is a source of their own. The first link of a visit counts. Belongs before the page is hydrated.
 */
export function keepSource(): void {
  const { pathname, search, hash } = window.location
  const address = withoutSource(pathname + search)
  if (address === pathname + search) return
  const [, urlKey = ''] = pathname.split('/')
  try {
    if (sourceOf(new URLSearchParams(search)) && sessionStorage.getItem(keyOf(urlKey)) === null)
      sessionStorage.setItem(keyOf(urlKey), search)
  } catch {
    // No storage: the order says nothing of its source.
  }
  window.history.replaceState(window.history.state, '', address + hash)
}

/** The same as fields of an order form, by the names they have in the link. */
export function keptSource(urlKey: string): Record<string, string> {
  try {
    const params = new URLSearchParams(sessionStorage.getItem(keyOf(urlKey)) ?? '')
    return Object.fromEntries([...params].filter(([name]) => name.startsWith('utm_')))
  } catch {
    return {}
  }
}
