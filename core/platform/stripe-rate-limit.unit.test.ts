import { expect, it } from 'vitest'
import { makeRateLimiter } from './stripe-rate-limit.ts'

/** When the renewal of each key may start, in ms, if all are requested together. */
async function startTimes(keys: readonly string[]): Promise<number[]> {
  const waitForSlot = makeRateLimiter({ now: () => 0, sleep: async (ms) => void waited.push(ms) })
  const waited: number[] = []
  const starts: number[] = []
  for (const key of keys) {
    waited.length = 0
    await waitForSlot(key)
    starts.push(waited[0] ?? 0)
  }
  return starts
}

it('limits renewals to 50 a second with a live key and 12 in test mode, per account', async () => {
  expect(await startTimes(['sk_live_a', 'sk_live_a', 'rk_live_b', 'sk_live_a', 'rk_live_b'])).toEqual([
    0, 20, 0, 40, 20,
  ])
  const testModeStarts = await startTimes(Array.from({ length: 13 }, () => 'sk_test_a'))
  expect(testModeStarts.at(-1)).toBeCloseTo(1000)
})

it('does not catch up on unused capacity', async () => {
  let time = 0
  const waitForSlot = makeRateLimiter({ now: () => time, sleep: async (ms) => void waits.push(ms) })
  const waits: number[] = []
  await waitForSlot('sk_live_a')
  time = 10_000
  await waitForSlot('sk_live_a')
  await waitForSlot('sk_live_a')
  expect(waits).toEqual([20])
})
