import { setImmediate } from 'node:timers/promises'
import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { csvCell } from '../kernel/csv-line.rules.ts'
import { byteOrderMark, csvText } from '../kernel/csv-text.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { formatMinorUnits } from '../kernel/money.ts'
import type { Dialect } from '../ports/bulk.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { asOfValues, moneySql } from './earned-sql.ts'
import { lateEntries } from './late-entries.query.ts'
import { type LedgerColumn, type LedgerKind, ledgerColumns } from './ledger-columns.rules.ts'
import { countLedgerRows } from './ledger-rows.ts'
import { asOfDay, asOfFilter, type Condition, daysInOrder, LedgerFilter, orderFilter } from './order-filter.ts'
import { orderSearchCondition } from './order-search.query.ts'
import { areOrderSumsOf } from './order-sums.rows.ts'

interface OrderFile {
  fileName: string
  chunks: AsyncIterable<string>
}

/** Orders read per query, so that a million orders need little memory. */
const batchSize = 2000

const columns: readonly LedgerColumn[] = ledgerColumns
/** The columns of the page, and at the end what was entered late (`LateEntries`). */
const header = [...columns.map((column) => column.header ?? column.title), 'Entered late']

/** Formats a cell of each kind. `csvCell` is needed only for free text and negative amounts: a spreadsheet could run those as a formula. */
const formatCell: Record<LedgerKind, (value: string | number | boolean) => string> = {
  text: (value) => csvCell(String(value)),
  day: (value) => formatDay(String(value)),
  dayOrNone: (value) => formatDay(String(value)),
  money: formattedMoney,
  earned: formattedMoney,
  currency: String,
  yesNo: (value) => (value ? 'Yes' : 'No'),
}

function formattedMoney(value: string | number | boolean): string {
  const amount = Number(value)
  return amount < 0 ? csvCell(formatMinorUnits(amount)) : formatMinorUnits(amount)
}

/** What is selected of each order: the key it is sorted by, whether it is free, then the columns of the file. */
const cells = ['o.id', 'o.ordered_on', `CASE WHEN o.payment_type = 'Free' THEN 1 ELSE 0 END`].concat(
  columns.map(({ name, from }) => from ?? `m.${name}`),
)
const leadingCells = cells.length - columns.length
const kinds = columns.map(({ kind }) => kind)

type Cell = string | number | boolean | null
/** One page of orders, as a list of values for each of `cells`. */
type Page = readonly (readonly Cell[])[]

function lineOf(page: Page, index: number, late: string): string {
  const isFree = page[leadingCells - 1]?.[index] === 1
  let line = ''
  for (let column = 0; column < kinds.length; column++) {
    const kind = kinds[column] as LedgerKind
    const value = page[column + leadingCells]?.[index]
    const isBlank = value === null || value === undefined || (isFree && kind === 'earned')
    line += `${isBlank ? '' : formatCell[kind](value)},`
  }
  return `${line}${csvCell(late)}\r\n`
}

/** The acting publisher's sales ledger as a CSV, newest orders first: all orders, or those that match a filter. The start is itself audited. */
export const exportOrders = useCase({
  permission: 'order:read',
  input: LedgerFilter.extend({ bom: z.boolean().default(true) }).refine(...daysInOrder),
  transaction: 'none',
  async run(ctx, { bom, ...input }): Promise<OrderFile> {
    const asOf = asOfDay(ctx, input.asOf)
    const isAll = Object.keys(chosenFilters(input)).length === 0
    const fileName = downloadName(isAll ? 'All Orders' : 'Orders', asOf)
    return { fileName, chunks: orderLines(ctx, input, { asOf, bom }) }
  },
})

/** The filters that are set, for the activity log. */
function chosenFilters({ from, until, by, asOf: _, ...others }: LedgerFilter): Record<string, string | number> {
  const days = from || until ? { by, from, until } : {}
  return Object.fromEntries(
    Object.entries({ ...others, ...days }).filter(([, value]) => value !== undefined && value !== ''),
  ) as Record<string, string | number>
}

