import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { byteOrderMark, csvLine } from '../kernel/csv-line.rules.ts'
import { type Day, printDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { printMinorUnits } from '../kernel/money.ts'
import { useCase } from '../use-case.ts'
import { type LedgerColumn, type LedgerKind, ledgerColumns } from './ledger-columns.rules.ts'
import { countLedgerRows, type LedgerRow, ledgerRows } from './ledger-rows.ts'
import { asOfDay, LedgerFilter, orderFilter } from './order-filter.ts'

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

/** The acting publisher's sales ledger as a CSV, newest orders first: all of it, or what a filter leaves. Beginning to read it is itself written down. */
export const exportOrders = useCase({
  permission: 'order:read',
  input: LedgerFilter,
  transaction: 'none',
  async run(ctx, input): Promise<OrderFile> {
    const on = asOfDay(ctx, input.asOf)
    const isAll = Object.keys(filterWords(input)).length === 0
    return { fileName: downloadName(isAll ? 'All Orders' : 'Orders', on), chunks: orderLines(ctx, input, on) }
  },
})

/** What of the filter narrows the list, for the activity log. */
function filterWords({ from, until, by, asOf: _, ...others }: LedgerFilter): Record<string, string | number> {
  const days = from || until ? { by, from, until } : {}
  return Object.fromEntries(
    Object.entries({ ...others, ...days }).filter(([, value]) => value !== undefined && value !== ''),
  ) as Record<string, string | number>
}

async function* orderLines(ctx: AppContext, filter: LedgerFilter, asOf: Day): AsyncGenerator<string> {
  const { where, values } = orderFilter(ctx, filter)
  const total = await countLedgerRows(ctx, { where, values })
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-orders',
      { type: 'sales-ledger', id: null, publisherId: actingPublisherId(ctx.actor) },
      { orders: total, ...filterWords(filter), ...(filter.asOf ? { asOf } : {}) },
    ),
  )
  yield byteOrderMark + csvLine(header)
  let last: LedgerRow | undefined
  do {
    // From where the last piece ended, not by counting rows off: an order that comes meanwhile moves nothing.
    const rows = await ledgerRows(ctx, {
      where: last ? `${where} AND (o.ordered_on, o.id) < (:lastDay, :lastId)` : where,
      order: 'o.ordered_on DESC, o.id DESC',
      limit: 'LIMIT :batch',
      values: { ...values, batch, ...(last ? { lastDay: last.orderedOn, lastId: last.id } : {}) },
      asOf,
    })
    if (rows.length > 0) yield rows.map(lineOf).join('')
    last = rows.length < batch ? undefined : rows.at(-1)
  } while (last)
}
