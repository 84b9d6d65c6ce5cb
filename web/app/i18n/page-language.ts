import { useMatches } from '@remix-run/react'
import type { DateFormat } from '#core/kernel/date-format.rules.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'

/** The route ids of storefronts and account pages, which are translated; all others are English. */
export const isShopPage = /^(?:routes\/(?:storefront|buyer)\/|reset-)/

interface PageData {
  /** From the loader of a storefront page. */
  language?: string
  /** Also from the loader of a storefront page. */
  dateFormat?: DateFormat
  /** From the root, for a page whose own loader failed. */
  visitorLanguage?: string
  /** From the root: the shop of the page. */
  shop?: object | null
}

/** The language of the current page, and its date format. */
export function usePageLanguage(): { language: Language; dateFormat?: DateFormat } {
  const matches = useMatches()
  const pages = matches.map(({ data }) => data as PageData | undefined)
  const page = pages.find((data) => isLanguage(data?.language))
  if (isLanguage(page?.language))
    return { language: page.language, ...(page.dateFormat && { dateFormat: page.dateFormat }) }
  const isShop = matches.some(({ id }) => isShopPage.test(id)) || pages.some((data) => data?.shop)
  const visitorLanguage = pages.map((data) => data?.visitorLanguage).find(isLanguage)
  return { language: (isShop && visitorLanguage) || 'en' }
}
