import type { Database } from '../database.ts'
import { addDays, addMonths } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { insertRows, type NewRow } from './insert-rows.ts'
import type { Random } from './random.ts'
import type { SeededPublication } from './seed-publications.ts'

/** Visitors by calendar month, January first, relative to the average. They peak before the orders do. */
const seasons = [1.1, 0.9, 0.95, 1, 0.95, 0.85, 0.75, 0.8, 1.05, 1.15, 1.5, 1.6] as const

/** Twenty-four months of storefront visits, one row for each visitor and day. Returns how many. */
export async function seedPageViews(
  db: Database,
  random: Random,
  { id, publication }: SeededPublication,
  today: Day,
): Promise<number> {
  const rows: NewRow[] = []
  for (let day = addMonths(today, -24); day < today; day = addDays(day, 1)) {
    const isWeekend = [0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay())
    const season = seasons[Number(day.slice(5, 7)) - 1] ?? 1
    const visitors = Math.round(
      (publication.customersPerMonth / 3) * season * (isWeekend ? 1.3 : 0.9) * (0.7 + random.int(0, 60) / 100),
    )
    for (let visitor = 0; visitor < visitors; visitor++) {
      const hash = Array.from({ length: 4 }, () => random.int(0, 0xffff_ffff).toString(16).padStart(8, '0')).join('')
      rows.push({
        publication_id: id,
        viewed_on: day,
        visitor_hash: hash,
        views: random.weighted([
          [1, 6],
          [2, 2],
          [3, 1],
          [6, 1],
        ]),
      })
    }
  }
  await insertRows(db, 'page_views', rows)
  return rows.length
}
