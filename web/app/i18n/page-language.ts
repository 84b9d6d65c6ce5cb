import { useMatches } from '@remix-run/react'
import type { DayForm } from '#core/kernel/day-form.rules.ts'
import { isLanguage, type Language } from '#core/kernel/languages.ts'

/** The pages of a shop and its readers, by their ids: they speak a visitor's language; every other one is English. */
export const isShopPage = /^(?:routes\/(?:storefront|buyer)\/|reset-)/

interface PageData {
  /** Said by the loader of a storefront page. */
  language?: string
  /** Said with it. */
  dayForm?: DayForm
  /** Said by the root, for a page whose own loader failed. */
  visitorLanguage?: string
  /** Said by the root: the shop that the page stands in. */
  shop?: object | null
}

/** The language of the page on show, and how it writes days. */
export function usePageLanguage(): { language: Language; dayForm?: DayForm } {
  const matches = useMatches()
  const pages = matches.map(({ data }) => data as PageData | undefined)
  const own = pages.find((data) => isLanguage(data?.language))
  if (isLanguage(own?.language)) return { language: own.language, ...(own.dayForm && { dayForm: own.dayForm }) }
  const isOfShop = matches.some(({ id }) => isShopPage.test(id)) || pages.some((data) => data?.shop)
  const seems = pages.map((data) => data?.visitorLanguage).find(isLanguage)
  return { language: (isOfShop && seems) || 'en' }
}
