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
  /** The order that the next run continues after, where it stopped at a maximum and there are more; null at the end. */
  after: number | null
}

const chunk = 250

/**
 * Computes missing VAT, also what was "not set" where it can be computed now. Existing VAT is unchanged, even if rates have changed, and so is what
 * is in a closed month. Orders are processed in small transactions: after an interruption, the next run continues. A run may be limited to a number of
 * orders that change, and to one of those that it looks at.
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
    const publisherId = onePublisher(ctx)
    const terms = await vatTermsOf(ctx, publisherId)
    const closedUntil = (await LedgerCloseStates.find(ctx, { publisherId }))?.closedUntil ?? null
    const limit = Math.min(chunk, maxOrders, maxRead)
    // Orders that cannot be filled yet do not count as changed, or they would block those after them, run after run; but looking at them takes time too.
    let [after, orders, read] = [start, 0, 0]
    for (;;) {
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
