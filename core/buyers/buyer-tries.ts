import type { RateLimit } from '../access/rate-limit.ts'

const perBuyer: RateLimit = { hits: 10, windowSeconds: 15 * 60 }

/** How often the password of one account at one publication may be tried, at whatever door: the log-in and the order form count together. */
export function buyerTries(publicationId: number, emailKey: string): { key: string; limit: RateLimit } {
  return { key: `buyer:${publicationId}:${emailKey}`, limit: perBuyer }
}
