import { expect, it } from 'vitest'
import { endpointPause, nextDelivery, triedForMs } from './retry.rules.ts'

const start = new Date('2026-11-24T10:00:00Z')

it('a delivery is tried for three days, with growing pauses, and a last time when it expires', () => {
  for (const random of [0, 0.5, 0.999]) {
    const expiresAt = new Date(start.getTime() + triedForMs)
    const attempts = [start]
    for (;;) {
      const now = attempts.at(-1) as Date
      const next = nextDelivery({ attempts: attempts.length, expiresAt }, { now, random })
      if (!next) break
      attempts.push(next)
    }
    const pauses = attempts.slice(1).map((at, index) => at.getTime() - (attempts[index] as Date).getTime())
    expect(pauses.slice(0, -1)).toEqual([...pauses.slice(0, -1)].sort((a, b) => a - b))
    expect(pauses[0]).toBeLessThan(7000)
    expect(attempts.at(-1)).toEqual(expiresAt)
    expect(attempts.length).toBeGreaterThan(9)
    expect(attempts.length).toBeLessThan(14)
  }
})

it('a receiver’s retry-after is respected', () => {
  const expiresAt = new Date(start.getTime() + triedForMs)
  expect(nextDelivery({ attempts: 1, expiresAt }, { now: start, random: 0, minSeconds: 900 })).toEqual(
    new Date(start.getTime() + 900_000),
  )
})

it('an endpoint that keeps failing is tried at growing intervals of at most five minutes', () => {
  const pauseSecondsAfter = (failures: number) => {
    const until = endpointPause(failures, { now: start, random: 0.5 })
    return until && (until.getTime() - start.getTime()) / 1000
  }
  expect([1, 2, 3, 4, 5, 50].map(pauseSecondsAfter)).toEqual([null, null, 5, 10, 20, 300])
})
