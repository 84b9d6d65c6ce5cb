import { describe, expect, it } from 'vitest'
import { defaultRefundPolicy, proposedRefund, type RefundPolicy } from './refund-policy.rules.ts'

const months = { amount: 2003, first: 4, count: 8, fromOn: '2026-05-01', untilOn: '2026-12-31' }
const order = { orderedOn: '2026-04-01', choices: { refundable: 2999, months } }
const propose = (policy: Partial<RefundPolicy>, today: string, choices: object = {}) =>
  proposedRefund({ ...defaultRefundPolicy, ...policy }, { ...order, today, choices: { ...order.choices, ...choices } })

describe('what a refund policy proposes', () => {
  it.each([
    ['2026-04-01', {}, 'whole', 2999, 'the whole amount within 14 days of the order, until 15/04/2026'],
    ['2026-04-15', {}, 'whole', 2999, 'the whole amount within 14 days of the order, until 15/04/2026'],
    ['2026-04-16', {}, 'months', 2003, 'the unserved months, 14 days after the order'],
    ['2026-04-02', { wholeDays: 1 }, 'whole', 2999, 'the whole amount within 1 day of the order, until 02/04/2026'],
    ['2026-04-01', { wholeDays: 0 }, 'months', 2003, 'the unserved months'],
    ['2026-04-16', { afterwards: 'none' }, null, 0, 'nothing, 14 days after the order'],
    ['2026-04-01', { wholeDays: 0, afterwards: 'none' }, null, 0, 'nothing'],
  ] as const)('on %s by %o: %s, %i', (today, policy, scope, amount, rule) =>
    expect(propose(policy, today)).toEqual({ scope, amount, rule }),
  )

  it('is nothing where no month is left, and the rest of what was paid within the days', () => {
    expect(propose({}, '2026-04-16', { months: null })).toMatchObject({ scope: null, amount: 0 })
    expect(propose({}, '2026-04-02', { refundable: 500, months: null })).toMatchObject({ scope: 'whole', amount: 500 })
  })
})
