import { describe, expect, it } from 'vitest'
import { cancellationDays } from './cancellation-days.rules.ts'
import { defaultRefundPolicy, proposedRefund, type RefundPolicy } from './refund-policy.rules.ts'

const months = { amount: 2003, first: 4, count: 8, fromOn: '2026-05-01', untilOn: '2026-12-31' }
const order = { orderedOn: '2026-04-01', choices: { refundable: 2999, months } }
const propose = (policy: Partial<RefundPolicy>, today: string, choices: object = {}) =>
  proposedRefund({ ...defaultRefundPolicy, ...policy }, { ...order, today, choices: { ...order.choices, ...choices } })

describe('what a refund policy proposes', () => {
  it.each([
    ['2026-04-01', {}, 'whole', 2999, 'a refund of the whole amount within 14 days of the order, until 15/04/2026'],
    ['2026-04-15', {}, 'whole', 2999, 'a refund of the whole amount within 14 days of the order, until 15/04/2026'],
    ['2026-04-16', {}, 'months', 2003, 'a refund of the unserved months after 14 days'],
    [
      '2026-04-02',
      { wholeDays: 1 },
      'whole',
      2999,
      'a refund of the whole amount within 1 day of the order, until 02/04/2026',
    ],
    ['2026-04-01', { wholeDays: 0 }, 'months', 2003, 'a refund of the unserved months'],
    ['2026-04-16', { afterwards: 'none' }, null, 0, 'no refund after 14 days'],
    ['2026-04-01', { wholeDays: 0, afterwards: 'none' }, null, 0, 'no refund'],
    ['2026-04-16', { afterwards: 'credit' }, 'months', 2003, 'a credit for the unserved months after 14 days'],
    [
      '2026-04-01',
      { afterwards: 'credit' },
      'whole',
      2999,
      'a refund of the whole amount within 14 days of the order, until 15/04/2026',
    ],
  ] as const)('on %s by %o: %s, %i', (today, policy, scope, amount, rule) =>
    expect(propose(policy, today)).toEqual({
      scope,
      amount,
      rule,
      isCredit: 'afterwards' in policy && policy.afterwards === 'credit' && amount < 2999,
    }),
  )

  it('is nothing when no month is left, and the rest of the payment within the days of the policy', () => {
    expect(propose({}, '2026-04-16', { months: null })).toMatchObject({ scope: null, amount: 0 })
    expect(propose({}, '2026-04-02', { refundable: 500, months: null })).toMatchObject({ scope: 'whole', amount: 500 })
  })
})

it('the proposal is a full refund while the law lets the buyer cancel, even if the policy has fewer days', () => {
  const proposeByLaw = (policy: Partial<RefundPolicy>, today: string) =>
    proposedRefund({ ...defaultRefundPolicy, ...policy }, { ...order, today, statutoryDays: 14 })
  expect(proposeByLaw({ wholeDays: 0, afterwards: 'none' }, '2026-04-15')).toEqual({
    scope: 'whole',
    amount: 2999,
    isCredit: false,
    rule: 'a refund of the whole amount until 15/04/2026: the law lets consumers cancel within 14 days',
  })
  expect(proposeByLaw({ wholeDays: 0, afterwards: 'none' }, '2026-04-16')).toMatchObject({
    scope: null,
    rule: 'no refund',
  })
  expect(proposeByLaw({ wholeDays: 30 }, '2026-04-15').rule).toMatch(/^a refund of the whole amount within 30 days/)
})

it.each([
  ['what is ordered in the UK', {}, 14],
  ['what is ordered in the EU', { country: 'DE' }, 14],
  ['a country without a rule', { country: 'US' }, 0],
  ['an order from before the rule', { orderedOn: '2014-06-12' }, 0],
  ['a later term that the reader ordered', { orderedOn: '2027-06-01', termMonths: 3 }, 14],
  ['a renewal before the law', { isAutomatic: true, orderedOn: '2027-02-28' }, 0],
  ['a renewal of a year', { isAutomatic: true, orderedOn: '2027-03-01' }, 14],
  ['a renewal of a year elsewhere', { isAutomatic: true, orderedOn: '2027-03-01', country: 'DE' }, 0],
  ['a renewal of six months', { isAutomatic: true, orderedOn: '2027-03-01', termMonths: 6 }, 0],
  [
    'a renewal of six months after a reduced term',
    { isAutomatic: true, orderedOn: '2027-03-01', termMonths: 6, followsReducedTerm: true },
    14,
  ],
])('the cancellation period for %s', (_, order, days) => {
  const defaults = {
    orderedOn: '2026-04-01',
    country: 'GB',
    termMonths: 12,
    isAutomatic: false,
    followsReducedTerm: false,
  }
  expect(cancellationDays({ ...defaults, ...order })).toBe(days)
})
