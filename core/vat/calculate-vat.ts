import type { AppContext } from '../context.ts'
import { awaitAll } from '../database.ts'
import { rowLock } from '../dialect.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import {
  type CauseVat,
  causeKey,
  orderVat,
  type VatCause,
  type VatOrder,
  vatKinds,
  wholeCause,
} from './order-vat.rules.ts'
import { allocate, type VatItem, type VatTerms } from './vat.rules.ts'
import { linesOfOrders, type NewVatLine, type VatLineRow, writeVatLines } from './vat-lines.rows.ts'
import type { Supply } from './vat-rates.rules.ts'
import { vatTermsOf } from './vat-terms.query.ts'

/** The VAT of one entry of the ledger, with its sign. */
export interface EntryVat {
  id: number
  vat: number
}

/**
 * Works out the VAT of an order's entries that have no VAT lines yet, except in closed months. Call it in the transaction that enters
 * them. Returns the VAT of each entry whose VAT changed, for the caller that stores the entries.
 */
export async function calculateVat(
  ctx: AppContext,
  { orderId, publisherId }: { orderId: number; publisherId: number },
  isClosed: (on: Day) => boolean,
): Promise<EntryVat[]> {
  const [rows, terms] = await awaitAll(readVatRows(ctx, [orderId]), vatTermsOf(ctx, publisherId))
  return (await calculate(ctx, rows, terms, { isClosed })).entries
}

/**
 * Works out the VAT of some orders of one publisher, and fills in what was "not set" if it can be computed and its month is open. Call it in a
 * transaction. `changed` is the number of orders that have other lines than before.
 */
export async function fillVatOf(
  ctx: AppContext,
  orderIds: readonly number[],
  { terms, isClosed }: { terms: VatTerms; isClosed: (on: Day) => boolean },
): Promise<{ entries: EntryVat[]; changed: number }> {
  return calculate(ctx, await readVatRows(ctx, orderIds), terms, { isFilling: true, isClosed })
}

interface OrderFacts {
  id: number
  publisherId: number
  publicationId: number
  product: Supply | null
  currency: Currency
  billingCountry: string
  shippingCountry: string
  /** The buyer's number; empty for a consumer. */
  buyerVatNumber: string
}

async function lockOrders(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<OrderFacts[]> {
  return ctx.db.query<OrderFacts>(
    `SELECT id, publisher_id AS "publisherId", publication_id AS "publicationId", product, currency,
            vat_number AS "buyerVatNumber", COALESCE(NULLIF(billing ->> 'country', ''), country) AS "billingCountry",
            COALESCE(shipping ->> 'country', '') AS "shippingCountry"
     FROM orders WHERE id IN (:orderIds) ORDER BY id ${rowLock(ctx.db)}`,
    { orderIds: [...orderIds] },
  )
}

type VatRows = Awaited<ReturnType<typeof readVatRows>>

/** Everything of these orders that affects their VAT: four queries, however many orders there are. The orders are locked first. */
async function readVatRows(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]) {
  const [orders, items, entries, lines] = await awaitAll(
    lockOrders(ctx, orderIds),
    findItems(ctx, orderIds),
    findEntries(ctx, orderIds),
    linesOfOrders(ctx, orderIds),
  )
  return { orders, items, entries, lines }
}

async function calculate(
  ctx: AppContext,
  rows: VatRows,
  terms: VatTerms,
  options: Parameters<typeof orderVat>[4] = {},
): Promise<{ entries: EntryVat[]; changed: number }> {
  const { orders } = rows
  const items = groupBy(itemsOf(rows), ({ orderId }) => orderId)
  const entries = groupBy(rows.entries, ({ orderId }) => orderId)
  const stored = groupBy(rows.lines, ({ orderId }) => orderId)
  const lines: NewVatLine[] = []
  const replaced: number[] = []
  const entryChanges: EntryVat[] = []
  let changed = 0
  for (const order of orders) {
    const linesByCause = groupBy(stored.get(order.id) ?? [], causeKey)
    const entriesByCause = groupBy(entries.get(order.id) ?? [], (entry) =>
      causeKey({ ...entry, cause: wholeCause(entry.cause) }),
    )
    const causes = [...entriesByCause.values()].flatMap((causeEntries) => causeOf(causeEntries) ?? [])
    const { currency, billingCountry, shippingCountry, buyerVatNumber } = order
    const place = { billingCountry, shippingCountry, isBusiness: buyerVatNumber !== '' }
    const facts: VatOrder = { items: items.get(order.id) ?? [], currency, place }
    let isChanged = false
    for (const causeVat of orderVat(facts, causes, linesByCause, terms, options)) {
      const previousLines = linesByCause.get(causeKey(causeVat.cause)) ?? []
      if (causeVat.isChanged && !isSame(previousLines, causeVat)) {
        replaced.push(...previousLines.map(({ id }) => id))
        lines.push(...causeVat.lines.map((line) => newLine(order, causeVat.cause, line, terms)))
        isChanged = true
      }
      entryChanges.push(...entryVat(entriesByCause.get(causeKey(causeVat.cause)) ?? [], causeVat))
    }
    if (isChanged) changed += 1
  }
  await writeVatLines(ctx, { lines, replaced })
  return { entries: entryChanges, changed }
}

