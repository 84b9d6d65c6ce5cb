import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { fillVatOf } from '../vat/calculate-vat.ts'
import { vatKinds } from '../vat/order-vat.rules.ts'
import { vatTermsOf } from '../vat/vat-terms.query.ts'
import { closedBy, LedgerCloseStates, lockedClosedUntil } from './ledger-close-states.rows.ts'
import { setEntryVat } from './ledger-entries.rows.ts'

export interface FilledVat {
  /** Orders whose lines changed. */
  orders: number
  /** If the run stopped at a maximum: the last order it read, after which the next run continues. Null: there are no more. */
  after: number | null
}

const chunkSize = 250

/**
 * Computes VAT that is missing, or was "not set" and can be computed now. VAT that was computed stays, even if rates have changed, and closed months
 * are not touched. Orders are processed in small transactions: after an interruption, the next run continues. `maxOrders` limits the orders that a
 * run changes, `maxRead` those that it reads.
 */
export const fillVat = useCase({
  permission: 'ledger:vat',
  input: z.object({
    maxOrders: z.coerce.number().int().min(1).optional(),
    maxRead: z.coerce.number().int().min(1).optional(),
    after: z.coerce.number().int().optional(),
  }),
  transaction: 'none',
  async run(
    ctx,
    { maxOrders = Number.POSITIVE_INFINITY, maxRead = Number.POSITIVE_INFINITY, after: start = 0 },
  ): Promise<FilledVat> {
    const publisherId = requirePublisherId(ctx)
    const terms = await vatTermsOf(ctx, publisherId)
    const closedUntil = (await LedgerCloseStates.find(ctx, { publisherId }))?.closedUntil ?? null
    // Orders whose VAT cannot be computed yet do not count towards `maxOrders`: they would use up every run. `maxRead` limits the time they take.
    let after = start
    let orders = 0
    let read = 0
    for (;;) {
      // At least one, which shows after a maximum is reached whether there are more.
      const limit = Math.max(1, Math.min(chunkSize, maxOrders - orders, maxRead - read))
      const ids = await unfilled(ctx, { publisherId, closedUntil, after, limit })
      const last = ids.at(-1)
      if (last === undefined || orders >= maxOrders || read >= maxRead) {
        if (orders > 0) await recordAudit(ctx, 'fill-vat', { type: 'sales-ledger', id: null, publisherId }, { orders })
        return { orders, after: last === undefined ? null : after }
      }
      read += ids.length
      orders += await ctx.db.transaction(async () => {
        const { entries, changed } = await fillVatOf(ctx, ids, {
          terms,
          isClosed: closedBy(await lockedClosedUntil(ctx, publisherId)),
        })
        await setEntryVat(ctx, entries)
        return changed
      })
      after = last
    }
  },
})

/** The next orders in open months whose VAT is not set or was never computed. */
async function unfilled(
  ctx: Pick<AppContext, 'db'>,
  {
    publisherId,
    closedUntil,
    after,
    limit,
  }: { publisherId: number; closedUntil: Day | null; after: number; limit: number },
): Promise<number[]> {
  const openSince = (column: string) => (closedUntil === null ? '' : ` AND ${column} > :closedUntil`)
  const rows = await ctx.db.query<{ id: number }>(
    `SELECT id FROM (
       SELECT DISTINCT order_id AS id FROM ledger_entries
       WHERE publisher_id = :publisherId AND vat IS NULL AND kind IN (:kinds) AND order_id > :after${openSince('entered_on')}
       ORDER BY order_id LIMIT :limit
     ) missing
     UNION SELECT id FROM (
       SELECT DISTINCT order_id AS id FROM vat_lines
       WHERE publisher_id = :publisherId AND problem <> '' AND order_id > :after${openSince('tax_point')}
       ORDER BY order_id LIMIT :limit
     ) unset
     ORDER BY id LIMIT :limit`,
    { publisherId, after, limit, kinds: vatKinds, ...(closedUntil === null ? {} : { closedUntil }) },
  )
  return rows.map(({ id }) => id)
}
