import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Currency } from '../kernel/money.ts'
import { causeKey, orderVat, type VatCause } from './order-vat.rules.ts'
import { allocate, refundVat, saleVat, type VatItem, type VatLine, type VatTerms, vatWithin } from './vat.rules.ts'
import { quarterBefore, quarterContaining, quarterOf } from './vat-quarters.rules.ts'
import { builtInRates, rateOf, supplies, type VatRate } from './vat-rates.rules.ts'

const on = '2026-11-23'
const place = { billingCountry: 'GB', shippingCountry: '' }
const rateFor = (supply: VatRate['supply'], rate: number, country = 'GB'): VatRate => ({
  country,
  supply,
  rate,
  fromOn: '2020-01-01',
  scheme: country === 'GB' ? 'uk' : 'none',
})
const terms = (fields: Partial<VatTerms['settings']> = {}, rates: VatRate[] = []): VatTerms => ({
  settings: {
    isRegistered: true,
    registeredFrom: null,
    usesOss: false,
    bundlePrint: 7000,
    vatNumber: '',
    ossNumber: '',
    ...fields,
  },
  rates,
  exchange: new Map([['2026-11 USD', 1_285_000]]),
})
const sell = (items: VatItem[], vatTerms: VatTerms, currency: Currency = 'GBP') =>
  saleVat({ items, amount: items.reduce((sum, { gross }) => sum + gross, 0), on, currency, place }, vatTerms)
const sum = (lines: readonly VatLine[], name: 'gross' | 'net' | 'vat' | 'vatGbp' | 'netGbp') =>
  lines.reduce((total, line) => total + (line[name] ?? 0), 0)

const anyItem = fc.record({ supply: fc.constantFrom(...supplies), gross: fc.integer({ min: 0, max: 50_000 }) })
const anyItems = fc
  .array(anyItem, { minLength: 1, maxLength: 8 })
  .map((items) => items.map((item, index) => ({ ...item, itemId: index + 1 })))
const anyRate = fc.constantFrom(0, 500, 550, 900, 2000, 2500)
const anyRates = fc
  .tuple(anyRate, anyRate, anyRate, anyRate)
  .map(([print, digital, issue, shipping]) => [
    rateFor('print', print),
    rateFor('digital', digital),
    rateFor('back-issue', issue),
    rateFor('shipping', shipping),
  ])
const anyRatio = fc.integer({ min: 0, max: 10_000 })

