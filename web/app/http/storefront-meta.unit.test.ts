import { describe, expect, it } from 'vitest'
import { plansFor } from '#core/pricing/price-table.rules.ts'
import { issueShopMeta } from './issue-shop-meta.ts'
import { storefrontMeta } from './storefront-meta.ts'

type StorefrontPage = Extract<Parameters<typeof storefrontMeta>[0]['data'], { isClosed: false }>
type IssueShopPage = Extract<Parameters<typeof issueShopMeta>[0]['data'], { isClosed: false }>

const publisher = { companyName: 'Quay Press' }
const shop = {
  urlKey: 'harbour-light',
  publicationName: 'Harbour & Light',
  publicationInfo: `Boats,\n\nbirds and weather. ${'Every month of the year. '.repeat(20)}`,
  coverImage: 'demo/cover.svg',
  accepts: ['demo'],
  hasIssues: true,
  publisher,
} as unknown as StorefrontPage['shop']
const prices = [{ product: 'print', termMonths: 12, band: 'UK', isRecurring: false, amount: 2999 }] as const
const origin = 'https://shop.example'
const common = { isClosed: false as const, shop, origin }
const page: StorefrontPage = { ...common, country: 'GB', plans: plansFor({ prices, freeProducts: [] }, 'GB') }
const issues = [{ id: 1, volume: 'Winter', description: '', coverImage: null, price: 650, postage: 0, isInStock: true }]
const issuePage: IssueShopPage = { ...common, offer: { country: 'GB', currency: 'GBP', issues } }
const atQuery = (search = '') => ({ location: { search } })

const linksOf = (meta: ReturnType<typeof storefrontMeta>) =>
  (meta as { rel?: string; href?: string; hrefLang?: string }[]).flatMap(({ rel, href, hrefLang }) =>
    rel ? [`${hrefLang ?? rel} ${href}`] : [],
  )

describe('the head of a storefront', () => {
  it('has product, seller and price', () => {
    const meta = storefrontMeta({ data: page, ...atQuery() })
    expect(meta).toEqual(
      expect.arrayContaining([
        { title: 'Subscribe to Harbour & Light' },
        { property: 'og:type', content: 'product' },
        { property: 'og:site_name', content: 'Quay Press' },
        { property: 'og:locale', content: 'en_GB' },
        { property: 'og:url', content: 'https://shop.example/harbour-light' },
        { property: 'og:image', content: 'https://shop.example/media/demo/cover.svg' },
        { name: 'twitter:card', content: 'summary' },
      ]),
    )
    expect(meta).toContainEqual({
      'script:ld+json': expect.objectContaining({
        '@type': 'Product',
        offers: [expect.objectContaining({ price: '29.99', priceCurrency: 'GBP' })],
      }),
    })
    const description = (meta as { name?: string; content?: string }[]).find(
      ({ name }) => name === 'description',
    )?.content
    expect(description).toMatch(/^Boats, birds and weather\. .*[a-z.]…$/)
    expect(description?.length).toBeLessThanOrEqual(201)
  })

  it('has its canonical address, and one for each language', () => {
    const address = 'https://shop.example/harbour-light'
    expect(linksOf(storefrontMeta({ data: page, ...atQuery('?lang=fr') }))).toEqual([`canonical ${address}`])
    const french = storefrontMeta({ data: { ...page, language: 'fr' }, ...atQuery('?country=FR&lang=fr') })
    expect(linksOf(french)).toEqual([
      `canonical ${address}?lang=fr`,
      ...['en', 'fr', 'de', 'es', 'it', 'nl', 'pt'].map((code) => `${code} ${address}?lang=${code}`),
      `x-default ${address}`,
    ])
    expect(french).toContainEqual({ property: 'og:locale', content: 'fr_FR' })
    const chosenBefore = storefrontMeta({ data: { ...page, language: 'fr' }, ...atQuery('?country=FR') })
    expect(linksOf(chosenBefore)[0]).toBe(`canonical ${address}`)
  })

  it('has noindex when the storefront is closed, missing or empty', () => {
    const noindex = { name: 'robots', content: 'noindex' }
    expect(storefrontMeta({ data: page, ...atQuery() })).not.toContainEqual(noindex)
    expect(issueShopMeta({ data: issuePage, ...atQuery() })).not.toContainEqual(noindex)
    expect(storefrontMeta({ data: undefined, ...atQuery() })).toContainEqual(noindex)
    expect(storefrontMeta({ data: page, error: new Error(), ...atQuery() })).toContainEqual(noindex)
    expect(storefrontMeta({ data: { isClosed: true, shop }, ...atQuery() })).toContainEqual(noindex)
    const empty = { ...issuePage, shop: { ...shop, hasIssues: false }, offer: { ...issuePage.offer, issues: [] } }
    expect(issueShopMeta({ data: empty, ...atQuery() })).toContainEqual(noindex)
  })
})

it('the head of an issue shop lists the issues at its own address', () => {
  const meta = issueShopMeta({ data: issuePage, ...atQuery() })
  expect(linksOf(meta)).toEqual(['canonical https://shop.example/harbour-light/issues'])
  expect(meta).toContainEqual({ 'script:ld+json': expect.objectContaining({ '@type': 'ItemList', numberOfItems: 1 }) })
})
