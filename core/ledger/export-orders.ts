import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { byteOrderMark, csvLine } from '../kernel/csv-line.rules.ts'
import { dayOf, printDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { printMinorUnits } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import { type LedgerColumn, type LedgerKind, ledgerColumns } from './ledger-columns.rules.ts'
import { type LedgerRow, ledgerRows } from './ledger-rows.ts'
import { orderFilter } from './order-filter.ts'

interface OrderFile {
  fileName: string
  chunks: AsyncIterable<string>
}

/** Rows read at once: a million of them need no memory. */
const batch = 1000

const columns: readonly LedgerColumn[] = ledgerColumns
const header = columns.map((column) => column.header ?? column.title)

/** How a cell of each kind is printed; one that has nothing to say is blank. */
const printed: Record<LedgerKind, (value: string | number | boolean) => string> = {
  text: String,
  day: (value) => printDay(String(value)),
  dayOrNone: (value) => printDay(String(value)),
  money: (value) => printMinorUnits(Number(value)),
  earned: (value) => printMinorUnits(Number(value)),
  currency: String,
  yesNo: (value) => (value ? 'Yes' : 'No'),
}

function lineOf(row: LedgerRow): string {
  return csvLine(
    ledgerColumns.map(({ name, kind }) => {
      const value = row[name]
      return value === null ? '' : printed[kind](value)
    }),
  )
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
  yield byteOrderMark + csvLine(header)
  let last: LedgerRow | undefined
  do {
    // From where the last piece ended, not by counting rows off: an order that comes meanwhile moves nothing.
    const rows = await ledgerRows(ctx, {
      where: last ? `${where} AND (o.ordered_on, o.id) < (:lastDay, :lastId)` : where,
      order: 'ORDER BY o.ordered_on DESC, o.id DESC LIMIT :batch',
      values: { ...values, batch, ...(last ? { lastDay: last.orderedOn, lastId: last.id } : {}) },
    })
    if (rows.length > 0) yield rows.map(lineOf).join('')
    last = rows.length < batch ? undefined : rows.at(-1)
  } while (last)
}
