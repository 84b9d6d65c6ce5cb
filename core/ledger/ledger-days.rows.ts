import type { AppContext } from '../context.ts'
import type { SqlValues } from '../database.ts'
import { rowsFromJson } from '../dialect.ts'
import { columnName } from '../kernel/column-name.ts'
import type { Currency } from '../kernel/money.ts'
import { day, defaulted, defineTable, integer, type RowOf, ref, text } from '../table.ts'
import { dayAmounts, dayParts, type EnteredEarning, quotient } from './ledger-days.rules.ts'
import { ledgerChanged, ledgerReplaced } from './ledger-editions.rows.ts'

/**
 * The ledger's stored totals, updated with every entry: what each day adds, per title, currency and product. The sum of all days up to a day, past or
 * future, is the total at its end. They are derived from `ledger_entries` alone: `verify-ledger.ts` compares the two and rebuilds the totals.
 */
export const LedgerDays = defineTable('ledger_days', {
  publisherId: ref(),
  publicationId: ref(),
  currency: text<Currency>(),
  /** Empty for back issues, `postage` for the postage of back issues. */
  product: text(),
  day: day(),
  sales: integer(),
  sold: integer(),
  refunded: integer(),
  earned: integer(),
  soldVat: defaulted(integer()),
  refundedVat: defaulted(integer()),
  earnedVat: defaulted(integer()),
})

export type LedgerDay = RowOf<typeof LedgerDays>

export interface SummedEntry extends EnteredEarning {
  publisherId: number
  publicationId: number
  currency: Currency
  product: string | null
  /** The postage of back issues in the amount, with its sign. */
  postage?: number
  /** How many sales the entry stands for, if it is a sum of like entries. */
  sales?: number
  /** How often it is counted; -1 subtracts it. */
  times?: number
}

/** Adds up entries to totals per day, title, currency and product. */
export class DaySums {
  readonly #rows = new Map<string, LedgerDay>()

  add(entry: SummedEntry): void {
    for (const part of byProduct(entry)) this.#add(part)
  }

  #add(entry: SummedEntry): void {
    const { publisherId, publicationId, currency, times = 1 } = entry
    const product = entry.product ?? ''
    for (const [on, amounts] of dayAmounts(entry, entry.sales)) {
      const key = ledgerDayKey({ publicationId, currency, product, day: on })
      for (const part of dayParts) amounts[part] *= times
      const row = this.#rows.get(key)
      if (row) for (const part of dayParts) row[part] += amounts[part]
      else this.#rows.set(key, { publisherId, publicationId, currency, product, day: on, ...amounts })
    }
  }

  /** The rows that are not zero, in the order of their keys: concurrent writers lock common rows in the same order. */
  rows(): LedgerDay[] {
    return [...this.#rows]
      .filter(([, row]) => dayParts.some((part) => row[part] !== 0))
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, row]) => row)
  }
}

/** Splits the postage of an entry off as a separate product, with its share of the VAT. It does not count as another sale. */
function byProduct(entry: SummedEntry): SummedEntry[] {
  const { amount, postage = 0, vat } = entry
  if (postage === 0) return [entry]
  const postageVat = quotient((vat ?? 0) * postage, amount)
  return [
    { ...entry, amount: amount - postage, vat: (vat ?? 0) - postageVat, monthlyAmount: null },
    { ...entry, product: 'postage', amount: postage, vat: postageVat, monthlyAmount: null, sales: 0 },
  ]
}

export function ledgerDayKey({
  publicationId,
  currency,
  product,
  day,
}: Pick<LedgerDay, 'publicationId' | 'currency' | 'product' | 'day'>) {
  return `${publicationId} ${currency} ${product} ${day}`
}

/** Adds newly written entries to the stored totals. Call it in the transaction that writes them, after its other changes to the ledger. */
export async function addToLedgerDays(ctx: Pick<AppContext, 'db'>, entries: readonly SummedEntry[]): Promise<void> {
  const sums = new DaySums()
  for (const entry of entries) sums.add(entry)
  await addRows(ctx, sums.rows())
}

/** Replaces a publisher's stored totals with these. Call it in a transaction that locks the table (`lockLedgerDays`). */
export async function replaceLedgerDays(
  ctx: Pick<AppContext, 'db'>,
  publisherId: number,
  rows: readonly LedgerDay[],
): Promise<void> {
  await ctx.db.run('DELETE FROM ledger_days WHERE publisher_id = :publisherId', { publisherId })
  await ledgerReplaced(ctx.db, publisherId)
  for (let from = 0; from < rows.length; from += 1000) await addRows(ctx, rows.slice(from, from + 1000))
}

/** Blocks other entries until this transaction ends, so that its reads are consistent. On SQLite one transaction writes at a time. */
export async function lockLedgerDays(ctx: Pick<AppContext, 'db'>): Promise<void> {
  if (ctx.db.dialect === 'postgres') await ctx.db.run('LOCK TABLE ledger_days IN SHARE ROW EXCLUSIVE MODE')
}

const keyColumns = ['publisherId', 'publicationId', 'currency', 'product', 'day'] as const
const columns = [...keyColumns, ...dayParts].map(columnName).join(', ')

async function addRows(ctx: Pick<AppContext, 'db'>, rows: readonly LedgerDay[]): Promise<void> {
  if (rows.length === 0) return
  const values: SqlValues = {
    rows: JSON.stringify(
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [columnName(name), value]))),
    ),
  }
  const rowsSql = rowsFromJson(ctx.db, ':rows', 'added', {
    publisher_id: 'id',
    publication_id: 'id',
    currency: 'text',
    product: 'text',
    day: 'day',
    ...Object.fromEntries(dayParts.map((part) => [columnName(part), 'id' as const])),
  })
  await ctx.db.run(
    `INSERT INTO ledger_days (${columns}) SELECT ${columns} FROM ${rowsSql} WHERE sales IS NOT NULL
     ORDER BY publication_id, currency, product, day
     ON CONFLICT (publisher_id, publication_id, currency, product, day) DO UPDATE SET ${dayParts
       .map(columnName)
       .map((part) => `${part} = ledger_days.${part} + excluded.${part}`)
       .join(', ')}`,
    values,
  )
  await ledgerChanged(ctx.db, rows)
}
