import { describe, expect, it } from 'vitest'
import { noticesDue, planBillingStatus, sellsSubscriptions } from './plan-billing-status.rules.ts'

const unpaid = { state: 'past-due', unpaidSince: '2026-11-01', endsOn: null } as const

describe('a plan', () => {
  it.each([
    ['2026-11-01', true, 1],
    ['2026-11-07', true, 1],
    ['2026-11-08', true, 2],
    ['2026-11-14', true, 2],
    ['2026-11-15', false, 3],
    ['2027-03-01', false, 3],
  ])('unpaid since 1 November sells new subscriptions on %s: %s, and has had %i emails', (today, sells, emails) => {
    const billingStatus = planBillingStatus(unpaid, today)
    expect(billingStatus).toMatchObject({ kind: 'unpaid', since: '2026-11-01', stopsOn: '2026-11-15' })
    expect(sellsSubscriptions(billingStatus)).toBe(sells)
    expect(noticesDue('2026-11-01', today)).toBe(emails)
  })

  it('sells while it is paid or free, and not once it has ended', () => {
    const billingStatus = (state: 'active' | 'ended' | null) =>
      planBillingStatus({ state, unpaidSince: null, endsOn: '2026-11-30' }, '2026-12-24')
    expect(sellsSubscriptions(billingStatus('active'))).toBe(true)
    expect(sellsSubscriptions(billingStatus(null))).toBe(true)
    expect(billingStatus('ended')).toEqual({ kind: 'ended', on: '2026-11-30' })
    expect(sellsSubscriptions(billingStatus('ended'))).toBe(false)
  })
})
