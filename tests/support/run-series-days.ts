import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { simulateSeriesDay } from '#core/charging/simulate-series.ts'
import { contextFor } from '#core/context.ts'
import { addDays } from '#core/kernel/calendar.ts'
import type { Day } from '#core/kernel/dates.ts'
import type { Running } from '#core/platform/make-services.ts'

interface SeriesRun {
  publicationId: number
  urlKey: string
  /** Its progress is stored in a file of this folder. */
  folder: string
  from: Day
  until: Day
}

/**
 * Runs the renewal series of a title day by day, on the title itself instead of a copy: a third of those who get an effort renew by its link on
 * the same day. After a kill, the next process resumes with the day that was interrupted. A child process imports this file: it must not import
 * Vitest.
 */
export async function runSeriesDays(
  services: Running,
  clock: { now: Date | null },
  { publicationId, urlKey, folder, from, until }: SeriesRun,
): Promise<void> {
  const file = join(folder, `series-${publicationId}.txt`)
  const ctx = contextFor(services, { kind: 'system' }, { entryPoint: 'worker' })
  for (let day = existsSync(file) ? readFileSync(file, 'utf8') : from; day <= until; day = addDays(day, 1)) {
    writeFileSync(file, day)
    clock.now = new Date(`${day}T12:00:00Z`)
    await simulateSeriesDay(ctx, { publicationId, urlKey, responseRate: 33, seed: 5 }, day)
  }
}
