import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/**
 * The most renewals per second that are started for one Stripe account. Each makes two calls; Stripe allows 100 calls a second in live
 * mode and 25 in test mode (docs.stripe.com/rate-limits), and responds with 429 beyond that.
 */
const perSecond = { live: 50, test: 12 }

interface Clock {
  /** Milliseconds. */
  now(): number
  sleep(ms: number): Promise<unknown>
}

/** A rate limiter: the function it returns waits until the next renewal may start with a secret key. */
export function makeRateLimiter({ now, sleep }: Clock): (secretKey: string) => Promise<void> {
  const nextSlots = new LRUCache<string, number>({ max: 1000 })
  return async (secretKey) => {
    const rate = /^[rs]k_test_/.test(secretKey) ? perSecond.test : perSecond.live
    const at = Math.max(now(), nextSlots.get(secretKey) ?? 0)
    nextSlots.set(secretKey, at + 1000 / rate)
    const wait = at - now()
    if (wait > 0) await sleep(wait)
  }
}

/** One limiter for the process, because a publisher's cards and direct debits share one Stripe account. */
export const waitForRenewalSlot = makeRateLimiter({ now: () => performance.now(), sleep })
