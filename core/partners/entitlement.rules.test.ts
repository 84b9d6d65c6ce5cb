import { describe, expect, it } from 'vitest'
import { entitlementOf, firstSecond, type HeldSubscription, lastSecond } from './entitlement.rules.ts'

const held = (subType: HeldSubscription['subType'], subStartOn: string, subEndOn: string): HeldSubscription => ({
  subType,
  subStartOn,
  subEndOn,
  firstName: '',
  lastName: '',
})
const on = '2026-11-24'

describe('entitlement to the digital edition', () => {
  it('includes digital or bundle, on the first and on the last day', () => {
    for (const subType of ['digital', 'bundle'] as const) {
      for (const subscription of [held(subType, on, on), held(subType, '2020-01-01', '2100-01-01')])
        expect(entitlementOf([subscription], on)).toEqual({ isEntitled: true, subscription })
    }
  })

  it('explains a refusal: print only, not begun, ended, none at all', () => {
    const coming = held('digital', '2026-11-25', '2027-11-24')
    const later = held('bundle', '2026-12-25', '2027-12-24')
    const ended = held('digital', '2025-01-01', '2026-11-23')
    const print = held('print', '2026-01-01', '2026-12-31')
    expect(entitlementOf([print], on)).toEqual({ isEntitled: false, why: 'print-only', subscription: null })
    expect(entitlementOf([held('print', '2025-01-01', '2025-12-31')], on)).toMatchObject({ why: 'none' })
    expect(entitlementOf([later, ended, coming], on)).toMatchObject({ why: 'not-started', subscription: coming })
    expect(entitlementOf([held('bundle', '2024-01-01', '2024-12-31'), ended, print], on)).toMatchObject({
      why: 'ended',
      subscription: ended,
    })
    expect(entitlementOf([held('', '1970-01-01', '2100-01-01')], on)).toMatchObject({ why: 'none' })
    expect(entitlementOf([], on)).toMatchObject({ why: 'none' })
  })

  it('uses the subscription that ends last, or the first of two that end together', () => {
    const short = held('bundle', '2026-01-01', '2026-12-31')
    const long = held('digital', '2026-01-01', '2027-06-30')
    expect(entitlementOf([short, long], on)).toMatchObject({ subscription: long })
    const sameTerm = { ...long, firstName: 'Second' }
    expect(entitlementOf([long, sameTerm], on)).toMatchObject({ subscription: { firstName: '' } })
  })
})

describe('the timestamps for programs', () => {
  const summer = { subStartOn: '2026-07-01', subEndOn: '2026-07-31' }

  it('are midnight of the first day and the last second of the last one, in the business’s time zone', () => {
    expect(firstSecond(summer, 'Europe/London')).toBe(Date.UTC(2026, 5, 30, 23) / 1000)
    expect(lastSecond(summer, 'Europe/London')).toBe(Date.UTC(2026, 6, 31, 23) / 1000 - 1)
    expect(lastSecond({ subEndOn: '2026-12-31' }, 'America/New_York')).toBe(Date.UTC(2027, 0, 1, 5) / 1000 - 1)
  })

  it('include the hour of the night in which the clocks change', () => {
    const night = { subStartOn: '2026-10-25', subEndOn: '2026-10-25' }
    expect(lastSecond(night, 'Europe/London') - firstSecond(night, 'Europe/London')).toBe(25 * 3600 - 1)
  })

  it('are never negative, and continue past 2038', () => {
    expect(firstSecond({ subStartOn: '1970-01-01' }, 'Europe/London')).toBe(0)
    expect(lastSecond({ subEndOn: '2100-01-01' }, 'Europe/London')).toBe(Date.UTC(2100, 0, 2) / 1000 - 1)
  })
})
