import type { MetaDescriptor } from '@remix-run/node'
import { imageFilesOf } from '#core/images/image.rules.ts'
import { type Language, languages, locales } from '#core/kernel/languages.ts'
import type { Translator } from '#core/kernel/translator.ts'
import { translatorOf } from '../i18n/translator-of.ts'
import { noIndex } from './no-index.ts'
import { failedMeta, refusedTitle } from './page-title.ts'
import type { shopOf } from './storefront-data.ts'

/** The data of a storefront page for its head and structured data. */
export interface DescribedPage {
  isClosed: false
  shop: ReturnType<typeof shopOf>
  /** The base address: https://magazines.example. */
  origin: string
  /** The page's language; none for English-only pages. */
  language?: Language
  /** Whether it shows a refused order. */
  isRefused?: boolean
}

export type ShopPage = DescribedPage | { isClosed: true; shop: ReturnType<typeof shopOf>; language?: Language }

/** The arguments that Remix passes to `meta`. */
export interface MetaArgs<Page> {
  data: Page | undefined
  error?: unknown
  location: { search: string }
  /** The root's data has a language for a page that is not found. */
  matches?: readonly { data: unknown }[]
}

interface Head {
  title: string
  description: string
  /** The path below the storefront's own address: '' or '/issues'. */
  path: '' | '/issues'
  type: 'product' | 'website'
  /** JSON-LD of schema.org; null for none. */
  data: Record<string, unknown> | null
  /** False adds noindex. */
  isListed: boolean
}

/** The length that search engines show, cut at a word. */
const maxDescriptionLength = 200

/** The head of a storefront page, or that of a 404 with noindex. */
export function shopMeta<Page extends DescribedPage>(
  { data: page, error, location, matches = [] }: MetaArgs<Page | Exclude<ShopPage, DescribedPage>>,
  headOf: (page: Page, t: Translator) => Head,
): MetaDescriptor[] {
  if (!page || error) return failedMeta({ error, matches })
  const { shop, language = 'en' } = page
  const t = translatorOf(language)
  if (page.isClosed) return [{ title: t('{title}: closed', { title: shop.publicationName }) }, noIndex]
  const { origin } = page
  const { data, ...head } = headOf(page, t)
  const url = `${origin}/${shop.urlKey}${head.path}`
  const inLanguage = (code: Language) => `${url}?lang=${code}`
  // A language in the address makes a separate page; the bare address is the default (hreflang).
  const requested = languages.find((code) => code === new URLSearchParams(location.search).get('lang'))
  const canonical = requested && page.language ? inLanguage(requested) : url
  const cover = imageFilesOf(shop.coverImage, 'cover')
  const description = shortened(head.description)
  return [
    { title: refusedTitle(t, head.title, page.isRefused) },
    ...(description ? [{ name: 'description', content: description }] : []),
    { tagName: 'link', rel: 'canonical', href: canonical },
    ...(page.language
      ? [
          ...languages.map((code) => ({ tagName: 'link', rel: 'alternate', hrefLang: code, href: inLanguage(code) })),
          { tagName: 'link', rel: 'alternate', hrefLang: 'x-default', href: url },
        ]
      : []),
    { property: 'og:type', content: head.type },
    { property: 'og:site_name', content: shop.publisher.companyName || shop.publicationName },
    { property: 'og:locale', content: locales[language].replace('-', '_') },
    { property: 'og:title', content: head.title },
    ...(description ? [{ property: 'og:description', content: description }] : []),
    { property: 'og:url', content: canonical },
    ...(cover
      ? [
          { property: 'og:image', content: `${origin}${cover.src}` },
          { property: 'og:image:alt', content: shop.publicationName },
        ]
      : []),
    { name: 'twitter:card', content: 'summary' },
    ...(data ? [{ 'script:ld+json': data }] : []),
    ...(head.isListed ? [] : [noIndex]),
  ] as MetaDescriptor[]
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  if (line.length <= maxDescriptionLength) return line
  const start = line.slice(0, maxDescriptionLength)
  return `${start.slice(0, Math.max(start.lastIndexOf(' '), maxDescriptionLength / 2))}…`
}
