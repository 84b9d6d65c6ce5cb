import type { AppContext } from '../context.ts'
import { instantText } from '../database.ts'
import { rowLock, rowsFromJson, type ValueType } from '../dialect.ts'
import { columnName } from '../kernel/column-name.ts'
import type { Day } from '../kernel/dates.ts'
import {
  day,
  defaulted,
  defineTable,
  flag,
  id,
  instant,
  integer,
  nullable,
  type RowOf,
  ref,
  type TableContext,
  text,
} from '../table.ts'
import type { LineKind, LineState, ReportProvider } from './line-kinds.rules.ts'
import type { ReportLine } from './report-line.rules.ts'

/** The lines of providers' reports, each stored once, by the provider's id. */
export const ProviderLines = defineTable('provider_lines', {
  id: id(),
  publisherId: ref(),
  /** The first report that contains it. */
  reportId: ref(),
  provider: text<ReportProvider>(),
  lineKey: text(),
  kind: text<LineKind>(),
  /** The provider's name or code for the kind of line. */
  category: text(),
  description: defaulted(text()),
  occurredOn: day(),
  occurredAt: instant(),
  currency: text(),
  /** Minor units, net = gross - fee. */
  gross: integer(),
  fee: integer(),
  net: integer(),
  balance: nullable(integer()),
  customerAmount: nullable(integer()),
  customerCurrency: nullable(text()),
  payoutReference: nullable(text()),
  payoutOn: nullable(day()),
  paymentReference: nullable(text()),
  chargeReference: nullable(text()),
  sourceReference: nullable(text()),
  orderNumber: nullable(text()),
  /** The day under which a journal posts it. */
  postedOn: day(),
  /** From this day on, a journal takes it as explained: its own day, or the first day of an open month. Null while it is unexplained. */
  explainedOn: nullable(day()),
  state: text<LineState>(),
  orderId: nullable(ref()),
  /** The part of the order that it is matched to: `sale`, `refund:12`, `dispute:3`; null if unmatched. */
  matchedTo: nullable(text()),
  isByHand: defaulted(flag()),
  matchNumber: defaulted(integer()),
  createdAt: instant(),
  updatedAt: instant(),
})
export type ProviderLine = RowOf<typeof ProviderLines>

/** The values that a later report may add to a stored line. */
export const addedLater = [
  'payoutReference',
  'payoutOn',
  'paymentReference',
  'chargeReference',
  'sourceReference',
  'orderNumber',
  'customerAmount',
  'customerCurrency',
  'balance',
] as const

const storedColumns = ProviderLines.pick(
  'id',
  'reportId',
  'lineKey',
  'kind',
  'currency',
  'gross',
  'net',
  'postedOn',
  ...addedLater,
)
export type StoredLine = Awaited<ReturnType<typeof storedLines>>[number]

/** The stored lines with these keys. */
export function storedLines(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, provider, keys }: { publisherId: number; provider: ReportProvider; keys: readonly string[] },
) {
  return storedColumns.rows(
    ctx,
    `SELECT ${storedColumns.columns()} FROM provider_lines
     WHERE publisher_id = :publisherId AND provider = :provider AND line_key IN (:keys)`,
    { publisherId, provider, keys },
  )
}

const lineTypes: Record<string, ValueType> = {
  line_key: 'text',
  kind: 'text',
  category: 'text',
  description: 'text',
  occurred_on: 'day',
  occurred_at: 'instant',
  currency: 'text',
  gross: 'id',
  fee: 'id',
  net: 'id',
  balance: 'id',
  customer_amount: 'id',
  customer_currency: 'text',
  payout_reference: 'text',
  payout_on: 'day',
  payment_reference: 'text',
  charge_reference: 'text',
  source_reference: 'text',
  order_number: 'text',
  posted_on: 'day',
  explained_on: 'day',
  state: 'text',
}

/** Adds lines that were in no report before. Call it in a transaction. */
export async function addLines(
  ctx: TableContext,
  common: { publisherId: number; reportId: number; provider: ReportProvider },
  lines: readonly (ReportLine & { postedOn: Day; explainedOn: Day | null; state: LineState })[],
): Promise<void> {
  if (lines.length === 0) return
  const names = Object.keys(lineTypes)
  await ctx.db.run(
    `INSERT INTO provider_lines (publisher_id, report_id, provider, created_at, updated_at, ${names.join(', ')})
     SELECT :publisherId, :reportId, :provider, :now, :now, ${names.map((name) => `v.${name}`).join(', ')}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', lineTypes)}`,
    { ...common, now: ctx.now(), rows: JSON.stringify(lines.map(cellsOf)) },
  )
}

