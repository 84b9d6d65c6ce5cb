import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { isRevenueSql } from './earned-sql.ts'
import type { EntryKind } from './entry-kinds.rules.ts'
import { DaySums, type LedgerDay } from './ledger-days.rows.ts'
import { firstDayOf, lastDayOf, monthOf, monthsFrom } from './months.rules.ts'

interface EntryGroup {
  publisherId: number
  publicationId: number
  currency: Currency
  product: string | null
  kind: EntryKind
  enteredOn: Day
  serviceStartOn: Day | null
  serviceEndOn: Day | null
  termMonths: number | null
  anchorDay: number | null
  vat: number
  entries: number
  amount: number
  postage: number
  monthly: number | null
}

/**
 * The stored totals as they should be, for one publisher or for all, computed from the ledger entries: all entries, or those entered after a day.
 * One query per month groups like entries. Earned VAT is rounded per entry, so entries with VAT are grouped only if their amounts are equal.
 */
export async function enteredDays(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, after }: { publisherId: number | undefined; after?: Day | undefined },
): Promise<LedgerDay[]> {
  const condition = `${publisherId === undefined ? '1 = 1' : 'publisher_id = :publisherId'} AND ${isRevenueSql('l')}`
  const values = { publisherId: publisherId ?? null, after: after ?? '0001-01-01' }
  const [range] = await ctx.db.query<{ first: Day | null; last: Day | null }>(
    `SELECT MIN(entered_on) AS first, MAX(entered_on) AS last FROM ledger_entries l WHERE ${condition} AND entered_on > :after`,
    values,
  )
  const sums = new DaySums()
  if (!range?.first || !range.last) return []
  const groupColumns = `publisher_id, publication_id, currency, product, kind, entered_on, service_start_on, service_end_on, term_months, anchor_day`
  const monthly = 'COALESCE(monthly_amount, amount / NULLIF(term_months, 0))'
  const ifVat = (column: string) => `CASE WHEN COALESCE(vat, 0) <> 0 THEN ${column} END`
  for (const month of monthsFrom(monthOf(range.first), monthOf(range.last))) {
    const rows = await ctx.db.query<EntryGroup>(
      `SELECT publisher_id AS "publisherId", publication_id AS "publicationId", currency, product, kind, entered_on AS "enteredOn",
              service_start_on AS "serviceStartOn", service_end_on AS "serviceEndOn", term_months AS "termMonths", anchor_day AS "anchorDay",
              COALESCE(vat, 0) AS vat, COUNT(*) AS entries, SUM(amount) AS amount, SUM(postage) AS postage, SUM(${monthly}) AS monthly
       FROM ledger_entries l WHERE ${condition} AND entered_on > :after AND entered_on >= :from AND entered_on <= :until
       GROUP BY ${groupColumns}, COALESCE(vat, 0), ${ifVat('amount')}, ${ifVat('postage')}, ${ifVat(monthly)}`,
      { ...values, from: firstDayOf(month), until: lastDayOf(month) },
    )
    for (const { amount, postage, monthly, entries, ...row } of rows) {
      const times = Number(row.vat) === 0 ? 1 : Number(entries)
      sums.add({
        ...row,
        vat: Number(row.vat),
        amount: Number(amount) / times,
        postage: Number(postage) / times,
        monthlyAmount: monthly === null ? null : Number(monthly) / times,
        sales: row.kind === 'sale' ? Number(entries) / times : 0,
        times,
      })
    }
  }
  return sums.rows()
}
