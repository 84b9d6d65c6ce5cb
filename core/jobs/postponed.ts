const brand = Symbol.for('masthead.Postponed')

/**
 * Thrown by a handler whose job is to run at a later moment, without counting an attempt: a limit is reached, or another system is known to be down.
 * `forLane`: no job of its lane need be tried before then.
 */
export class Postponed extends Error {
  readonly until: Date
  readonly forLane: boolean
  readonly [brand] = true

  constructor(message: string, { until, forLane = false }: { until: Date; forLane?: boolean }) {
    super(message)
    this.name = 'Postponed'
    this.until = until
    this.forLane = forLane
  }
}

/** True for a `Postponed` of any copy of this module. */
export function isPostponed(error: unknown): error is Postponed {
  return typeof error === 'object' && error !== null && brand in error
}
