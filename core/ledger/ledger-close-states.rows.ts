import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { day, defaulted, defineTable, id, json, nullable, type RowOf, ref } from '../table.ts'

/** Until when a publisher's months are closed: one row per publisher, inserted when it is first needed. */
export const LedgerCloseStates = defineTable('ledger_close_states', {
  id: id(),
  publisherId: ref(),
  /** The last day of the last closed month; null: none is closed. */
  closedUntil: nullable(day()),
  packEmails: defaulted(json<string[]>()),
})

export type LedgerCloseState = RowOf<typeof LedgerCloseStates>

/** A shared lock for entries: no month of the publisher is closed or reopened before the surrounding transaction ends. */
export async function lockedClosedUntil(ctx: Pick<AppContext, 'db' | 'now'>, publisherId: number): Promise<Day | null> {
  const state = (await sharedState(ctx, publisherId)) ?? (await createState(ctx, publisherId))
  return state.closedUntil
}

/** An exclusive lock for closing and reopening: waits until entries in progress are committed, and blocks new ones. */
export async function lockedCloseState(ctx: AppContext, publisherId: number): Promise<LedgerCloseState> {
  const state = await LedgerCloseStates.find(ctx, { publisherId }, { isLocked: true })
  if (state) return state
  await LedgerCloseStates.insertNew(ctx, { publisherId })
  return (await LedgerCloseStates.find(ctx, { publisherId }, { isLocked: true })) as LedgerCloseState
}

async function sharedState(ctx: Pick<AppContext, 'db'>, publisherId: number): Promise<LedgerCloseState | undefined> {
  const [state] = await LedgerCloseStates.rows(
    ctx,
    `SELECT ${LedgerCloseStates.columns()} FROM ledger_close_states WHERE publisher_id = :publisherId
     ${rowLock(ctx.db, { isShared: true })}`,
    { publisherId },
  )
  return state
}

async function createState(ctx: Pick<AppContext, 'db' | 'now'>, publisherId: number): Promise<LedgerCloseState> {
  await LedgerCloseStates.insertNew(ctx, { publisherId })
  return (await sharedState(ctx, publisherId)) as LedgerCloseState
}

/** A function that says whether a day is in a closed month. */
export function closedBy(closedUntil: Day | null): (on: Day) => boolean {
  return (on) => closedUntil !== null && on <= closedUntil
}

/** The day under which something that happened on a day is entered: that day, or the first day after the closed months. */
export function openDay(closedUntil: Day | null, on: Day): Day {
  return closedUntil !== null && closedBy(closedUntil)(on) ? addDays(closedUntil, 1) : on
}
