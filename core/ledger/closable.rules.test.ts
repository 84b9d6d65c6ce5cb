import { expect, it } from 'vitest'
import { closableMonths, closeRefusal } from './closable.rules.ts'

const today = '2026-11-23'

it('the first close begins with the first month with entries, or a later one that is over', () => {
  const closable = closableMonths({ lastClosed: null, firstEntered: '2026-08', today })
  expect(closable).toEqual({ months: ['2026-08', '2026-09', '2026-10'], reopenable: null })
  expect(closeRefusal('2026-07', closable, today)).toMatch(/before August 2026/)
  expect(closeRefusal('2026-11', closable, today)).toMatch(/not over/)
  const empty = closableMonths({ lastClosed: null, firstEntered: null, today })
  expect(empty.months).toEqual([])
  expect(closeRefusal('2026-10', empty, today)).toMatch(/Nothing/)
})

it('after that only the next month can be closed, once it is over', () => {
  const closable = closableMonths({ lastClosed: '2026-08', firstEntered: '2026-01', today })
  expect(closable).toEqual({ months: ['2026-09'], reopenable: '2026-08' })
  expect(closeRefusal('2026-10', closable, today)).toMatch(/Close September 2026 first/)
  expect(closeRefusal('2026-08', closable, today)).toMatch(/are closed/)
  expect(closableMonths({ lastClosed: '2026-10', firstEntered: '2026-01', today }).months).toEqual([])
  // On its last day a month is not over; on the first of the next it is.
  const closableOn = (day: string) => closableMonths({ lastClosed: '2026-10', firstEntered: '2026-01', today: day })
  expect(closableOn('2026-11-30').months).toEqual([])
  expect(closableOn('2026-12-01').months).toEqual(['2026-11'])
})
