import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { narrowedTo, ownColumns } from '../agreements/renewal-scope.query.ts'
import type { RenewalState } from '../agreements/renewal-states.rules.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import { type DownloadFile, textChunks } from '../downloads/download-file.ts'
import { addMonths, dayOf } from '../kernel/calendar.ts'
import { byteOrderMark, type CsvCell, csvText } from '../kernel/csv-text.ts'
import type { Day } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { type Currency, formatMinorUnits } from '../kernel/money.ts'
import { tenantOf } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { type YieldPart, yieldParts } from './yield-parts.rules.ts'

/** The renewals of a month in one currency: how many, and how much in minor units. */
export type YieldRow = {
  month: string
  currency: Currency
  /** The percentage of the ended renewals that were paid, 0 to 100; null if none has ended. */
  paidShare: number | null
} & Record<YieldPart, { renewals: number; amount: number }>

const partOf: Record<RenewalState, YieldPart> = {
  planned: 'open',
  charging: 'open',
  retrying: 'open',
  waiting: 'open',
  paid: 'paid',
  lapsed: 'lapsed',
  cancelled: 'cancelled',
}

const YieldInput = z.object({ publicationId: z.coerce.number().int().optional().catch(undefined) })

/** How many months the yield is shown for, the current one included. */
const monthsShown = 13

/** The yield of the acting publisher's renewals, by the month in which the term before them ended, the latest first. */
export const renewalYield = useCase({
  permission: 'renewal:read',
  input: YieldInput,
  transaction: 'none',
  run: (ctx, { publicationId }) => yieldRows(ctx, publicationId),
})

async function yieldRows(ctx: AppContext, publicationId: number | undefined): Promise<YieldRow[]> {
  const { sql: scopeSql, values } = narrowedTo({ ...tenantOf(ctx), publicationId }, ownColumns)
  const since = `${addMonths(dayOf(ctx.now(), ctx.settings.timeZone), 1 - monthsShown).slice(0, 7)}-01`
  // Grouped by day, which is the order of an index, and summed by month here: to group by month the database would sort all rows.
  const counts = await ctx.db.query<{
    cycleOn: Day
    currency: Currency
    state: RenewalState
    renewals: number
    amount: number
  }>(
    `SELECT cycle_on AS "cycleOn", currency, state, COUNT(*) AS renewals, SUM(amount) AS amount FROM renewals
     WHERE cycle_on >= :since${scopeSql}
     GROUP BY cycle_on, currency, state`,
    { since, ...values },
  )
  const rows = new Map<string, YieldRow>()
  for (const { cycleOn, currency, state, renewals, amount } of counts) {
    const month = cycleOn.slice(0, 7)
    const key = `${month} ${currency}`
    const row = rows.get(key) ?? emptyRow(month, currency)
    rows.set(key, row)
    const part = row[partOf[state]]
    part.renewals += Number(renewals)
    part.amount += Number(amount)
  }
  return [...rows.values()]
    .map((row) => ({ ...row, paidShare: shareOf(row) }))
    .sort((a, b) => b.month.localeCompare(a.month) || a.currency.localeCompare(b.currency))
}

const emptyRow = (month: string, currency: Currency): YieldRow => ({
  month,
  currency,
  paidShare: null,
  open: { renewals: 0, amount: 0 },
  paid: { renewals: 0, amount: 0 },
  lapsed: { renewals: 0, amount: 0 },
  cancelled: { renewals: 0, amount: 0 },
})

function shareOf({ paid, lapsed, cancelled }: YieldRow): number | null {
  const ended = paid.renewals + lapsed.renewals + cancelled.renewals
  return ended === 0 ? null : Math.round((paid.renewals / ended) * 1000) / 10
}

/** The yield by month as a CSV. */
export const exportRenewalYield = useCase({
  permission: 'renewal:read',
  input: YieldInput,
  async run(ctx, { publicationId }): Promise<DownloadFile> {
    const rows = await yieldRows(ctx, publicationId)
    await recordAudit(ctx, 'export-renewal-yield', {
      type: 'sales-ledger',
      id: null,
      publisherId: actingPublisherId(ctx.actor),
    })
    const header = yieldParts.flatMap(({ title }) => [title, `${title} amount`])
    const lines = rows.map(({ month, currency, paidShare, ...sums }): CsvCell[] => [
      month,
      currency,
      ...yieldParts.flatMap(({ name }) => [
        { number: String(sums[name].renewals) },
        { number: formatMinorUnits(sums[name].amount) },
      ]),
      paidShare === null ? '' : { number: String(paidShare) },
    ])
    return {
      fileName: downloadName('Renewals', dayOf(ctx.now(), ctx.settings.timeZone)),
      chunks: textChunks(byteOrderMark + csvText([['Month', 'Currency', ...header, 'Share paid, %'], ...lines])),
    }
  },
})
