import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { onePublisher } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { fillVatOf } from '../vat/calculate-vat.ts'
import { vatKinds } from '../vat/order-vat.rules.ts'
import { vatTermsOf } from '../vat/vat-terms.query.ts'
import { closedBy, LedgerCloseStates, lockedClosedUntil } from './ledger-close-states.rows.ts'
import { setEntryVat } from './ledger-entries.rows.ts'

export interface FilledVat {
  /** Orders whose lines changed. */
  orders: number
  /** There may be more: it stopped at the given number of orders. */
  isMore: boolean
}

const chunk = 250

/**
 * Computes missing VAT, also what was "not set" where it can be computed now. Existing VAT is unchanged, even if rates have changed, and so is what
 * is in a closed month. Orders are processed in small transactions: after an interruption, the next run continues.
 */
export const fillVat = useCase({
  permission: 'ledger:vat',
  input: z.object({ maxOrders: z.coerce.number().int().min(1).optional() }),
  transaction: 'none',
  async run(ctx, { maxOrders = Number.POSITIVE_INFINITY }): Promise<FilledVat> {
    const publisherId = onePublisher(ctx)
    const terms = await vatTermsOf(ctx, publisherId)
    const closedUntil = (await LedgerCloseStates.find(ctx, { publisherId }))?.closedUntil ?? null
    const limit = Math.min(chunk, maxOrders)
    // Only what changes counts towards the maximum: orders that cannot be filled yet would otherwise block those after them, run after run.
    let [after, orders] = [0, 0]
    for (;;) {
      const ids = await unfilled(ctx, { publisherId, closedUntil, after, limit })
      const last = ids.at(-1)
      if (last === undefined || orders >= maxOrders) {
        if (orders > 0) await recordAudit(ctx, 'fill-vat', { type: 'sales-ledger', id: null, publisherId }, { orders })
        return { orders, isMore: last !== undefined }
      }
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

/** The next orders with VAT that is not set or was never computed, outside the closed months. */
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
