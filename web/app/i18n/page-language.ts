import { useMatches } from '@remix-run/react'
import { isLanguage, type Language } from '#core/kernel/languages.ts'

/** The pages that speak a visitor's language; every other one is English. */
const isShopPage = /^routes\/(storefront|buyer)\//

interface PageData {
  /** Said by the loader of a storefront page. */
  language?: string
  /** Said by the root, for a page whose own loader failed. */
  visitorLanguage?: string
}

/** The language of the page on show. */
export function usePageLanguage(): Language {
  const matches = useMatches()
  const said = matches.map(({ data }) => data as PageData | undefined)
  const own = said.map((data) => data?.language).find(isLanguage)
  if (own) return own
  const seems = said.map((data) => data?.visitorLanguage).find(isLanguage)
  return (matches.some(({ id }) => isShopPage.test(id)) && seems) || 'en'
}
