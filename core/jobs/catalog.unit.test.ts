import { expect, it } from 'vitest'
import { jobs, nextTry } from './catalog.ts'

it('an email survives a mail server that is down for a night, is retried within a minute at first, and given up after two days', () => {
  const start = new Date('2026-11-23T10:00:00Z')
  let triedAt = start
  for (let attempt = 1; attempt < jobs['send-mail'].attempts; attempt++) {
    triedAt = nextTry('send-mail', attempt, triedAt)
    if (attempt === 2) expect(triedAt.getTime() - start.getTime()).toBeLessThan(60_000)
  }
  const hours = (triedAt.getTime() - start.getTime()) / 3_600_000
  expect(hours).toBeGreaterThan(40)
  expect(hours).toBeLessThan(56)
})

it('a failure with a retry-after is retried after that time, or after the backoff if that is longer', () => {
  const now = new Date('2026-11-23T10:00:00Z')
  const waits = [1, 5, 8].map((attempt) => (nextTry('send-mail', attempt, now, 300).getTime() - now.getTime()) / 1000)
  expect(waits).toEqual([300, 300, 1920])
})