describe('the VAT of a sale', () => {
  it('and its net add up to the gross, and the lines to the payment', () => {
    fc.assert(
      fc.property(
        anyItems,
        anyRates,
        anyRatio,
        fc.integer({ min: 0, max: 100_000 }),
        (items, rates, bundlePrint, amount) => {
          const lines = saleVat({ items, amount, on, currency: 'USD', place }, terms({ bundlePrint }, rates))
          const isFree = items.every(({ gross }) => gross === 0) && amount === 0
          expect(sum(lines, 'gross')).toBe(isFree ? 0 : amount)
          for (const { gross, net, vat, netGbp, vatGbp } of lines) {
            expect((net ?? Number.NaN) + (vat ?? Number.NaN)).toBe(gross)
            expect(vat).toBeGreaterThanOrEqual(0)
            expect(vat).toBeLessThanOrEqual(gross)
            expect(vatGbp).toBeGreaterThanOrEqual(0)
            expect(netGbp).toBeGreaterThanOrEqual(0)
          }
        },
      ),
    )
  })

  it('is the same for many lines as for one with their sum', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 60 }),
        anyRate,
        (amounts, rate) => {
          const items = amounts.map((gross, index) => ({ itemId: index, supply: 'back-issue' as const, gross }))
          const lines = sell(items, terms({}, [rateFor('back-issue', rate)]))
          expect(sum(lines, 'vat')).toBe(vatWithin(sum(lines, 'gross'), rate))
        },
      ),
    )
  })

  it('splits a bundle by its ratio, each part with its own rate', () => {
    const lines = sell([{ itemId: 1, supply: 'bundle', gross: 3999 }], terms({}, [rateFor('digital', 2000)]))
    expect(lines.map(({ supply, gross, rate, vat }) => [supply, gross, rate, vat])).toEqual([
      ['print', 2799, 0, 0],
      ['digital', 1200, 2000, 200],
    ])
  })

  it('is not set, never guessed, when something is missing', () => {
    const lineOf = (supply: VatItem['supply'], vatTerms: VatTerms) =>
      sell([{ itemId: 1, supply, gross: 600 }], vatTerms)[0]
    expect(lineOf('print', { ...terms(), settings: null })).toMatchObject({
      problem: 'settings',
      vat: null,
      scheme: null,
    })
    expect(lineOf('bundle', terms({ bundlePrint: null }))).toMatchObject({ problem: 'ratio', supply: 'bundle' })
    expect(lineOf('shipping', terms())).toMatchObject({ problem: 'rate', net: null })
    expect(lineOf('print', terms({}, [{ ...rateFor('print', 900), scheme: 'eu-oss' }]))).toMatchObject({
      problem: 'scheme',
    })
    expect(lineOf('print', terms())).toMatchObject({ problem: '', vat: 0, net: 600, vatGbp: 0, scheme: 'uk' })
    // A publisher that is not registered charges none, whatever is sold to whom.
    expect(lineOf('bundle', terms({ isRegistered: false, bundlePrint: null }))).toMatchObject({
      problem: '',
      scheme: 'none',
      rate: 0,
      vat: 0,
      net: 600,
    })
    expect(lineOf('print', terms({ registeredFrom: '2026-12-01' }, [rateFor('print', 2000)]))).toMatchObject({
      scheme: 'none',
      vat: 0,
    })
    const [unknown] = saleVat(
      {
        items: [{ itemId: 1, supply: 'print', gross: 600 }],
        amount: 600,
        on,
        currency: 'GBP',
        place: { billingCountry: '', shippingCountry: '' },
      },
      terms(),
    )
    expect(unknown).toMatchObject({ problem: 'country', country: '', decidedBy: '' })
  })

  it('taxes goods where they are delivered and digital editions where the buyer lives', () => {
    const lines = saleVat(
      {
        items: [
          { itemId: 1, supply: 'print', gross: 100 },
          { itemId: 2, supply: 'digital', gross: 100 },
        ],
        amount: 200,
        on,
        currency: 'GBP',
        place: { billingCountry: 'GB', shippingCountry: 'FR' },
      },
      terms(),
    )
    expect(lines.map(({ country, decidedBy, problem }) => [country, decidedBy, problem])).toEqual([
      ['FR', 'shipping', 'rate'],
      ['GB', 'billing', ''],
    ])
  })

  it('is converted to pounds at the rate of its month, and not set without one', () => {
    const items: VatItem[] = [{ itemId: 1, supply: 'shipping', gross: 1200 }]
    const vatTerms = terms({}, [rateFor('shipping', 2000)])
    expect(sell(items, vatTerms, 'USD')[0]).toMatchObject({
      vat: 200,
      vatGbp: 156,
      netGbp: 778,
      exchangeRate: 1_285_000,
    })
    expect(sell(items, vatTerms, 'EUR')[0]).toMatchObject({ vat: 200, vatGbp: null, netGbp: null, problem: 'exchange' })
  })
})

