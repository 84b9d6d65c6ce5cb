const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** How long delivery of an event is attempted. */
export const triedForMs = 72 * hour

/** The pause after each failed attempt: short at first, then longer, which makes about a dozen attempts in three days. */
const pauses = [
  5 * second,
  30 * second,
  2 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
]

/** Jitter of a fifth, so that deliveries that failed together are not retried together. `random` is from 0 to 1. */
function withJitter(ms: number, random: number): number {
  return Math.round(ms * (0.8 + 0.4 * random))
}

/**
 * When a delivery is retried after this many failed attempts; null once it has expired. The last attempt is made when it expires. `minSeconds`:
 * the receiver's Retry-After.
 */
export function nextDelivery(
  { attempts, expiresAt }: { attempts: number; expiresAt: Date },
  { now, random, minSeconds = 0 }: { now: Date; random: number; minSeconds?: number | undefined },
): Date | null {
  if (now >= expiresAt) return null
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? (pauses[0] as number)
  const at = now.getTime() + Math.max(withJitter(pause, random), minSeconds * second)
  return new Date(Math.min(at, expiresAt.getTime()))
}

/** The number of failures in a row after which an endpoint counts as down. */
const failuresBeforePause = 3

/**
 * The time until which nothing is sent to an endpoint after this many failures in a row; null if it is still tried. An endpoint that is down
 * costs only occasional attempts, however many deliveries wait for it.
 */
export function endpointPause(failures: number, { now, random }: { now: Date; random: number }): Date | null {
  if (failures < failuresBeforePause) return null
  const pause = Math.min(5 * second * 2 ** Math.min(failures - failuresBeforePause, 10), 5 * minute)
  return new Date(now.getTime() + withJitter(pause, random))
}
