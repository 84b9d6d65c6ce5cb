import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from '../kernel/calendar.ts'
import {
  afterDecline,
  type Declined,
  defaultRenewalSettings,
  maxAttempts,
  type RenewalSettings,
} from './dunning.rules.ts'

const card: Declined = {
  provider: 'stripe-card',
  on: '2027-11-22',
  firstFailedOn: '2027-11-22',
  attempts: 1,
  graceUntil: '2027-12-13',
  isFinal: false,
}
const waiting = { state: 'waiting', nextTryOn: null }

describe('a card that was declined', () => {
  it.each([
    ['2027-11-22', '2027-11-23'],
    ['2027-11-23', '2027-11-25'],
    ['2027-11-25', '2027-11-29'],
    ['2027-11-29', '2027-12-06'],
    // The worker did not run on some of the days: missed retries are not made up for.
    ['2027-11-27', '2027-11-29'],
  ])('on %s is charged again on %s', (on, nextTryOn) => {
    expect(afterDecline(defaultRenewalSettings, { ...card, on })).toEqual({ state: 'retrying', nextTryOn })
  })

  it('is not charged again after the last day, the maximum tries, the grace period, or a final decline', () => {
    expect(afterDecline(defaultRenewalSettings, { ...card, on: '2027-12-06' })).toEqual(waiting)
    expect(afterDecline(defaultRenewalSettings, { ...card, attempts: maxAttempts })).toEqual(waiting)
    expect(afterDecline(defaultRenewalSettings, { ...card, graceUntil: '2027-11-22' })).toEqual(waiting)
    expect(afterDecline(defaultRenewalSettings, { ...card, isFinal: true })).toEqual(waiting)
  })
})

describe('a direct debit that was not paid', () => {
  const debit: Declined = { ...card, provider: 'stripe-bacs', on: '2027-11-26', firstFailedOn: '2027-11-22' }

  it('is presented once more, five working days later, skipping bank holidays', () => {
    // 26/11/2027 is a Friday.
    expect(afterDecline(defaultRenewalSettings, debit)).toEqual({ state: 'retrying', nextTryOn: '2027-12-07' })
    expect(afterDecline(defaultRenewalSettings, { ...debit, attempts: 2 })).toEqual(waiting)
  })

  it('is not presented again after a month, after the grace period, or to a closed account', () => {
    const late = { ...debit, on: '2027-12-20', graceUntil: '2028-03-01' }
    expect(afterDecline(defaultRenewalSettings, late)).toEqual(waiting)
    expect(afterDecline(defaultRenewalSettings, { ...debit, graceUntil: '2027-12-06' })).toEqual(waiting)
    expect(afterDecline(defaultRenewalSettings, { ...debit, isFinal: true })).toEqual(waiting)
  })
})

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

describe('whatever the settings, and however the days pass', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed))('declines stop being retried in time (%i)', (seed) => {
    const random = seededRandom(seed + 1)
    const upTo = (max: number) => Math.floor(random() * (max + 1))
    const provider = (['stripe-card', 'stripe-bacs', 'demo'] as const)[upTo(2)] ?? 'demo'
    const retryDays = Array.from({ length: upTo(20) }, () => 1 + upTo(59)).toSorted((a, b) => a - b)
    const settings: RenewalSettings = { graceDays: upTo(60), retryDays }
    const start = addDays('2027-01-01', upTo(400))
    const graceUntil = addDays(start, settings.graceDays)
    let on = start
    for (let attempts = 1; ; attempts++) {
      expect(attempts).toBeLessThanOrEqual(provider === 'stripe-bacs' ? 2 : maxAttempts)
      const after = afterDecline(settings, { provider, on, firstFailedOn: start, attempts, graceUntil, isFinal: false })
      if (after.state === 'waiting') return
      expect(daysBetween(on, after.nextTryOn)).toBeGreaterThanOrEqual(provider === 'stripe-bacs' ? 7 : 1)
      expect(after.nextTryOn <= graceUntil).toBe(true)
      // Charged on its day, or later where the worker did not run, and sometimes with a clock that was set back.
      on = addDays(after.nextTryOn, upTo(4) === 0 ? upTo(6) - 3 : 0)
    }
  })
})
