import type { MetaDescriptor } from '@remix-run/node'
import type { Language } from '#core/kernel/languages.ts'
import { translatorOf } from '../i18n/translator-of.ts'

/** The head of a page around a reader's account: its title in the page's language, and nothing for search engines. */
export function buyerMeta(
  page: { shop: { publicationName: string }; language: Language; isRefused?: boolean } | undefined,
  title: string,
): MetaDescriptor[] {
  const t = translatorOf(page?.language ?? 'en')
  const where = page ? ` – ${page.shop.publicationName}` : ''
  return [
    { title: `${page?.isRefused ? `${t('Error')}: ` : ''}${t(title)}${where}` },
    { name: 'robots', content: 'noindex' },
  ]
}

/** The head of a page about one order; for search engines it is not. */
export function orderMeta(
  page: { shop: { publicationName: string }; order: { orderNumber: string }; language: Language } | undefined,
): MetaDescriptor[] {
  if (!page) return [{ title: translatorOf('en')('Page not found') }, { name: 'robots', content: 'noindex' }]
  const { shop, order, language } = page
  const title = translatorOf(language)('Order {number}', { number: order.orderNumber })
  return [{ title: `${title} – ${shop.publicationName}` }, { name: 'robots', content: 'noindex' }]
}
