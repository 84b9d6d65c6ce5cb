import { expect, it } from 'vitest'
import { progressText, secondsLeft, secondsLeftSinceStart } from './progress-text.ts'

const reading = { phase: 'reading', done: 0, total: 20_000, at: 0 }
const writing = { phase: 'writing', done: 2000, total: 20_000, at: 60_000 }

it('measures the rate of the phase alone: a slow earlier phase does not lengthen the estimate', () => {
  expect(secondsLeft(writing, { ...writing, done: 12_000, at: 70_000 })).toBe(8)
  expect(secondsLeft(reading, { ...writing, done: 12_000, at: 70_000 })).toBeNull()
  expect(secondsLeft(writing, writing)).toBeNull()
  expect(secondsLeft(writing, { ...writing, done: 20_000, at: 80_000 })).toBeNull()
})

it('estimates from the start of the work when its progress is seen for the first time', () => {
  const work = { phase: 'writing', done: 5000, total: 20_000 }
  expect(secondsLeftSinceStart({ ...work, seconds: 10 })).toBe(30)
  expect(secondsLeftSinceStart({ ...work, done: 0, seconds: 10 })).toBeNull()
  expect(secondsLeftSinceStart({ ...work, seconds: null })).toBeNull()
})

it.each([
  [{ done: 12_400, total: 20_000, secondsLeft: 8.2 }, '12,400 of 20,000 rows, about 8 s left'],
  [{ done: 12_400, total: 20_000, secondsLeft: 125 }, '12,400 of 20,000 rows, about 2 min left'],
  [{ done: 12_400, total: 2_000_000, secondsLeft: 3700 }, '12,400 of 2,000,000 rows, about 1 h 2 min left'],
  [{ done: 12_400, total: 20_000, secondsLeft: null }, '12,400 of 20,000 rows'],
  [{ done: 20_000, total: 20_000, secondsLeft: 8 }, '20,000 of 20,000 rows'],
  [{ done: 12_400, total: 0, secondsLeft: null }, '12,400 rows'],
])('%o reads "%s"', (progress, text) => {
  expect(progressText({ ...progress, unit: 'rows' })).toBe(text)
})
