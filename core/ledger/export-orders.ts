import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { byteOrderMark, csvCell, csvLine } from '../kernel/csv-line.rules.ts'
import { type Day, printDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { printMinorUnits } from '../kernel/money.ts'
import type { Dialect } from '../ports/bulk.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { lateEntries } from './late-entries.query.ts'
import { type LedgerColumn, type LedgerKind, ledgerColumns } from './ledger-columns.rules.ts'
import { countLedgerRows } from './ledger-rows.ts'
import { asOfDay, type Condition, LedgerFilter, orderFilter } from './order-filter.ts'
import { areOrderSumsOf } from './order-sums.rows.ts'
import { orderWords } from './order-words.query.ts'

interface OrderFile {
  fileName: string
  chunks: AsyncIterable<string>
}

/** Rows read at once: a million of them need no memory. */
const batch = 2000

const columns: readonly LedgerColumn[] = ledgerColumns
/** The columns of the page, and at the end what its timeline says of each order. */
const header = [...columns.map((column) => column.header ?? column.title), 'Entered late']

/** How a cell of each kind is printed; one that has nothing to say is blank. What people typed alone, and a minus, can be what a spreadsheet runs. */
const printed: Record<LedgerKind, (value: string | number | boolean) => string> = {
  text: (value) => csvCell(String(value)),
  day: (value) => printDay(String(value)),
  dayOrNone: (value) => printDay(String(value)),
  money: printedMoney,
  earned: printedMoney,
  currency: String,
  yesNo: (value) => (value ? 'Yes' : 'No'),
}

function printedMoney(value: string | number | boolean): string {
  const amount = Number(value)
  return amount < 0 ? csvCell(printMinorUnits(amount)) : printMinorUnits(amount)
}

/** What the file needs of each order, in this order: its place in the file, whether it is free, then its columns. */
const cells = ['o.id', 'o.ordered_on', `CASE WHEN o.payment_type = 'Free' THEN 1 ELSE 0 END`].concat(
  columns.map(({ name, from }) => from ?? `m.${name}`),
)
const leading = cells.length - columns.length
const kinds = columns.map(({ kind }) => kind)

type Cell = string | number | boolean | null
type Page = readonly (readonly Cell[])[]

function lineOf(row: readonly Cell[], late: string): string {
  const isFree = row[leading - 1] === 1
  let line = ''
  for (let index = 0; index < kinds.length; index++) {
    const [kind, value] = [kinds[index] as LedgerKind, row[index + leading]]
    const isBlank = value === null || value === undefined || (isFree && kind === 'earned')
    line += `${isBlank ? '' : printed[kind](value)},`
  }
  return `${line}${csvCell(late)}\r\n`
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
  const { where, values } = orderFilter(ctx, filter, { words: await orderWords(ctx, filter.q) })
  const total = await countLedgerRows(ctx, { where, values })
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-orders',
      { type: 'sales-ledger', id: null, publisherId: actingPublisherId(ctx.actor) },
      { orders: total, ...filterWords(filter), ...(filter.asOf ? { asOf } : {}) },
    ),
  )
  const areKept = await areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf)
  const lateOf = await lateEntries(ctx)
  yield byteOrderMark + csvLine(header)
  // From where the last piece ended, not by counting rows off: an order that comes meanwhile moves nothing.
  const after = (last?: readonly Cell[]) =>
    pageOf(
      ctx,
      {
        where: last ? `${where} AND (o.ordered_on, o.id) < (:lastDay, :lastId)` : where,
        values: { ...values, ...asOfValues(asOf), ...(last ? { lastId: last[0] ?? 0, lastDay: last[1] ?? '' } : {}) },
      },
      areKept,
    )
  for (let next: Promise<Page> | null = after(); next; ) {
    const rows: Page = await next
    // The next page is read while this one is written.
    next = rows.length < batch ? null : after(rows.at(-1))
    next?.catch(() => {})
    if (rows.length === 0) return
    const idOf = (row: readonly Cell[]) => Number(row[0])
    const late = await lateOf(rows.map(idOf), asOf)
    yield rows.map((row) => lineOf(row, late.get(idOf(row)) ?? '')).join('')
  }
}

/** The next orders in the file, with what their entries add up to: as it is kept, where that is of the day asked for, or from the entries themselves. */
async function pageOf(ctx: Pick<AppContext, 'db'>, which: Condition, areKept: boolean): Promise<Page> {
  const kept = areKept ? await readPage(ctx, which, keptSums) : null
  if (kept && !kept.isStale) return kept.rows
  return (await readPage(ctx, which, enteredSums(ctx.db.dialect))).rows
}

/** Where the sums `m` of the orders `o` of a page are read, and whether they are not those of the day. */
interface SumsOf {
  sums: string
  isStale: string
}

const keptSums: SumsOf = {
  sums: 'LEFT JOIN order_sums m ON m.order_id = o.id',
  // Asked of each page: midnight may pass while the file is read, and another process then moves the sums on.
  isStale: 'm.order_id IS NULL OR m.computed_for > :asOf OR m.changes_on <= :asOf',
}

const enteredSums = (dialect: Dialect): SumsOf => ({
  sums: `JOIN (SELECT sums.*, net - fulfilled AS liability FROM (
      SELECT g.id, ${moneySql(dialect, 'l')} FROM page g LEFT JOIN ledger_entries l ON l.order_id = g.id AND l.entered_on <= :asOf GROUP BY g.id) sums
    ) m ON m.id = o.id`,
  isStale: 'FALSE',
})

/**
 * As one text of the database: a row of an object each costs twice as much processor time, and the entries asked for by lists of ids as much
 * again.
 */
async function readPage(
  ctx: Pick<AppContext, 'db'>,
  { where, values }: Condition,
  { sums, isStale }: SumsOf,
): Promise<{ rows: Page; isStale: boolean }> {
  const isPostgres = ctx.db.dialect === 'postgres'
  const row = isPostgres ? 'json_build_array' : 'json_array'
  const all = isPostgres ? 'CAST(json_agg(line) AS TEXT)' : 'json_group_array(json(line))'
  const [page] = await ctx.db.query<{ page: string | null; stale: number | null }>(
    `WITH page AS (SELECT o.id, o.ordered_on FROM orders o WHERE ${where} ORDER BY o.ordered_on DESC, o.id DESC LIMIT ${batch})
     SELECT ${all} AS page, MAX(stale) AS stale FROM (
       SELECT ${row}(${cells.join(', ')}) AS line, CASE WHEN ${isStale} THEN 1 ELSE 0 END AS stale
       FROM page JOIN orders o ON o.id = page.id JOIN publications p ON p.id = o.publication_id ${sums}
       ORDER BY page.ordered_on DESC, page.id DESC) lines`,
    values,
  )
  return { rows: JSON.parse(page?.page ?? '[]') as Cell[][], isStale: Boolean(page?.stale) }
}
