import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addDays } from '../kernel/calendar.ts'
import { cohortsOf, renewalWindows, settledRate } from './cohorts.rules.ts'
import { growthCsv } from './growth-table.rules.ts'
import { forecastOf, issuesIn } from './print-forecast.rules.ts'
import { firstComparedDay, revenueMonths } from './revenue-months.rules.ts'

const termsEndedOn = (endedOn: string, ended: number, renewed: number) => ({
  endedOn,
  ended,
  renewed,
  within: { 0: 0, 30: renewed, 60: renewed, 90: renewed },
})

it('settles a window when it has passed for all terms of the month', () => {
  const cohorts = cohortsOf([termsEndedOn('2026-08-31', 10, 4), termsEndedOn('2026-11-20', 2, 0)], '2026-11-30')
  const settled = (month: string) =>
    cohorts.find((cohort) => cohort.month === month)?.windows.map(({ isSettled }) => isSettled)
  expect(settled('2026-08')).toEqual([true, true, true, true])
  expect(
    cohortsOf([], '2026-11-29')
      .find(({ month }) => month === '2026-08')
      ?.windows.at(-1)?.isSettled,
  ).toBe(false)
  expect(settled('2026-10')).toEqual([true, false, false, false])
  expect(settled('2026-11')).toEqual([false, false, false, false])
  expect(settledRate(cohorts)).toBe(0.4)
  expect(settledRate(cohortsOf([], '2026-11-30'))).toBeNull()
})

it('puts every ended term into exactly one cohort', () => {
  const day = fc.integer({ min: 0, max: 380 }).map((daysBack) => addDays('2026-11-20', -daysBack))
  fc.assert(
    fc.property(fc.array(fc.record({ day, ended: fc.nat(50) }), { maxLength: 30 }), (days) => {
      const countedDays = days.filter((term) => term.day >= '2025-11-01')
      const cohorts = cohortsOf(
        days.map((term) => termsEndedOn(term.day, term.ended, 0)),
        '2026-11-21',
      )
      const sum = (list: readonly { ended: number }[]) => list.reduce((total, { ended }) => total + ended, 0)
      expect(sum(cohorts)).toBe(sum(countedDays))
    }),
  )
  expect(renewalWindows).toEqual([0, 30, 60, 90])
})

it('spreads the issues of a year over its months without losing one', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 366 }), (issues) => {
      const months = Array.from({ length: 12 }, (_, index) => issuesIn(index + 1, issues))
      expect(months.reduce((sum, n) => sum + n, 0)).toBe(issues)
      expect(Math.max(...months) - Math.min(...months)).toBeLessThanOrEqual(1)
    }),
  )
  expect([1, 2, 3].map((month) => issuesIn(month, 4))).toEqual([0, 0, 1])
})

it('forecasts between what is certain and what full renewal would give', () => {
  const printedTerms = [
    { startMonth: null, overMonth: null, readers: 5 },
    { startMonth: null, overMonth: '2026-12', readers: 10 },
    { startMonth: '2027-01', overMonth: '2027-03', readers: 4 },
  ]
  const months = forecastOf(printedTerms, { issuesPerYear: 6, rate: 0.5, today: '2026-11-21' })
  expect(months.map(({ copies, expected, issues }) => [copies, expected, issues])).toEqual([
    [15, 15, 0],
    [5, 10, 1],
    [9, 14, 0],
    [9, 14, 1],
    [5, 12, 0],
    [5, 12, 1],
  ])
  expect(forecastOf(printedTerms, { issuesPerYear: 6, rate: null, today: '2026-11-21' })[0]?.expected).toBeNull()
})

it('compares the current month with the same days a year before', () => {
  const day = (on: string, net: number) => ({ day: on, currency: 'GBP' as const, net })
  const [pounds] = revenueMonths(
    [day('2025-11-20', 100), day('2025-11-21', 10), day('2025-11-22', 1), day('2026-11-05', 7)],
    '2026-11-21',
  )
  expect(pounds?.months.at(-1)).toEqual({ month: '2026-11', net: 7, yearBefore: 110, isRunning: true })
  expect(pounds?.months[0]).toEqual({ month: '2025-11', net: 111, yearBefore: 0, isRunning: false })
  expect(firstComparedDay('2026-11-21')).toBe('2024-11-01')
})

it('writes a share as a count and a percentage, and money without its currency sign', () => {
  const text = growthCsv([
    {
      title: 'Renewed',
      headings: ['Ended in', 'Terms', '30 days', 'Sum'],
      rows: [
        {
          label: 'Oct 2026',
          cells: [
            { kind: 'count', count: 1200 },
            { kind: 'share', part: 400, whole: 1200, isSettled: false },
            { kind: 'money', money: { amount: -2999, currency: 'GBP' } },
          ],
        },
      ],
    },
  ])
  expect(text).toBe('Table,Ended in,Terms,30 days,30 days %,Sum\r\nRenewed,Oct 2026,1200,400,33.3,-29.99\r\n')
})
