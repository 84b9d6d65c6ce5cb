import { describe, expect, it } from 'vitest'
import { noticeOf, noticeRules, type UpcomingCharge } from './notice-days.rules.ts'

const charge = (fields: Partial<UpcomingCharge>): UpcomingCharge => ({
  country: 'FR',
  termMonths: 12,
  isDebit: false,
  price: 'same',
  contractOn: '2026-01-31',
  cycleOn: '2027-01-31',
  ...fields,
})

describe('the notice before a charge', () => {
  it.each([
    ['a year', {}, { usual: 30, min: 14 }],
    ['six months', { termMonths: 6 }, { usual: 30, min: 14 }],
    ['three months', { termMonths: 3, cycleOn: '2026-04-30' }, { usual: 7, min: 0 }],
    ['a month', { termMonths: 1, cycleOn: '2026-02-28' }, null],
    ['a month at a higher price', { termMonths: 1, price: 'higher' }, { usual: 30, min: 14 }],
    [
      'a month at a higher price in the United States',
      { country: 'US', termMonths: 1, price: 'higher' },
      { usual: 30, min: 14 },
    ],
    ['a month at a lower price', { termMonths: 1, price: 'lower' }, { usual: 7, min: 0 }],
    ['a year at a lower price', { price: 'lower' }, { usual: 30, min: 14 }],
    ['a year in the United States', { country: 'US' }, { usual: 30, min: 15 }],
    ['a month in the United States', { country: 'US', termMonths: 1 }, null],
    ['a month by direct debit', { termMonths: 1, isDebit: true }, { usual: 21, min: 18 }],
    ['a year by direct debit', { isDebit: true }, { usual: 30, min: 18 }],
  ] as const)('of %s', (_, fields, days) => {
    expect(noticeOf(charge(fields))).toEqual(days)
  })

  it('in the United Kingdom is sent before the payment that ends each six months, even when counted from the 31st', () => {
    const months = ['2026-02-28', '2026-03-31', '2026-06-30', '2026-07-31', '2026-08-31', '2027-01-31']
    const announced = months.filter((cycleOn) => noticeOf(charge({ country: 'GB', termMonths: 1, cycleOn })))
    expect(announced).toEqual(['2026-07-31', '2027-01-31'])
  })

  it('is sent every six months even when the terms do not begin with the contract', () => {
    // Ordered while another term was running: the quarters end two, five, eight and eleven months after the contract.
    const quarters = ['2026-03-05', '2026-06-05', '2026-09-05', '2026-12-05', '2027-03-05']
    const noticeDays = quarters.map((cycleOn) => noticeOf(charge({ country: 'GB', termMonths: 3, cycleOn }))?.usual)
    expect(noticeDays).toEqual([7, 7, 30, 7, 30])
  })

  it('is sent for each charge when the day of the contract is not known', () => {
    expect(noticeOf(charge({ country: 'GB', termMonths: 1, contractOn: null }))).toEqual({ usual: 30, min: 14 })
  })

  it('follows the rule that applies on the day of the charge', () => {
    const rules = [
      { name: 'a', from: '2000-01-01', minTermMonths: 1, days: { usual: 10, min: 5, max: 60 } },
      { name: 'a', from: '2027-04-01', minTermMonths: 1, days: { usual: 3, min: 2, max: 60 } },
    ]
    expect(noticeOf(charge({ cycleOn: '2027-03-31' }), rules)?.usual).toBe(10)
    expect(noticeOf(charge({ cycleOn: '2027-04-01' }), rules)?.usual).toBe(3)
  })

  it('has its default within the bounds of each rule and of all rules that apply', () => {
    for (const { days } of noticeRules) {
      expect(days.usual).toBeGreaterThanOrEqual(days.min)
      expect(days.usual).toBeLessThanOrEqual(days.max)
    }
    expect(noticeOf(charge({ country: 'US', price: 'higher', isDebit: true }))?.usual).toBeLessThanOrEqual(30)
  })
})
