import type { Database } from '../database.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { storePastHealth, storePastLists } from '../warnings/count-health.ts'

/**
 * The weekly data health of a publication over the last year, and its lists a week ago and now. Nothing is made up: each day is counted over
 * the readers as they are, so that only what depends on the day, such as subscriptions that begin and end, differs.
 */
export async function seedDataHealth(db: Database, publicationId: number, today: Day): Promise<void> {
  for (let week = 52; week >= 0; week--) await storePastHealth({ db }, publicationId, addDays(today, -7 * week))
  for (const week of [1, 0]) await storePastLists({ db }, publicationId, addDays(today, -7 * week))
}
