import { sourceOf, withoutSource } from '#core/storefronts/traffic-source.rules.ts'

const keyOf = (urlKey: string) => `masthead-source-${urlKey.toLowerCase()}`

/**
 * Stores the traffic source of a visit in the tab (session storage) and removes its parameters from the address, because a shared link
 * would otherwise count as the same source. The first source of a visit counts. Runs before hydration.
 */
export function storeTrafficSource(): void {
  const { pathname, search, hash } = window.location
  const path = withoutSource(pathname + search)
  if (path === pathname + search) return
  const [, urlKey = ''] = pathname.split('/')
  try {
    if (sourceOf(new URLSearchParams(search)) && sessionStorage.getItem(keyOf(urlKey)) === null)
      sessionStorage.setItem(keyOf(urlKey), search)
  } catch {
    // No storage: the order has no traffic source.
  }
  window.history.replaceState(window.history.state, '', path + hash)
}

/** The source as fields of an order form, named like the link's parameters. */
export function storedTrafficSource(urlKey: string): Record<string, string> {
  try {
    const params = new URLSearchParams(sessionStorage.getItem(keyOf(urlKey)) ?? '')
    return Object.fromEntries([...params].filter(([name]) => name.startsWith('utm_')))
  } catch {
    return {}
  }
}
