/** After this many faults in a row the circuit opens. */
const maxFaults = 5
const firstPauseMs = 30_000
const maxPauseMs = 300_000
/** How soon to retry while one email probes whether the server is back. */
const probeMs = 5_000

export interface MailCircuitBreaker {
  /** Null: an email may be tried, and its result must be passed to `note`. */
  heldUntil(): Date | null
  note(isFault: boolean): void
}

/**
 * A circuit breaker for a mail server that does not respond: after several faults in a row, no email is tried for half a minute,
 * then a single one. Each time it fails, the pause doubles, up to five minutes.
 */
export function makeMailCircuitBreaker(now: () => Date): MailCircuitBreaker {
  let faults = 0
  let pauseMs = firstPauseMs
  let openUntil: Date | null = null
  let isProbing = false
  return {
    heldUntil() {
      if (openUntil === null) return null
      if (openUntil > now()) return openUntil
      if (isProbing) return new Date(now().getTime() + probeMs)
      isProbing = true
      return null
    },
    note(isFault) {
      if (!isFault) {
        faults = 0
        pauseMs = firstPauseMs
        openUntil = null
        isProbing = false
        return
      }
      faults++
      // Emails that were being sent when the circuit opened do not count.
      if (openUntil !== null && !isProbing) return
      if (faults < maxFaults) return
      openUntil = new Date(now().getTime() + pauseMs)
      pauseMs = Math.min(pauseMs * 2, maxPauseMs)
      isProbing = false
    },
  }
}
