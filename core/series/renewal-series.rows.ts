import type { AppContext } from '../context.ts'
import { rowLock } from '../dialect.ts'
import { defaulted, defineTable, flag, id, instant, ref } from '../table.ts'

/** The settings of a publication's renewal series. A publication without a row has the default series, switched on. */
export const RenewalSeries = defineTable('renewal_series', {
  id: id(),
  publicationId: ref(),
  /** In addition to the account's own switch (`automatedRenewalEmails`), which is off until the publisher turns it on. */
  isOn: defaulted(flag()),
  hasOwnEfforts: defaulted(flag()),
  createdAt: instant(),
  updatedAt: instant(),
})

export interface SeriesState {
  isOn: boolean
  hasOwnEfforts: boolean
}

export async function seriesOf(ctx: Pick<AppContext, 'db'>, publicationId: number): Promise<SeriesState> {
  const row = await RenewalSeries.find(ctx, { publicationId })
  return { isOn: row?.isOn ?? true, hasOwnEfforts: row?.hasOwnEfforts ?? false }
}

/** Locks the series of a publication, so that one process at a time plans its efforts, and returns its state. Call it in a transaction. */
export async function lockSeries(ctx: AppContext, publicationId: number): Promise<SeriesState> {
  const [locked] = await RenewalSeries.rows(
    ctx,
    `SELECT ${RenewalSeries.columns()} FROM renewal_series WHERE publication_id = :publicationId ${rowLock(ctx.db)}`,
    { publicationId },
  )
  if (locked) return locked
  // If another process has just inserted the row, the insert returns nothing and the next read waits for that process.
  return (await RenewalSeries.insertNew(ctx, { publicationId })) ?? lockSeries(ctx, publicationId)
}
