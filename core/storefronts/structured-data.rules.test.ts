import { describe, expect, it } from 'vitest'
import { plansFor } from '../pricing/price-table.rules.ts'
import { issueListData, productData } from './structured-data.rules.ts'

const title = {
  publicationName: 'Harbour & Light',
  publicationInfo: 'Boats, birds and weather.',
  publisherName: 'Quay Press',
  address: 'https://shop.example/harbour-light',
  image: 'https://shop.example/images/cover.jpg',
  country: 'GB',
  canPay: true,
}
const list = {
  prices: [
    { product: 'print', termMonths: 12, band: 'UK', isRecurring: false, amount: 2999 },
    { product: 'print', termMonths: 12, band: 'EU', isRecurring: false, amount: 3905 },
  ],
  freeProducts: ['digital'],
} as const
const issue = { id: 1, description: '', coverImage: null, image: null, price: 650, postage: 120, isInStock: true }

describe('a publication’s structured data', () => {
  it('is a product of its publisher with one offer for each plan of the country', () => {
    const seller = { '@type': 'Organization', name: 'Quay Press' }
    const common = { '@type': 'Offer', url: title.address, availability: 'https://schema.org/InStock', seller }
    expect(productData({ ...title, country: 'FR' }, plansFor(list, 'FR'))).toEqual({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Harbour & Light',
      description: 'Boats, birds and weather.',
      image: 'https://shop.example/images/cover.jpg',
      category: 'Magazine subscription',
      brand: { '@type': 'Brand', name: 'Quay Press' },
      offers: [
        {
          ...common,
          sku: plansFor(list, 'FR')[0]?.code,
          price: '39.05',
          priceCurrency: 'EUR',
          eligibleRegion: 'FR',
          eligibleDuration: { '@type': 'QuantitativeValue', value: 12, unitCode: 'MON' },
        },
        { ...common, sku: plansFor(list, 'FR')[1]?.code, price: '0.00', priceCurrency: 'EUR', eligibleRegion: 'FR' },
      ],
    })
  })

  it('offers only what is free when no payment can be taken', () => {
    expect(productData({ ...title, canPay: false }, plansFor(list, 'GB'))).toMatchObject({
      offers: [
        { price: '29.99', availability: 'https://schema.org/OutOfStock' },
        { price: '0.00', availability: 'https://schema.org/InStock' },
      ],
    })
  })

  it('has no product when nothing is on offer, and omits what it does not have', () => {
    expect(productData(title, [])).toBeNull()
    const bare = productData({ ...title, publicationInfo: '', image: null, publisherName: '' }, plansFor(list, 'GB'))
    expect(bare).not.toHaveProperty('image')
    expect(bare).not.toHaveProperty('description')
    expect(bare?.brand).toEqual({ '@type': 'Brand', name: 'Harbour & Light' })
  })
})

describe('back issues’ structured data', () => {
  it('are a list of products with price, postage and stock', () => {
    const data = issueListData(title, 'GBP', [
      { ...issue, volume: 'Winter', description: 'Storms', image: 'https://shop.example/images/winter.jpg' },
      { ...issue, volume: 'Autumn', isInStock: false },
    ]) as { itemListElement: { position: number; item: Record<string, unknown> }[] }
    expect(data.itemListElement.map(({ position }) => position)).toEqual([1, 2])
    const [winter, autumn] = data.itemListElement.map(({ item }) => item)
    expect(winter).toMatchObject({
      name: 'Harbour & Light: Winter',
      description: 'Storms',
      image: 'https://shop.example/images/winter.jpg',
      offers: {
        price: '6.50',
        priceCurrency: 'GBP',
        availability: 'https://schema.org/InStock',
        shippingDetails: {
          shippingRate: { value: '1.20', currency: 'GBP' },
          shippingDestination: { addressCountry: 'GB' },
        },
      },
    })
    expect(autumn).toMatchObject({ offers: { availability: 'https://schema.org/OutOfStock' } })
  })

  it('stop at a full page, and state the total', () => {
    const many = Array.from({ length: 100 }, (_, n) => ({ ...issue, id: n, volume: `No. ${n}` }))
    const data = issueListData(title, 'GBP', many)
    expect(data?.numberOfItems).toBe(100)
    expect(data?.itemListElement).toHaveLength(30)
    expect(issueListData(title, 'GBP', [])).toBeNull()
  })
})