async function* orderLines(
  ctx: AppContext,
  filter: LedgerFilter,
  { asOf, bom }: { asOf: Day; bom: boolean },
): AsyncGenerator<string> {
  const { where, values } = orderFilter(ctx, asOfFilter(ctx, filter), {
    search: await orderSearchCondition(ctx, filter.q),
  })
  const total = await countLedgerRows(ctx, { where, values })
  await ctx.db.transaction(() =>
    recordAudit(
      ctx,
      'export-orders',
      { type: 'sales-ledger', id: null, publisherId: actingPublisherId(ctx.actor) },
      { orders: total, ...chosenFilters(filter), ...(filter.asOf ? { asOf } : {}) },
    ),
  )
  const areStored = await areOrderSumsOf(ctx, tenantOf(ctx).publisherId, asOf)
  const lateOf = await lateEntries(ctx)
  yield (bom ? byteOrderMark : '') + csvText([header])
  // Keyset pagination: an order that is added meanwhile shifts nothing.
  const pageAfter = (last?: { lastId: number; lastDay: string }) =>
    pageOf(
      ctx,
      {
        where: last ? `${where} AND (o.ordered_on, o.id) < (:lastDay, :lastId)` : where,
        values: { ...values, ...asOfValues(asOf), ...last },
      },
      areStored,
    )
  for (let next: Promise<Page> | null = pageAfter(); next; ) {
    const page: Page = await next
    const [ids = [], days = []] = page as [number[], string[]]
    // The next page is read while this one is written.
    next = ids.length < batchSize ? null : pageAfter({ lastId: ids.at(-1) ?? 0, lastDay: days.at(-1) ?? '' })
    next?.catch(() => {})
    // Writing this page awaits nothing: without a turn of the event loop, the next query would be sent only afterwards.
    await setImmediate()
    if (ids.length === 0) return
    const late = await lateOf(ids, asOf)
    yield ids.map((id, index) => lineOf(page, index, late.get(id) ?? '')).join('')
  }
}

/**
 * A page of orders with their sums: the stored sums if they are those of the requested day, otherwise computed from the entries.
 */
async function pageOf(ctx: Pick<AppContext, 'db'>, condition: Condition, areStored: boolean): Promise<Page> {
  const stored = areStored ? await readPage(ctx, condition, storedSums) : null
  if (stored && !stored.isStale) return stored.page
  return (await readPage(ctx, condition, enteredSums(ctx.db.dialect))).page
}

/** SQL: the FROM and WHERE clause for the orders `o` of a page with their sums `m`, and the condition under which those sums are stale. */
interface SumsSource {
  from(where: string): string
  isStaleSql: string
}

// A left join makes SQLite read the orders first, in the order of their index.
const publications = 'LEFT JOIN publications p ON p.id = o.publication_id'
const newestFirst = `ORDER BY o.ordered_on DESC, o.id DESC LIMIT ${batchSize}`

const storedSums: SumsSource = {
  from: (where) => `orders o ${publications} LEFT JOIN order_sums m ON m.order_id = o.id WHERE ${where}`,
  // Checked for each page: midnight may pass while the file is read, and another process then updates the sums.
  isStaleSql: 'm.order_id IS NULL OR m.computed_for > :asOf OR m.changes_on <= :asOf',
}

const enteredSums = (dialect: Dialect): SumsSource => ({
  from: (where) => `(SELECT sums.*, net - fulfilled AS liability FROM (
      SELECT g.id, ${moneySql(dialect, 'l')} FROM (SELECT o.id FROM orders o WHERE ${where} ${newestFirst}) g
      LEFT JOIN ledger_entries l ON l.order_id = g.id AND l.entered_on <= :asOf GROUP BY g.id) sums
    ) m JOIN orders o ON o.id = m.id ${publications}`,
  isStaleSql: 'FALSE',
})

/** Reads a page as one JSON text per column: decoding an object per row takes about twice the processor time. */
async function readPage(
  ctx: Pick<AppContext, 'db'>,
  { where, values }: Condition,
  { from, isStaleSql }: SumsSource,
): Promise<{ page: Page; isStale: boolean }> {
  const list = (cell: string) =>
    ctx.db.dialect === 'postgres' ? `CAST(json_agg(${cell}) AS TEXT)` : `json_group_array(${cell})`
  const [row] = await ctx.db.query<Record<string, string | null> & { stale: number | null }>(
    `SELECT ${cells.map((_, index) => `${list(`c${index}`)} AS c${index}`).join(', ')}, MAX(stale) AS stale FROM (
       SELECT ${cells.map((cell, index) => `${cell} AS c${index}`).join(', ')}, CASE WHEN ${isStaleSql} THEN 1 ELSE 0 END AS stale
       FROM ${from(where)} ${newestFirst}) lines`,
    values,
  )
  return { page: cells.map((_, index) => JSON.parse(row?.[`c${index}`] ?? '[]')), isStale: Boolean(row?.stale) }
}
