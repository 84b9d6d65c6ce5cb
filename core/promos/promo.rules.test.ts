import { describe, expect, it } from 'vitest'
import { promoLink, promoSentence, promoStatus, usesText } from './promo.rules.ts'

const today = '2026-11-21'
const everything = {
  print: { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true },
  digital: { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true },
  bundle: { priceOneYear: true, priceSixMonths: true, priceThreeMonths: true },
}
const promo = { startsOn: null, endsOn: null, uses: 0, used: 0, discountPercent: 25, applicableProducts: everything }

describe('the state of a code', () => {
  const cases = [
    [{}, 'live'],
    [{ startsOn: '2026-11-22' }, 'scheduled'],
    [{ startsOn: '2026-11-21' }, 'live'],
    [{ endsOn: '2026-11-21' }, 'live'],
    [{ endsOn: '2026-11-20' }, 'expired'],
    [{ uses: 5, used: 4 }, 'live'],
    [{ uses: 5, used: 5 }, 'used up'],
    [{ uses: 0, used: 500 }, 'live'],
    [{ uses: 5, used: 5, endsOn: '2026-01-01' }, 'expired'],
  ] as const
  it.each(cases)('%j is %s', (fields, status) => expect(promoStatus({ ...promo, ...fields }, today)).toBe(status))
})

describe('the description of a code', () => {
  const year = { priceOneYear: true }
  const cases = [
    [{}, '25% off every subscription of three months or longer, from today, with no end, unlimited uses'],
    [
      { applicableProducts: { print: everything.print, bundle: everything.bundle }, endsOn: '2026-12-31' },
      '25% off print and bundle, from today, until 31-12-2026, unlimited uses',
    ],
    [
      { applicableProducts: { print: year, digital: everything.digital }, startsOn: '2026-12-01', uses: 1 },
      '25% off print (one year) and digital, from 01-12-2026, with no end, at most 1 use',
    ],
    [
      { applicableProducts: { print: everything.print, digital: everything.digital, bundle: year } },
      '25% off print and digital, and bundle (one year), from today, with no end, unlimited uses',
    ],
    [
      { applicableProducts: {}, startsOn: '2026-01-05', uses: 1200 },
      '25% off nothing, since 05-01-2026, with no end, at most 1,200 uses',
    ],
  ] as const
  it.each(cases)('%j', (fields, sentence) => expect(promoSentence({ ...promo, ...fields }, today)).toBe(sentence))
})

it('shows how often it was used', () => {
  expect(usesText({ uses: 50, used: 12 })).toBe('12 of 50')
  expect(usesText({ uses: 0, used: 1200 })).toBe('1,200, Unlimited')
})

it('makes a link for a code with any letters', () => {
  expect(promoLink('https://shop.example', { urlKey: 'gardener', code: 'SPRING-25' })).toBe(
    'https://shop.example/gardener?promo=SPRING-25',
  )
  expect(promoLink('', { urlKey: 'gardener', code: 'FRÜH' })).toBe('/gardener?promo=FR%C3%9CH')
})