describe('the VAT of a refund', () => {
  it('never exceeds the sale’s, and all refunds together reverse exactly its VAT', () => {
    fc.assert(
      fc.property(
        anyItems,
        anyRates,
        anyRatio,
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
        (items, rates, bundlePrint, steps) => {
          const sale = sell(items, terms({ bundlePrint }, rates), 'USD')
          const total = sum(sale, 'gross')
          const refunded: VatLine[] = []
          const refund = (amount: number) => {
            const lines = refundVat(sale, refunded, amount)
            expect(sum(lines, 'gross')).toBe(0 - amount)
            for (const line of lines) {
              expect((line.net ?? 0) + (line.vat ?? 0)).toBe(line.gross)
              expect(line.vat).toBeLessThanOrEqual(0)
              expect(line.net).toBeLessThanOrEqual(0)
            }
            refunded.push(...lines)
            for (const line of sale) {
              const refundsOfLine = refunded.filter(
                ({ itemId, supply }) => itemId === line.itemId && supply === line.supply,
              )
              for (const name of ['gross', 'net', 'vat', 'vatGbp', 'netGbp'] as const)
                expect((line[name] ?? 0) + sum(refundsOfLine, name)).toBeGreaterThanOrEqual(0)
            }
          }
          for (const step of steps) refund(Math.min(Math.ceil((total * step) / 100), total + sum(refunded, 'gross')))
          refund(total + sum(refunded, 'gross'))
          for (const name of ['gross', 'net', 'vat', 'vatGbp', 'netGbp'] as const)
            expect(sum(sale, name) + sum(refunded, name)).toBe(0)
        },
      ),
    )
  })

  it('is reversed to the penny when the refund fails, and can be refunded again', () => {
    const order = { items: [{ itemId: 1, supply: 'digital', gross: 2999 } as const], currency: 'GBP' as const, place }
    const causes: VatCause[] = [
      { kind: 'sale', cause: '', on, amount: 2999 },
      { kind: 'refund', cause: 'refund:1', on, amount: -1000 },
      { kind: 'refund-failed', cause: 'refund:1', on, amount: 1000 },
      { kind: 'refund', cause: 'refund:2', on, amount: -2999 },
    ]
    const results = orderVat(order, causes, new Map(), terms({}, [rateFor('digital', 2000)]))
    expect(results.map(({ lines }) => [sum(lines, 'gross'), sum(lines, 'vat')])).toEqual([
      [2999, 500],
      [-1000, -167],
      [1000, 167],
      [-2999, -500],
    ])
  })
})

describe('lines that were not set', () => {
  const order = { items: [{ itemId: 1, supply: 'bundle', gross: 3999 } as const], currency: 'GBP' as const, place }
  const causes: VatCause[] = [
    { kind: 'sale', cause: '', on, amount: 3999 },
    { kind: 'refund', cause: 'refund:1', on, amount: -1000 },
  ]
  const stored = (results: ReturnType<typeof orderVat>) =>
    new Map(results.map(({ cause, lines }) => [causeKey(cause), lines] as const))

  it('are filled on request, with their refunds, and then stay', () => {
    const before = stored(orderVat(order, causes, new Map(), terms({ bundlePrint: null })))
    expect([...before.values()].flat().map(({ problem }) => problem)).toEqual(['ratio', 'ratio'])
    const completeTerms = terms({}, [rateFor('digital', 2000)])
    expect(orderVat(order, causes, before, completeTerms).some(({ isChanged }) => isChanged)).toBe(false)
    expect(
      orderVat(order, causes, before, completeTerms, { isFilling: true, isClosed: () => true })[0]?.isChanged,
    ).toBe(false)
    const after = orderVat(order, causes, before, completeTerms, { isFilling: true })
    expect(after.map(({ lines }) => lines.map(({ supply, gross, vat }) => [supply, gross, vat]))).toEqual([
      [
        ['print', 2799, 0],
        ['digital', 1200, 200],
      ],
      [
        ['print', -699, 0],
        ['digital', -301, -50],
      ],
    ])
    const otherTerms = terms({ bundlePrint: 5000 }, [rateFor('digital', 2500)])
    const again = orderVat(order, causes, stored(after), otherTerms, { isFilling: true })
    expect(again.map(({ lines }) => lines)).toEqual(after.map(({ lines }) => lines))
  })

  it('get their pounds when the exchange rate is set, and keep their VAT', () => {
    const euroOrder = {
      ...order,
      items: [{ itemId: 1, supply: 'digital', gross: 1200 } as const],
      currency: 'EUR' as const,
    }
    const at20 = terms({}, [rateFor('digital', 2000)])
    const euroCauses: VatCause[] = [
      { kind: 'sale', cause: '', on, amount: 1200 },
      { kind: 'refund', cause: 'refund:1', on, amount: -600 },
    ]
    const before = stored(orderVat(euroOrder, euroCauses, new Map(), at20))
    const laterTerms = { ...terms({}, [rateFor('digital', 2500)]), exchange: new Map([['2026-11 EUR', 1_200_000]]) }
    const after = orderVat(euroOrder, euroCauses, before, laterTerms, { isFilling: true }).flatMap(({ lines }) => lines)
    expect(after.map(({ vat, vatGbp, netGbp, problem }) => [vat, vatGbp, netGbp, problem])).toEqual([
      [200, 167, 833, ''],
      [-100, -84, -417, ''],
    ])
  })
})

