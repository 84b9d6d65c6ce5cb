import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'

/** The last day on which a transfer with this time of day was due: today once its time has come, else yesterday. */
export function lastDueOn(runAt: string, now: { today: Day; time: string }): Day {
  return now.time >= runAt ? now.today : addDays(now.today, -1)
}
