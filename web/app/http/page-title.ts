import type { MetaDescriptor } from '@remix-run/node'
import { isRouteErrorResponse } from '@remix-run/react'
import { isLanguage, type Language } from '#core/kernel/languages.ts'
import type { Translator } from '#core/kernel/translator.ts'
import { errorHeading } from '../components/layout/error-page.tsx'
import { notFoundHeadings } from '../components/storefront/shop-error-page.tsx'
import { translatorOf } from '../i18n/translator-of.ts'
import { noIndex } from './no-index.ts'

/** The arguments that Remix passes to `meta`. */
interface MetaArgs<Page> {
  data: Page | undefined
  error?: unknown
  /** The root's data has shop and language for a page that failed. */
  matches?: readonly { data: unknown }[]
}

interface BuyerPage {
  /** Null if the link belongs to no known shop. */
  shop: { publicationName: string } | null
  language?: Language
  isRefused?: boolean
}

/** The head of an account page: its title in the page's language, and noindex. `what`: as on its error page. */
export function buyerMeta(
  { data: page, error, matches }: MetaArgs<BuyerPage>,
  title: string,
  what?: keyof typeof notFoundHeadings,
): MetaDescriptor[] {
  if (!page || error) return failedMeta({ error, matches }, what)
  const t = translatorOf(page.language ?? visitorLanguage(matches))
  return [{ title: refusedTitle(t, titleWithShop(t(title), page.shop), page.isRefused) }, noIndex]
}

/** The head of a page about one order, with noindex. */
export function orderMeta({
  data: page,
  error,
  matches,
}: MetaArgs<BuyerPage & { order: { orderNumber: string } }>): MetaDescriptor[] {
  if (!page || error) return failedMeta({ error, matches }, 'order')
  const t = translatorOf(page.language ?? visitorLanguage(matches))
  return [{ title: titleWithShop(t('Order {number}', { number: page.order.orderNumber }), page.shop) }, noIndex]
}

/** The head of a shop's error page: in the visitor's language, with the shop's name if known. */
export function failedMeta(
  { error, matches = [] }: Omit<MetaArgs<unknown>, 'data'>,
  what?: keyof typeof notFoundHeadings,
): MetaDescriptor[] {
  const t = translatorOf(visitorLanguage(matches))
  const shop = matches.map(({ data }) => (data as { shop?: BuyerPage['shop'] } | undefined)?.shop).find(Boolean) ?? null
  const isNotFound = isRouteErrorResponse(error) && error.status === 404
  const ownHeading = isNotFound && what && (what === 'order' || shop) ? notFoundHeadings[what] : undefined
  const heading = ownHeading ?? (error ? errorHeading(error) : 'Page not found')
  return [{ title: titleWithShop(t(heading), shop) }, noIndex]
}

/** The title of a page, which begins with “Error” where it shows a refused form. */
export function refusedTitle(t: Translator, title: string, isRefused = false): string {
  return isRefused ? `${t('Error')}: ${title}` : title
}

function titleWithShop(title: string, shop: BuyerPage['shop']): string {
  return shop ? `${title} – ${shop.publicationName}` : title
}

function visitorLanguage(matches: MetaArgs<unknown>['matches'] = []): Language {
  const languages = matches.map(({ data }) => (data as { visitorLanguage?: string } | undefined)?.visitorLanguage)
  return languages.find(isLanguage) ?? 'en'
}
