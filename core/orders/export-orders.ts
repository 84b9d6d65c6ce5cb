import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../access/audit.ts'
import type { AppContext } from '../context.ts'
import { dayOf, printDay } from '../kernel/dates.ts'
import { printMinorUnits } from '../kernel/money.ts'
import { byteOrderMark, csvLine } from '../reader-files/csv-line.rules.ts'
import { downloadName } from '../reader-files/file-names.rules.ts'
import { useCase } from '../use-case.ts'
import { type LedgerRow, ledgerRows } from './ledger-rows.ts'
import { orderFilter } from './order-filter.ts'

interface OrderFile {
  fileName: string
  chunks: AsyncIterable<string>
}

/** Rows read at once: a million of them need no memory. */
const batch = 1000

/** The file's columns: the sales ledger's, in its order. A free order has nothing to earn. */
const columns: Record<string, (row: LedgerRow) => string> = {
  'Order date': ({ orderedOn }) => printDay(orderedOn),
  'Order number': ({ orderNumber }) => orderNumber,
  Title: ({ title }) => title,
  'First name': ({ firstName }) => firstName,
  'Last name': ({ lastName }) => lastName,
  Publication: ({ publicationName }) => publicationName,
  'Product name': ({ productName }) => productName,
  'Payment type': ({ paymentType }) => paymentType,
  Amount: ({ amount }) => printMinorUnits(amount),
  Currency: ({ currency }) => currency,
  'Start date': ({ subStartOn }) => (subStartOn ? printDay(subStartOn) : ''),
  'End date': ({ subEndOn }) => (subEndOn ? printDay(subEndOn) : ''),
  Gift: ({ isGift }) => (isGift ? 'Yes' : 'No'),
  Fulfilled: ({ fulfilled }) => (fulfilled === null ? '' : printMinorUnits(fulfilled)),
  Liability: ({ liability }) => (liability === null ? '' : printMinorUnits(liability)),
}

/** Every order of the acting publisher's sales ledger as a CSV, newest first. Beginning to read it is itself written down. */
export const exportOrders = useCase({
  permission: 'order:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<OrderFile> {
    const on = dayOf(ctx.now(), ctx.settings.timeZone)
    return { fileName: downloadName('All Orders', on), chunks: orderLines(ctx) }
  },
})

async function* orderLines(ctx: AppContext): AsyncGenerator<string> {
  const { where, values } = orderFilter(ctx, {})
  const [{ total } = { total: 0 }] = await ctx.db.query<{ total: number }>(
    `SELECT COUNT(*) AS total FROM orders o WHERE ${where}`,
    values,
  )
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-orders',
      { type: 'sales-ledger', id: null, publisherId: actingPublisherId(ctx.actor) },
      { orders: Number(total) },
    ),
  )
  yield byteOrderMark + csvLine(Object.keys(columns))
  let last: LedgerRow | undefined
  do {
    // From where the last piece ended, not by counting rows off: an order that comes meanwhile moves nothing.
    const rows = await ledgerRows(ctx, {
      where: last ? `${where} AND (o.ordered_on, o.id) < (:lastDay, :lastId)` : where,
      order: 'ORDER BY o.ordered_on DESC, o.id DESC LIMIT :batch',
      values: { ...values, batch, ...(last ? { lastDay: last.orderedOn, lastId: last.id } : {}) },
    })
    if (rows.length > 0) yield rows.map((row) => csvLine(Object.values(columns).map((cell) => cell(row)))).join('')
    last = rows.length < batch ? undefined : rows.at(-1)
  } while (last)
}
