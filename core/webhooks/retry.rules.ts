const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** How long a delivery is tried. */
export const triedForMs = 72 * hour

/** The pause after each try that failed: close together at first, then so that three days are about a dozen tries. */
const pauses = [
  ...[5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute],
  ...[hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour],
]

/** A fifth more or less, so that what failed together does not come back together. `random` is from 0 to 1. */
function withJitter(ms: number, random: number): number {
  return Math.round(ms * (0.8 + 0.4 * random))
}

/**
 * When a delivery whose nth try failed is tried again; null where its time is over. The last try is at its very end. `leastSeconds`: the receiver
 * said how long to wait.
 */
export function nextDelivery(
  { attempts, expiresAt }: { attempts: number; expiresAt: Date },
  { now, random, leastSeconds = 0 }: { now: Date; random: number; leastSeconds?: number | undefined },
): Date | null {
  if (now >= expiresAt) return null
  const pause = pauses[Math.min(attempts, pauses.length) - 1] ?? (pauses[0] as number)
  const at = now.getTime() + Math.max(withJitter(pause, random), leastSeconds * second)
  return new Date(Math.min(at, expiresAt.getTime()))
}

/** How many failures in a row make an endpoint one that does not answer at all. */
const failuresBeforeGate = 3

/**
 * Until when nothing is sent to an endpoint that has failed so many times in a row; null where it is tried on. An endpoint that is down costs a
 * try now and then, however much waits for it.
 */
export function endpointPause(failures: number, { now, random }: { now: Date; random: number }): Date | null {
  if (failures < failuresBeforeGate) return null
  const pause = Math.min(5 * second * 2 ** Math.min(failures - failuresBeforeGate, 10), 5 * minute)
  return new Date(now.getTime() + withJitter(pause, random))
}
