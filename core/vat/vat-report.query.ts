import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { dayOf } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { DayInput, firstAfterLast } from '../kernel/day-input.ts'
import { invalid } from '../kernel/errors.ts'
import type { Currency } from '../kernel/money.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { vatKinds } from './order-vat.rules.ts'
import type { VatProblem } from './vat.rules.ts'
import { type QuarterMonth, quarterContaining, quarterOf, type VatPeriod } from './vat-quarters.rules.ts'
import type { SaleScheme, Supply } from './vat-rates.rules.ts'
import { VatSettings } from './vat-settings.rows.ts'

/** Sales less refunds in a period, of one scheme, country, rate, kind of supply and currency. Minor units. */
export interface VatReportRow {
  scheme: SaleScheme
  country: string
  /** Basis points. */
  rate: number
  supply: Supply
  currency: Currency
  /** Lines of sales and refunds. */
  count: number
  gross: number
  net: number
  vat: number
  /** In pence; null if an exchange rate is not set for some of them. */
  netGbp: number | null
  vatGbp: number | null
}

/** A line whose VAT is incomplete; `not-worked-out`: entered before VAT was stored, or a refund of such a sale. */
export interface VatNotSet {
  orderId: number
  orderNumber: string
  taxPoint: Day
  /** Empty if it was not worked out. */
  supply: Supply | ''
  country: string
  currency: Currency
  gross: number
  problem: VatProblem | 'not-worked-out'
}

export interface VatReport extends VatPeriod {
  quarterMonth: QuarterMonth
  /** Whether the publisher has set anything for VAT. */
  isSet: boolean
  rows: VatReportRow[]
  /** The boxes of the UK return, in pence: VAT due on sales, and sales without VAT. `isComplete` is false while a line of the period is not set. */
  boxes: { box1: number; box6: number; isComplete: boolean }
  /** The first of the lines that are not set, by day. */
  notSet: VatNotSet[]
  notSetCount: number
  /** The rates that these lines lack, the most needed first. */
  missingRates: { supply: Supply; country: string; count: number }[]
  moreMissingRates: boolean
}

export const VatReportInput = z.object({
  /** `2026-Q4`; the current one if none is given. */
  quarter: z.string().trim().max(20).optional(),
  from: DayInput,
  until: DayInput,
})

const maxListed = 50

/** VAT of a quarter, or of any days: refunds count in the period in which they were made. Page, file and command all show this report. */
export const vatReport = useCase({
  permission: 'ledger:vat',
  input: VatReportInput,
  transaction: 'none',
  async run(ctx, input): Promise<VatReport> {
    const publisherId = requirePublisherId(ctx)
    const settings = await VatSettings.find(ctx, { publisherId })
    const quarterMonth = settings?.quarterMonth ?? 1
    const period = periodOf(input, { quarterMonth, today: dayOf(ctx.now(), ctx.settings.timeZone) })
    const request = { publisherId, from: period.from, until: period.until }
    const rows = await sums(ctx, request)
    const { notSet, notSetCount } = await linesNotSet(ctx, request)
    const missingRates = await ratesMissing(ctx, request)
    const uk = rows.filter(({ scheme }) => scheme === 'uk')
    const total = (name: 'netGbp' | 'vatGbp') => uk.reduce((sum, row) => sum + (row[name] ?? 0), 0)
    return {
      ...period,
      quarterMonth,
      isSet: settings !== null,
      rows,
      notSet,
      notSetCount,
      missingRates: missingRates.slice(0, maxListed),
      moreMissingRates: missingRates.length > maxListed,
      boxes: { box1: total('vatGbp'), box6: total('netGbp'), isComplete: notSetCount === 0 },
    }
  },
})

function periodOf(
  { quarter, from, until }: z.output<typeof VatReportInput>,
  { quarterMonth, today }: { quarterMonth: QuarterMonth; today: Day },
): VatPeriod {
  if (quarter) {
    if (from !== undefined || until !== undefined) throw invalid({ quarter: 'Choose a quarter or days, not both' })
    const period = quarterOf(quarter, quarterMonth)
    if (!period) throw invalid({ quarter: 'Enter a quarter such as 2026-Q4' })
    return period
  }
  if (from === undefined && until === undefined) return quarterContaining(today, quarterMonth)
  if (from === undefined) throw invalid({ from: 'Enter the first day' })
  const lastDay = until ?? today
  if (from > lastDay) throw invalid({ from: firstAfterLast })
  return { quarter: null, from, until: lastDay }
}

