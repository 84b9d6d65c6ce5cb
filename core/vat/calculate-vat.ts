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
import { divide, type VatItem, type VatTerms } from './vat.rules.ts'
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
  const [of, terms] = await awaitAll(entered(ctx, [orderId]), vatTermsOf(ctx, publisherId))
  return (await calculate(ctx, of, terms, { isClosed })).entries
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
  return calculate(ctx, await entered(ctx, orderIds), terms, { isFilling: true, isClosed })
}

interface FoundOrder {
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

async function ordersWith(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<FoundOrder[]> {
  return ctx.db.query<FoundOrder>(
    `SELECT id, publisher_id AS "publisherId", publication_id AS "publicationId", product, currency,
            vat_number AS "buyerVatNumber", COALESCE(NULLIF(billing ->> 'country', ''), country) AS "billingCountry",
            COALESCE(shipping ->> 'country', '') AS "shippingCountry"
     FROM orders WHERE id IN (:orderIds) ORDER BY id ${rowLock(ctx.db)}`,
    { orderIds: [...orderIds] },
  )
}

type Entered = Awaited<ReturnType<typeof entered>>

/** Everything of these orders that affects their VAT: four queries, however many orders there are. The orders are locked first. */
async function entered(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]) {
  const [orders, items, entries, lines] = await awaitAll(
    ordersWith(ctx, orderIds),
    itemsWith(ctx, orderIds),
    entriesWith(ctx, orderIds),
    linesOfOrders(ctx, orderIds),
  )
  return { orders, items, entries, lines }
}

async function calculate(
  ctx: AppContext,
  of: Entered,
  terms: VatTerms,
  options: Parameters<typeof orderVat>[4] = {},
): Promise<{ entries: EntryVat[]; changed: number }> {
  const { orders } = of
  const items = grouped(itemsOf(of), ({ orderId }) => orderId)
  const entries = grouped(of.entries, ({ orderId }) => orderId)
  const stored = grouped(of.lines, ({ orderId }) => orderId)
  const lines: NewVatLine[] = []
  const replaced: number[] = []
  const noted: EntryVat[] = []
  let changed = 0
  for (const order of orders) {
    const known = grouped(stored.get(order.id) ?? [], causeKey)
    const own = grouped(entries.get(order.id) ?? [], (entry) => causeKey({ ...entry, cause: wholeCause(entry.cause) }))
    const causes = [...own.values()].flatMap((some) => causeOf(some) ?? [])
    const { currency, billingCountry, shippingCountry, buyerVatNumber } = order
    const place = { billingCountry, shippingCountry, isBusiness: buyerVatNumber !== '' }
    const facts: VatOrder = { items: items.get(order.id) ?? [], currency, place }
    let isChanged = false
    for (const done of orderVat(facts, causes, known, terms, options)) {
      const before = known.get(causeKey(done.cause)) ?? []
      if (done.isChanged && !isSame(before, done)) {
        replaced.push(...before.map(({ id }) => id))
        lines.push(...done.lines.map((line) => newLine(order, done.cause, line, terms)))
        isChanged = true
      }
      noted.push(...entryVat(own.get(causeKey(done.cause)) ?? [], done))
    }
    if (isChanged) changed += 1
  }
  await writeVatLines(ctx, { lines, replaced })
  return { entries: noted, changed }
}

function grouped<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>()
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row])
  return groups
}

interface Item {
  id: number
  orderId: number
  kind: string
  postage: number
  amount: number
}

function itemsWith(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<Item[]> {
  return ctx.db.query<Item>(
    `SELECT id, order_id AS "orderId", kind, postage, amount FROM order_items WHERE order_id IN (:orderIds) ORDER BY order_id, id`,
    { orderIds: [...orderIds] },
  )
}

function itemsOf({ orders, items }: Pick<Entered, 'orders' | 'items'>): (VatItem & { orderId: number })[] {
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

function entriesWith(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<Entry[]> {
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
function isSame(before: readonly VatLineRow[], { lines }: CauseVat): boolean {
  return (
    before.length === lines.length &&
    lines.every((line, index) => {
      const known = before[index]
      return known?.supply === line.supply && known.problem === line.problem && known.vatGbp === line.vatGbp
    })
  )
}

function newLine(
  order: FoundOrder,
  cause: VatCause,
  line: CauseVat['lines'][number],
  { settings }: VatTerms,
): NewVatLine {
  const { itemId, supply, gross, country, decidedBy, scheme, rate, net, vat, netGbp, vatGbp, exchangeRate, problem } =
    line
  const { publisherId, publicationId, id: orderId, currency, billingCountry, shippingCountry, buyerVatNumber } = order
  const customer = buyerVatNumber === '' ? 'consumer' : 'business'
  return {
    ...{ publisherId, publicationId, orderId, itemId, kind: cause.kind, cause: cause.cause, taxPoint: cause.on },
    ...{ supply, country, billingCountry, shippingCountry, decidedBy, customer, scheme, rate, currency },
    ...{ gross, net, vat, netGbp, vatGbp, exchangeRate, problem },
    ...{ buyerVatNumber, vatNumber: settings?.vatNumber ?? '', ossNumber: settings?.ossNumber ?? '' },
  }
}

/** The VAT of a cause, divided over its entries in proportion to their amounts. */
function entryVat(entries: readonly Entry[], { cause, lines }: CauseVat): EntryVat[] {
  // Without lines the VAT is unknown, as for a refund whose sale is in a closed month: it stays listed as not set instead of having a VAT of zero.
  if (lines.length === 0 && cause.amount !== 0) return []
  const vat = lines.reduce((sum, line) => sum + (line.vat ?? 0), 0)
  const parts = divide(
    Math.abs(vat),
    entries.map(({ amount }) => Math.abs(amount)),
  )
  return entries.flatMap((entry, index) => {
    const part = Math.sign(vat) * (parts[index] ?? 0) + 0
    return entry.vat === part ? [] : [{ id: entry.id, vat: part }]
  })
}
