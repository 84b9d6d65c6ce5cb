import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { discounted, type PromoConditions, promoMessages, promoProblem } from './discount.rules.ts'
import { flatPriceNames, flatPrices, priceRowsOf } from './flat-price-names.rules.ts'
import { formatPlanCode, parsePlanCode, products, termLengths } from './plan-code.rules.ts'
import { offerFor, type PriceRow, plansFor } from './price-table.rules.ts'
import { bandOf, currencyOf } from './region.rules.ts'

describe('plan code', () => {
  it.each([
    ['1PN29.99', { product: 'print', termMonths: 12, isRecurring: false, price: 2999 }],
    ['6DR15', { product: 'digital', termMonths: 6, isRecurring: true, price: 1500 }],
    ['3BN9.5', { product: 'bundle', termMonths: 3, isRecurring: false, price: 950 }],
    ['2PN4.99', { product: 'print', termMonths: 1, isRecurring: false, price: 499 }],
    ['FDN', { product: 'digital', termMonths: null, isRecurring: false, price: 0 }],
    ['FBN0', { product: 'bundle', termMonths: null, isRecurring: false, price: 0 }],
  ])('reads %s', (code, plan) => expect(parsePlanCode(code)).toEqual(plan))

  it.each(['', '1P', '1PN', '4PN9.99', '1XN9.99', '1PX9.99', '1PN9.999', '1PN-5', 'FPN5', 'FPR', '1PN1e3'])(
    'refuses %j',
    (code) => expect(parsePlanCode(code)).toBeNull(),
  )

  it('prints what it reads, for every plan', () => {
    const anyPlan = fc.record({
      product: fc.constantFrom(...products),
      termMonths: fc.constantFrom(...termLengths),
      isRecurring: fc.boolean(),
      price: fc.integer({ min: 0, max: 9_999_999 }),
    })
    fc.assert(
      fc.property(anyPlan, (plan) => {
        expect(parsePlanCode(formatPlanCode(plan))).toEqual(plan)
      }),
    )
  })
})

describe('region', () => {
  it.each([
    ['GB', 'UK', 'GBP'],
    ['gb', 'UK', 'GBP'],
    ['IE', 'EU', 'EUR'],
    ['SK', 'EU', 'EUR'],
    ['NO', 'US', 'USD'],
    ['HR', 'US', 'USD'],
    ['IM', 'US', 'USD'],
    ['AU', 'US', 'USD'],
  ])('%s is in band %s and pays in %s', (country, band, currency) => {
    expect(bandOf(country)).toBe(band)
    expect(currencyOf(bandOf(country))).toBe(currency)
  })

  it('has every dollar territory in the dollar band', () => {
    const territories = 'US PR EC SV ZW GU VI TL WS MP FM PW MH'.split(' ')
    for (const country of territories) expect(bandOf(country)).toBe('US')
  })
})

const price = (row: Partial<PriceRow>): PriceRow => ({
  product: 'print',
  termMonths: 12,
  band: 'UK',
  isRecurring: false,
  amount: 2999,
  ...row,
})

describe('price table', () => {
  const prices = [
    price({}),
    price({ isRecurring: true, amount: 2500 }),
    price({ product: 'digital', termMonths: 1, amount: 299 }),
    price({ product: 'bundle', termMonths: 6, amount: 0 }),
    price({ band: 'EU', amount: 3999 }),
  ]

  it('lists the plans on sale, longest first, one-off before recurring, and none at a price of zero', () => {
    expect(plansFor({ prices, freeProducts: [] }, 'GB').map(({ code }) => code)).toEqual([
      '1PN29.99',
      '1PR25.00',
      '2DN2.99',
    ])
  })

  it('lists the prices of the country’s band, and nothing when the band has none', () => {
    expect(plansFor({ prices, freeProducts: [] }, 'FR').map((plan) => [plan.code, plan.currency])).toEqual([
      ['1PN39.99', 'EUR'],
    ])
    expect(plansFor({ prices, freeProducts: [] }, 'US')).toEqual([])
  })

  it('hides the prices of a free product and offers it everywhere', () => {
    const list = { prices, freeProducts: ['print'] as const }
    expect(plansFor(list, 'GB').map((plan) => plan.code)).toEqual(['2DN2.99', 'FPN'])
    expect(plansFor(list, 'JP').map((plan) => plan.code)).toEqual(['FPN'])
  })

  it('finds the current offer for a code with a stale price, and none for a plan that is not sold', () => {
    const list = { prices, freeProducts: [] }
    expect(offerFor(list, 'GB', { product: 'print', termMonths: 12, isRecurring: false })?.code).toBe('1PN29.99')
    expect(offerFor(list, 'GB', { product: 'print', termMonths: null, isRecurring: false })).toBeNull()
  })
})

