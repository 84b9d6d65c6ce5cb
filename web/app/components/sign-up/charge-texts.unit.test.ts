import { expect, it } from 'vitest'
import { planQuotes } from '#core/pricing/publisher-plans.rules.ts'
import { chargeTexts } from './charge-texts.ts'

const textsWith = (coupon: { percentOff: number; isForever: boolean } | null, priceType: 'VAT' | 'TAXFREE' = 'VAT') => {
  const [quote] = planQuotes('standard', priceType, coupon?.percentOff ?? 0)
  if (!quote) throw new Error('There is no plan with one title')
  const { total, due, summary } = chargeTexts(quote, coupon && { id: 'CODE', name: 'Code', ...coupon }, priceType)
  return [total, due, summary(quote.total)]
}

it('names the price of each month if all months cost the same', () => {
  expect(textsWith(null)).toEqual([
    'Monthly charge including VAT',
    '£78.00 is due today, then £78.00 each month.',
    '£78.00 a month, the first one today',
  ])
  expect(textsWith({ percentOff: 50, isForever: true }, 'TAXFREE')).toEqual([
    'Monthly charge, no VAT',
    '£32.50 is due today, then £32.50 each month.',
    '£32.50 a month, the first one today',
  ])
})

it('names the full price too if the code ends', () => {
  expect(textsWith({ percentOff: 50, isForever: false })).toEqual([
    'First month including VAT',
    '£39.00 is due today, then £78.00 a month once the code has ended.',
    '£39.00 today, then £78.00 a month once the code has ended',
  ])
  expect(textsWith({ percentOff: 50, isForever: false }, 'TAXFREE')[0]).toBe('First month, no VAT')
})
