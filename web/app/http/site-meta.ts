import type { MetaDescriptor } from '@remix-run/node'
import picture from '../images/masthead.png?url'

interface PageMeta {
  title: string
  description: string
}

/** The head of a public page of the product: title, description, and tags for search engines and social networks. */
export function siteMeta(
  page: { url: string; isRefused?: boolean } | undefined,
  { title, description }: PageMeta,
): MetaDescriptor[] {
  return [
    { title: `${page?.isRefused ? 'Error: ' : ''}${title}` },
    { name: 'description', content: description },
    { property: 'og:title', content: title },
    { property: 'og:description', content: description },
    { property: 'og:type', content: 'website' },
    ...(page
      ? [
          { tagName: 'link' as const, rel: 'canonical', href: page.url },
          { property: 'og:url', content: page.url },
          { property: 'og:image', content: new URL(picture, page.url).href },
          {
            property: 'og:image:alt',
            content: 'Masthead, with its analytics on a desktop screen and a storefront on a phone',
          },
          { name: 'twitter:card', content: 'summary_large_image' },
        ]
      : []),
  ]
}