describe('flat price names', () => {
  it.each([
    'price',
    'priceOneYear',
    'printPriceOneYearUSRecurring',
    'printDigPriceThreeMonthEU',
    'printDigPriceRecurring',
  ])('knows %s', (name) => expect(flatPriceNames.map((row) => row.name)).toContain(name))

  it('has a separate name for each of the 72 prices, in both directions', () => {
    expect(new Set(flatPriceNames.map((row) => row.name)).size).toBe(72)
    const rows = flatPriceNames.map(({ name: _, ...key }, index) => ({ ...key, amount: index }))
    expect(priceRowsOf(flatPrices(rows))).toEqual(rows)
  })
})

describe('promo', () => {
  const promo: PromoConditions = {
    discountPercent: 25,
    startsOn: '2026-11-01',
    endsOn: '2026-11-30',
    uses: 10,
    used: 9,
    applicableProducts: { print: { priceOneYear: true, priceSixMonths: false, priceThreeMonths: true } },
  }
  const year = { product: 'print', termMonths: 12, isRecurring: false, price: 2999 } as const
  const renewing = { ...year, isRecurring: true }
  const wholePrice = { ...promo, discountPercent: 100 }

  it.each([
    ['on its first day', promo, year, '2026-11-01', null],
    ['on its last day', promo, year, '2026-11-30', null],
    ['before it', promo, year, '2026-10-31', promoMessages.invalid],
    ['after it', promo, year, '2026-12-01', promoMessages.invalid],
    ['used up', { ...promo, used: 10 }, year, '2026-11-05', promoMessages.invalid],
    ['without limit', { ...promo, uses: 0, used: 500 }, year, '2026-11-05', null],
    ['without discount', { ...promo, discountPercent: 0 }, year, '2026-11-05', promoMessages.invalid],
    ['unknown', null, year, '2026-11-05', promoMessages.invalid],
    ['for another term', promo, { ...year, termMonths: 6 as const }, '2026-11-05', promoMessages.otherProduct],
    ['for another product', promo, { ...year, product: 'digital' as const }, '2026-11-05', promoMessages.otherProduct],
    ['for one month', promo, { ...year, termMonths: 1 as const }, '2026-11-05', promoMessages.otherProduct],
    ['for a free plan', promo, { ...year, termMonths: null }, '2026-11-05', promoMessages.otherProduct],
    ['for a plan that renews', promo, renewing, '2026-11-05', null],
    ['of the whole price', wholePrice, year, '2026-11-05', null],
    ['of the whole price of a plan that renews', wholePrice, renewing, '2026-11-05', promoMessages.freeRenewal],
  ])('%s', (_, terms, plan, today, problem) => expect(promoProblem(terms, plan, today)).toBe(problem))

  it('rounds the discount half up and loses no penny', () => {
    expect(discounted(2999, 25)).toEqual({ discount: 750, amount: 2249 })
    expect(discounted(2990, 25)).toEqual({ discount: 748, amount: 2242 })
    expect(discounted(4990, 100)).toEqual({ discount: 4990, amount: 0 })
    fc.assert(
      fc.property(fc.nat(1_000_000), fc.integer({ min: 0, max: 100 }), (full, percent) => {
        const { discount, amount } = discounted(full, percent)
        expect(discount + amount).toBe(full)
        expect(amount).toBeGreaterThanOrEqual(0)
      }),
    )
  })
})
