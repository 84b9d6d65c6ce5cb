import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { termSql } from '../terms/term.rules.ts'

/** How many days the figures of the dashboard look back or ahead. */
export const windowDays = 30

/**
 * The sets of readers that the dashboard counts, as conditions on `readers` that both the figure and the list behind it use. Readers who are
 * deactivated or have no product are in none.
 */
export const readerSets = {
  recent: {
    title: 'Subscriptions started in the last 30 days',
    sql: `sub_start_on > :monthAgo AND sub_start_on <= :today`,
  },
  current: { title: 'Current subscribers', sql: termSql.current(':today') },
  expired: { title: 'Expired in the last 30 days', sql: `sub_end_on >= :monthAgo AND ${termSql.over(':today')}` },
  expiring: { title: 'Expiring in the next 30 days', sql: termSql.endsWithin(':today', ':monthAhead') },
} as const satisfies Record<string, { title: string; sql: string }>

export type ReaderSet = keyof typeof readerSets

export const readerSetNames = Object.keys(readerSets) as [ReaderSet, ...ReaderSet[]]

/** The readers who can be in any of the sets. */
export const isCountedSql = `sub_type IN ('print', 'digital', 'bundle') AND NOT is_deleted`

/** The parameters of the conditions. */
export function setDays(today: Day): { today: Day; monthAgo: Day; monthAhead: Day } {
  return { today, monthAgo: addDays(today, -windowDays), monthAhead: addDays(today, windowDays) }
}