/** Adds values from a later report (such as a payout or an id) to stored lines. Existing values are not changed. */
export async function completeLines(
  ctx: TableContext,
  lines: readonly (ReportLine & { id: number; postedOn: Day })[],
): Promise<void> {
  if (lines.length === 0) return
  const names = addedLater.map(columnName)
  const types = { ...Object.fromEntries(names.map((name) => [name, lineTypes[name] as ValueType])), id: 'id' as const }
  await ctx.db.run(
    `UPDATE provider_lines SET updated_at = :now, posted_on = CASE WHEN provider_lines.payout_on IS NULL THEN v.posted_on ELSE provider_lines.posted_on END,
       ${names.map((name) => `${name} = COALESCE(provider_lines.${name}, v.${name})`).join(', ')}
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', { ...types, posted_on: 'day' })} WHERE provider_lines.id = v.id`,
    { now: ctx.now(), rows: JSON.stringify(lines.map((line) => ({ ...cellsOf(line), id: line.id }))) },
  )
}

function cellsOf(line: ReportLine): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(line).map(([name, value]) => [
      columnName(name),
      // Times in the driver's format, so that they can be compared on SQLite.
      value instanceof Date ? instantText(value) : value,
    ]),
  )
}

/** The result of matching a line. */
export interface LineMatch {
  id: number
  state: LineState
  orderId: number | null
  matchedTo: string | null
  explainedOn: Day | null
}

/** Stores the results of matching, except for lines that were matched manually meanwhile. */
export async function storeMatches(ctx: TableContext, matches: readonly LineMatch[]): Promise<void> {
  if (matches.length === 0) return
  const rows = matches.map(({ id: line, state, orderId, matchedTo, explainedOn }) => ({
    id: line,
    state,
    order_id: orderId,
    matched_to: matchedTo,
    explained_on: explainedOn,
  }))
  const types = { id: 'id', state: 'text', order_id: 'id', matched_to: 'text', explained_on: 'day' } as const
  await ctx.db.run(
    `UPDATE provider_lines SET state = v.state, order_id = v.order_id, matched_to = v.matched_to, explained_on = v.explained_on, updated_at = :now
     FROM ${rowsFromJson(ctx.db, ':rows', 'v', types)}
     WHERE provider_lines.id = v.id AND provider_lines.state <> 'matched'`,
    { now: ctx.now(), rows: JSON.stringify(rows) },
  )
}

/**
 * Lines of a publisher that belong to an order and are not matched, ordered by id. They are locked, so that none of them can be matched manually at
 * the same time, which would enter its fee twice.
 */
export function openLines(
  ctx: Pick<AppContext, 'db'>,
  range: { publisherId: number; afterId: number; limit: number },
): Promise<ProviderLine[]> {
  return ProviderLines.rows(
    ctx,
    `SELECT ${ProviderLines.columns()} FROM provider_lines
     WHERE publisher_id = :publisherId AND id > :afterId
       AND state IN ('open', 'amount', 'currency', 'twice', 'not-entered', 'unknown')
     ORDER BY id LIMIT :limit ${rowLock(ctx.db)}`,
    range,
  )
}

/**
 * PayPal does not link lines to withdrawals, so each line is assigned to the first withdrawal in its currency at or after the line. This is repeated
 * after every report, which may bring lines and withdrawals between the known ones; `fromOn` is the day of the report's first line.
 */
export async function assignWithdrawals(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, fromOn }: { publisherId: number; fromOn: Day },
): Promise<void> {
  const next = (column: string) => `(SELECT p.${column} FROM provider_lines p
     WHERE p.publisher_id = provider_lines.publisher_id AND p.provider = 'paypal' AND p.kind = 'payout'
       AND p.currency = provider_lines.currency AND p.occurred_at >= provider_lines.occurred_at
     ORDER BY p.occurred_at, p.id LIMIT 1)`
  await ctx.db.run(
    `UPDATE provider_lines SET payout_reference = ${next('line_key')}, payout_on = ${next('occurred_on')}
     WHERE publisher_id = :publisherId AND provider = 'paypal' AND kind <> 'payout'
       AND (occurred_on >= :fromOn OR payout_on IS NULL OR payout_on >= :fromOn)`,
    { publisherId, fromOn },
  )
}