function groupBy<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group) group.push(row)
    else groups.set(keyOf(row), [row])
  }
  return groups
}

interface Item {
  id: number
  orderId: number
  kind: string
  postage: number
  amount: number
}

function findItems(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<Item[]> {
  return ctx.db.query<Item>(
    `SELECT id, order_id AS "orderId", kind, postage, amount FROM order_items WHERE order_id IN (:orderIds) ORDER BY order_id, id`,
    { orderIds: [...orderIds] },
  )
}

function itemsOf({ orders, items }: Pick<VatRows, 'orders' | 'items'>): (VatItem & { orderId: number })[] {
  const products = new Map(orders.map(({ id, product }) => [id, product]))
  return items.flatMap(({ id: itemId, orderId, kind, postage, amount }) => {
    if (kind !== 'back-issue') return [{ orderId, itemId, supply: products.get(orderId) ?? 'print', gross: amount }]
    const shipping = Math.min(postage, amount)
    return [
      { orderId, itemId, supply: 'back-issue' as const, gross: amount - shipping },
      { orderId, itemId, supply: 'shipping' as const, gross: shipping },
    ]
  })
}

interface Entry extends VatCause {
  id: number
  orderId: number
  vat: number | null
}

function findEntries(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<Entry[]> {
  return ctx.db.query<Entry>(
    `SELECT id, order_id AS "orderId", kind, cause, amount, vat, entered_on AS "on" FROM ledger_entries
     WHERE order_id IN (:orderIds) AND kind IN (:kinds) ORDER BY CASE WHEN kind = 'sale' THEN 0 ELSE 1 END, id`,
    { orderIds: [...orderIds], kinds: vatKinds },
  )
}

/** The entries of a cause, combined. */
function causeOf(entries: readonly Entry[]): VatCause | null {
  const [first] = entries
  if (!first) return null
  const amount = entries.reduce((sum, entry) => sum + entry.amount, 0)
  return { kind: first.kind, cause: wholeCause(first.cause), on: first.on, amount }
}

/** A filled line may be unchanged, because the missing setting may still be missing. */
function isSame(previousLines: readonly VatLineRow[], { lines }: CauseVat): boolean {
  return (
    previousLines.length === lines.length &&
    lines.every((line, index) => {
      const previous = previousLines[index]
      return previous?.supply === line.supply && previous.problem === line.problem && previous.vatGbp === line.vatGbp
    })
  )
}

function newLine(
  order: OrderFacts,
  cause: VatCause,
  line: CauseVat['lines'][number],
  { settings }: VatTerms,
): NewVatLine {
  const { itemId, supply, gross, country, decidedBy, scheme, rate, net, vat, netGbp, vatGbp, exchangeRate, problem } =
    line
  const { publisherId, publicationId, id: orderId, currency, billingCountry, shippingCountry, buyerVatNumber } = order
  const customer = buyerVatNumber === '' ? 'consumer' : 'business'
  return {
    publisherId,
    publicationId,
    orderId,
    itemId,
    kind: cause.kind,
    cause: cause.cause,
    taxPoint: cause.on,
    supply,
    country,
    billingCountry,
    shippingCountry,
    decidedBy,
    customer,
    scheme,
    rate,
    currency,
    gross,
    net,
    vat,
    netGbp,
    vatGbp,
    exchangeRate,
    problem,
    buyerVatNumber,
    vatNumber: settings?.vatNumber ?? '',
    ossNumber: settings?.ossNumber ?? '',
  }
}

/** The VAT of a cause, divided over its entries in proportion to their amounts. */
function entryVat(entries: readonly Entry[], { cause, lines }: CauseVat): EntryVat[] {
  // Without lines the VAT is unknown, as for a refund whose sale is in a closed month: it stays listed as not set instead of having a VAT of zero.
  if (lines.length === 0 && cause.amount !== 0) return []
  const vat = lines.reduce((sum, line) => sum + (line.vat ?? 0), 0)
  const parts = allocate(
    Math.abs(vat),
    entries.map(({ amount }) => Math.abs(amount)),
  )
  return entries.flatMap((entry, index) => {
    const part = Math.sign(vat) * (parts[index] ?? 0) + 0
    return entry.vat === part ? [] : [{ id: entry.id, vat: part }]
  })
}