interface VatQuery {
  publisherId: number
  from: Day
  until: Day
}

const inPeriod = 'v.publisher_id = :publisherId AND v.tax_point >= :from AND v.tax_point <= :until'

/** The sort order of the report's rows. */
const schemeOrder: readonly SaleScheme[] = ['uk', 'eu-oss', 'reverse', 'none']

async function sums(ctx: Pick<AppContext, 'db'>, query: VatQuery): Promise<VatReportRow[]> {
  const group = 'v.scheme, v.country, v.rate, v.supply, v.currency'
  const rows = await ctx.db.query<VatReportRow & { unconverted: number }>(
    `SELECT ${group}, COUNT(*) AS count, SUM(v.gross) AS gross, SUM(v.net) AS net, SUM(v.vat) AS vat,
            SUM(v.net_gbp) AS "netGbp", SUM(v.vat_gbp) AS "vatGbp", SUM(CASE WHEN v.vat_gbp IS NULL THEN 1 ELSE 0 END) AS unconverted
     FROM vat_lines v WHERE ${inPeriod} AND v.vat IS NOT NULL GROUP BY ${group}`,
    { ...query },
  )
  const sortKey = ({ scheme, country, supply, rate, currency }: VatReportRow) =>
    [schemeOrder.indexOf(scheme), country, supply, String(rate).padStart(5, '0'), currency].join()
  return rows
    .map(({ unconverted, ...row }) => {
      const isConverted = Number(unconverted) === 0
      return {
        ...row,
        count: Number(row.count),
        gross: Number(row.gross),
        net: Number(row.net),
        vat: Number(row.vat),
        netGbp: isConverted ? Number(row.netGbp) : null,
        vatGbp: isConverted ? Number(row.vatGbp) : null,
      }
    })
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1))
}

/** The lines that lack something, and the entries whose VAT was never worked out. */
async function linesNotSet(
  ctx: Pick<AppContext, 'db'>,
  query: VatQuery,
): Promise<Pick<VatReport, 'notSet' | 'notSetCount'>> {
  const notSetSql = `SELECT v.order_id, v.tax_point, v.supply, v.country, v.currency, v.gross, v.problem
      FROM vat_lines v WHERE ${inPeriod} AND v.problem <> ''
    UNION ALL SELECT l.order_id, l.entered_on, '', '', l.currency, l.amount, 'not-worked-out'
      FROM ledger_entries l WHERE l.publisher_id = :publisherId AND l.vat IS NULL AND l.amount <> 0 AND l.kind IN (:kinds)
        AND l.entered_on >= :from AND l.entered_on <= :until`
  const values = { ...query, kinds: vatKinds }
  const [counted] = await ctx.db.query<{ count: number }>(`SELECT COUNT(*) AS count FROM (${notSetSql}) n`, values)
  const notSet = await ctx.db.query<VatNotSet>(
    `SELECT n.order_id AS "orderId", o.order_number AS "orderNumber", n.tax_point AS "taxPoint", n.supply, n.country,
            n.currency, n.gross, n.problem
     FROM (${notSetSql}) n JOIN orders o ON o.id = n.order_id ORDER BY n.tax_point, n.order_id, n.supply LIMIT ${maxListed}`,
    values,
  )
  return { notSet: notSet.map((row) => ({ ...row, gross: Number(row.gross) })), notSetCount: Number(counted?.count) }
}

/** Reads one more than is listed, so that the report can say whether there are more. */
async function ratesMissing(ctx: Pick<AppContext, 'db'>, query: VatQuery): Promise<VatReport['missingRates']> {
  const rows = await ctx.db.query<VatReport['missingRates'][number]>(
    `SELECT v.supply, v.country, COUNT(*) AS count FROM vat_lines v WHERE ${inPeriod} AND v.problem = 'rate'
     GROUP BY v.supply, v.country ORDER BY COUNT(*) DESC, v.country, v.supply LIMIT ${maxListed + 1}`,
    { ...query },
  )
  return rows.map((row) => ({ ...row, count: Number(row.count) }))
}
