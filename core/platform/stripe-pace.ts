import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'

/**
 * How many renewals of one account are begun in a second at most. Each is two calls; Stripe takes 100 calls a second of a live account and
 * 25 in test mode (docs.stripe.com/rate-limits), and turns the others away.
 */
const perSecond = { live: 50, test: 12 }

interface Clock {
  /** Milliseconds. */
  now(): number
  sleep(ms: number): Promise<unknown>
}

/** Gives a function that waits until one more renewal may be begun with a secret key. */
export function makePace({ now, sleep }: Clock): (secretKey: string) => Promise<void> {
  const nextOf = new LRUCache<string, number>({ max: 1000 })
  return async (secretKey) => {
    const rate = /^[rs]k_test_/.test(secretKey) ? perSecond.test : perSecond.live
    const at = Math.max(now(), nextOf.get(secretKey) ?? 0)
    nextOf.set(secretKey, at + 1000 / rate)
    const wait = at - now()
    if (wait > 0) await sleep(wait)
  }
}

/** One for the process: cards and direct debits of a publisher are one account. */
export const keepRenewalPace = makePace({ now: () => performance.now(), sleep })
