import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addMonths, dayOf } from './calendar.ts'
import { formatDay, parseDay } from './dates.ts'
import { formatMinorUnits, formatMoney, parseMinorUnits, percentOf } from './money.ts'
import { orderBy, PageInput } from './paging.ts'
import { countOf, nearest, shortened } from './text-format.ts'

describe('money', () => {
  it.each([
    ['29.99', 2999],
    ['29', 2900],
    ['£29.99', 2999],
    ['29.9', 2990],
    ['1,234.50', 123450],
    ['0', 0],
  ])('reads %s', (text, amount) => expect(parseMinorUnits(text)).toBe(amount))

  it.each(['29,99', '1e3', '-1', '29.999', 'free', '', '1.234,50', '1,23', 'NaN', '£', '12.', '1,000,000,000'])(
    'refuses %j',
    (text) => expect(parseMinorUnits(text)).toBeNull(),
  )

  it('parses what it prints', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 999_999_999 }),
        (amount) => parseMinorUnits(formatMinorUnits(amount)) === amount,
      ),
    )
  })

  it('prints in its currency', () => {
    expect(formatMoney({ amount: 123450, currency: 'GBP' })).toBe('£1,234.50')
    expect(formatMoney({ amount: 5, currency: 'USD' })).toBe('$0.05')
    expect(formatMinorUnits(-5)).toBe('-0.05')
  })

  it('rounds percentages half up', () => {
    expect(percentOf(2999, 25)).toBe(750)
    expect(percentOf(2, 25)).toBe(1)
    expect(percentOf(1, 25)).toBe(0)
  })
})

describe('days', () => {
  it.each([
    ['1/2/2026', '2026-02-01'],
    ['01/02/26', '2026-02-01'],
    ['01-02-1999', '1999-02-01'],
    ['1.2.99', '1999-02-01'],
    ['2026-02-01', '2026-02-01'],
    ['2026-02-01T10:00:00', '2026-02-01'],
    ['2026-02-01 00:00:00.000', '2026-02-01'],
    ['2026-02-01T00:00:00.000Z', '2026-02-01'],
    ['2026-02-01T00:00+01:00', '2026-02-01'],
    ['01/02/2026 00:00:00', '2026-02-01'],
    ['1/2/2026 0:00', '2026-02-01'],
    ['01.02.2026 14:30:59', '2026-02-01'],
    ['29/02/2024', '2024-02-29'],
  ])('reads %s', (text, day) => expect(parseDay(text)).toBe(day))

  it.each([
    '31/02/2026',
    '29/02/2025',
    '29/02/1900',
    '00/01/2026',
    '12/13/2026',
    '1/2',
    'soon',
    '',
    '2026-02-01 to 2027-01-31',
    '2026-02-01 (cancelled)',
    // With a zone, the day depends on where it is read.
    '2026-06-30T23:00:00.000Z',
    '2026-06-30 23:00:00+0000',
    '2026-06-30T23:00-05:00',
    '01/02/2026 25:00',
    '01/02/2026 noon',
  ])('refuses %j', (text) => expect(parseDay(text)).toBeNull())

  it('counts months from the anchor day', () => {
    expect(addMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(addMonths('2026-01-31', 2)).toBe('2026-03-31')
    expect(formatDay('2026-11-05')).toBe('05/11/2026')
  })

  it('changes the day at midnight in London, summer and winter', () => {
    expect(dayOf(new Date('2026-06-30T23:30:00Z'), 'Europe/London')).toBe('2026-07-01')
    expect(dayOf(new Date('2026-11-30T23:30:00Z'), 'Europe/London')).toBe('2026-11-30')
  })
})

describe('paging', () => {
  it('falls back to defaults for an invalid address', () => {
    expect(PageInput.parse({ page: '-3', size: '7', sort: 'name' })).toEqual({ page: 1, size: 10, sort: 'name' })
  })

  it('sorts only by known columns', () => {
    const columns = { name: 'r.full_name', date: 'r.created_at' }
    expect(orderBy('-date', columns, 'name')).toBe('r.created_at DESC')
    expect(orderBy('password_hash; DROP', columns, 'name')).toBe('r.full_name ASC')
    expect(orderBy('constructor', columns, '-date')).toBe('r.created_at DESC')
  })
})

describe('texts', () => {
  it('prints a count with its noun', () => {
    expect(countOf(1, 'reader')).toBe('1 reader')
    expect(countOf(2340, 'reader')).toBe('2,340 readers')
  })

  it('shortens a text, and never within a character', () => {
    expect(shortened('Harbour Light', 13)).toBe('Harbour Light')
    expect(shortened('Harbour Light', 7)).toBe('Harbour…')
    expect(shortened('Ann 🙂', 5)).toBe('Ann …')
    expect(shortened('Ann 🙂 Lee', 6)).toBe('Ann 🙂…')
  })

  it('finds the nearest word', () => {
    expect(nearest('imprt', ['export', 'import'])).toBe('import')
    expect(nearest('frnace', ['Ireland', 'France'])).toBe('France')
    expect(nearest('zebra', ['export', 'import'])).toBeUndefined()
  })
})
