import type { Day } from '#core/kernel/dates.ts'

interface Duration {
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
  ms?: number
}

/** A clock that stands still until a test sets or advances it. */
export class TestClock {
  now = new Date('2026-11-21T10:00:00Z')

  /** For example, 2027-10-23T05:00:00Z. */
  set(moment: string): void {
    this.now = new Date(moment)
  }

  /** Ten o’clock on a day, in UTC. */
  setDay(day: Day): void {
    this.set(`${day}T10:00:00Z`)
  }

  advance({ days = 0, hours = 0, minutes = 0, seconds = 0, ms = 0 }: Duration): void {
    const allHours = 24 * days + hours
    const allSeconds = 60 * (60 * allHours + minutes) + seconds
    this.now = new Date(this.now.getTime() + 1000 * allSeconds + ms)
  }

  /** Runs work with the clock advanced, and then sets it back. */
  async runAhead(by: Duration, work: () => Promise<void>): Promise<void> {
    const { now } = this
    this.advance(by)
    try {
      await work()
    } finally {
      this.now = now
    }
  }
}
