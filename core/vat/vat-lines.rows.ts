import type { AppContext } from '../context.ts'
import { rowsFromJson, typedValue, type ValueType } from '../dialect.ts'
import { columnName } from '../kernel/column-name.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, id, instant, integer, nullable, type RowOf, ref, text } from '../table.ts'
import type { VatKind } from './order-vat.rules.ts'
import type { VatLine, VatProblem } from './vat.rules.ts'
import type { SaleScheme, Supply } from './vat-rates.rules.ts'

/** The VAT in each line of an order and of its refunds; see `VatLine`. */
export const VatLines = defineTable('vat_lines', {
  id: id(),
  publisherId: ref(),
  publicationId: ref(),
  orderId: ref(),
  itemId: ref(),
  kind: text<VatKind>(),
  /** As in the ledger: empty for the sale, `refund:12`. */
  cause: defaulted(text()),
  taxPoint: day(),
  supply: text<Supply>(),
  country: text(),
  billingCountry: text(),
  shippingCountry: text(),
  decidedBy: text<VatLine['decidedBy']>(),
  customer: text<'consumer' | 'business'>(),
  scheme: nullable(text<SaleScheme>()),
  rate: nullable(integer()),
  currency: text<Currency>(),
  gross: integer(),
  net: nullable(integer()),
  vat: nullable(integer()),
  netGbp: nullable(integer()),
  vatGbp: nullable(integer()),
  exchangeRate: nullable(integer()),
  problem: defaulted(text<VatProblem>()),
  /** The publisher's numbers on the day the VAT was worked out, as its document shows them. */
  vatNumber: defaulted(text()),
  /** The buyer's own, if it is a business. */
  buyerVatNumber: defaulted(text()),
  ossNumber: defaulted(text()),
  createdAt: instant(),
})

export type VatLineRow = RowOf<typeof VatLines>
export type NewVatLine = Omit<VatLineRow, 'id' | 'createdAt'>

/** The VAT lines of orders, in the order they were made: those of the sale first. */
export function linesOfOrders(ctx: Pick<AppContext, 'db'>, orderIds: readonly number[]): Promise<VatLineRow[]> {
  return VatLines.rows(
    ctx,
    `SELECT ${VatLines.columns()} FROM vat_lines WHERE order_id IN (:orderIds)
     ORDER BY CASE WHEN kind = 'sale' THEN 0 ELSE 1 END, tax_point, id`,
    { orderIds: [...orderIds] },
  )
}

/** The VAT lines of an order, the sale's first. The caller has made sure that the order is the actor's. */
export function vatLinesOf(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<VatLineRow[]> {
  return linesOfOrders(ctx, [orderId])
}

const columns: Record<keyof NewVatLine, ValueType> = {
  publisherId: 'id',
  publicationId: 'id',
  orderId: 'id',
  itemId: 'id',
  kind: 'text',
  cause: 'text',
  taxPoint: 'day',
  supply: 'text',
  country: 'text',
  billingCountry: 'text',
  shippingCountry: 'text',
  decidedBy: 'text',
  customer: 'text',
  scheme: 'text',
  rate: 'integer',
  currency: 'text',
  gross: 'id',
  net: 'id',
  vat: 'id',
  netGbp: 'id',
  vatGbp: 'id',
  exchangeRate: 'integer',
  problem: 'text',
  vatNumber: 'text',
  buyerVatNumber: 'text',
  ossNumber: 'text',
}
const names = Object.keys(columns) as (keyof NewVatLine)[]

/** Writes lines, replacing those with the ids in `replaced`. Call it in a transaction that locks their orders. */
export async function writeVatLines(
  ctx: AppContext,
  { lines, replaced }: { lines: readonly NewVatLine[]; replaced: readonly number[] },
): Promise<void> {
  if (replaced.length > 0) await ctx.db.run(`DELETE FROM vat_lines WHERE id IN (:ids)`, { ids: [...replaced] })
  if (lines.length === 0) return
  const from = rowsFromJson(
    ctx.db,
    ':lines',
    'v',
    Object.fromEntries(names.map((name) => [columnName(name), columns[name]])),
  )
  const list = names.map(columnName).join(', ')
  const rows = lines.map((line) => Object.fromEntries(names.map((name) => [columnName(name), line[name]])))
  await ctx.db.run(
    `INSERT INTO vat_lines (${list}, created_at)
     SELECT ${names.map((name) => `v.${columnName(name)}`).join(', ')}, ${typedValue(ctx.db, ':now', 'instant')} FROM ${from} WHERE true
     ON CONFLICT DO NOTHING`,
    { lines: JSON.stringify(rows), now: ctx.now() },
  )
}