describe('rates and quarters', () => {
  it('uses the rate of the day: the publisher’s before the default, a country’s before its group’s', () => {
    const ukRate = (supply: VatRate['supply'], day: string, ownRates: VatRate[] = []) =>
      rateOf(ownRates, { country: 'GB', supply, on: day })?.rate
    expect(ukRate('print', '2026-01-01')).toBe(0)
    expect(ukRate('digital', '2020-04-30')).toBeUndefined()
    expect(ukRate('digital', '2020-05-01')).toBe(0)
    expect(ukRate('shipping', '2026-01-01')).toBeUndefined()
    const dated = [rateFor('digital', 2000), { ...rateFor('digital', 1750), fromOn: '2026-06-01' }]
    expect([ukRate('digital', '2026-05-31', dated), ukRate('digital', '2026-06-01', dated)]).toEqual([2000, 1750])
    const printRates = [rateFor('print', 500, 'EU'), rateFor('print', 250, 'XX'), rateFor('print', 900, 'DE')]
    const printRateIn = (country: string) => rateOf(printRates, { country, supply: 'print', on })?.rate
    expect(['FR', 'DE', 'US', 'NO', 'GB'].map(printRateIn)).toEqual([500, 900, 250, 250, 0])
    expect(builtInRates.every(({ country, rate: builtIn }) => country === 'GB' && builtIn === 0)).toBe(true)
  })

  it('divides into whole pence that add up', () => {
    fc.assert(
      fc.property(fc.nat(10_000), fc.array(fc.nat(5000), { minLength: 1, maxLength: 9 }), (amount, shares) => {
        const parts = allocate(amount, shares)
        const totalShares = shares.reduce((total, share) => total + share, 0)
        expect(parts.reduce((total, part) => total + part, 0)).toBe(amount)
        if (amount <= totalShares)
          expect(parts.every((part, index) => part >= 0 && part <= (shares[index] ?? 0))).toBe(true)
      }),
    )
  })

  it('names quarters by the month the first begins in, and puts every day in one', () => {
    expect(quarterOf('2026-Q4', 1)).toEqual({ quarter: '2026-Q4', from: '2026-10-01', until: '2026-12-31' })
    expect(quarterOf('2026q4', 3)).toEqual({ quarter: '2026-Q4', from: '2026-12-01', until: '2027-02-28' })
    expect(quarterContaining('2027-01-31', 2)).toMatchObject({ quarter: '2026-Q4' })
    expect(quarterBefore(quarterContaining('2027-01-31', 1), 1)).toMatchObject({ quarter: '2026-Q4' })
    for (const wrong of ['2026-Q5', '26-Q1', 'Q1', '9999-Q1']) expect(quarterOf(wrong, 1)).toBeNull()
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4000 }), fc.constantFrom(1, 2, 3), (days, firstMonth) => {
        const day = new Date(Date.UTC(2020, 0, 1 + days)).toISOString().slice(0, 10)
        const { quarter, from, until } = quarterContaining(day, firstMonth)
        expect(from <= day && day <= until).toBe(true)
        expect(quarterOf(quarter ?? '', firstMonth)).toEqual({ quarter, from, until })
      }),
    )
  })
})
