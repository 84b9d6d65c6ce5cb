import { useMatches } from '@remix-run/react'
import type { DayForm } from '#core/kernel/day-form.rules.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'

/** The route ids of storefronts and account pages, which are translated; all others are English. */
export const isShopPage = /^(?:routes\/(?:storefront|buyer)\/|reset-)/

interface PageData {
  /** From the loader of a storefront page. */
  language?: string
  /** From the same. */
  dayForm?: DayForm
  /** From the root, for a page whose own loader failed. */
  visitorLanguage?: string
  /** From the root: the shop of the page. */
  shop?: object | null
}

/** The language of the current page, and its date format. */
export function usePageLanguage(): { language: Language; dayForm?: DayForm } {
  const matches = useMatches()
  const pages = matches.map(({ data }) => data as PageData | undefined)
  const own = pages.find((data) => isLanguage(data?.language))
  if (isLanguage(own?.language)) return { language: own.language, ...(own.dayForm && { dayForm: own.dayForm }) }
  const isOfShop = matches.some(({ id }) => isShopPage.test(id)) || pages.some((data) => data?.shop)
  const seems = pages.map((data) => data?.visitorLanguage).find(isLanguage)
  return { language: (isOfShop && seems) || 'en' }
}
