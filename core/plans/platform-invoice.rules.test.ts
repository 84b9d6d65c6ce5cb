import fc from 'fast-check'
import { expect, it } from 'vitest'
import { publisherPlans } from '../pricing/publisher-plans.rules.ts'
import { formatPlatformInvoiceNumber, vatWithin } from './platform-invoice.rules.ts'

it('works out the VAT in the price of every plan', () => {
  for (const { price, pricePlusVat } of publisherPlans) expect(vatWithin(pricePlusVat, 20)).toBe(pricePlusVat - price)
})

it('the VAT is the same when reversed, zero when none is charged, and a sixth of any amount to the penny', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000 }), (total) => {
      expect(vatWithin(-total, 20) + vatWithin(total, 20)).toBe(0)
      expect(vatWithin(total, null)).toBe(0)
      expect(Math.abs(vatWithin(total, 20) * 6 - total)).toBeLessThanOrEqual(3)
    }),
  )
})

it('prints its numbers in one format', () => expect(formatPlatformInvoiceNumber(12)).toBe('PLAN-000012'))
