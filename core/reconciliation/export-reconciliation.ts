import { z } from 'zod'
import { recordAudit } from '../audit/record-audit.ts'
import type { AppContext } from '../context.ts'
import type { DownloadFile } from '../downloads/download-file.ts'
import { dayOf } from '../kernel/calendar.ts'
import { byteOrderMark, type CsvCell, csvText } from '../kernel/csv-text.ts'
import { formatDay } from '../kernel/dates.ts'
import { downloadName } from '../kernel/download-name.rules.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { lineKinds, lineStates, reportProviders } from './line-kinds.rules.ts'
import { type ProviderLine, ProviderLines } from './provider-lines.rows.ts'
import { formatReportDecimal } from './report-amount.rules.ts'

const header = [
  'Provider',
  'Line',
  'Date',
  'Kind',
  'Type',
  'Currency',
  'Gross',
  'Fee',
  'Net',
  'Payout',
  'Paid out on',
  'Order',
  'State',
  'By hand',
  'Description',
]
/** Lines per query. */
const batchSize = 2000

/** Every line of the acting publisher's reports, with the order it is matched to, as a CSV: oldest report first. */
export const exportReconciliation = useCase({
  permission: 'ledger:reconcile',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<DownloadFile> {
    const publisherId = requirePublisherId(ctx)
    const today = dayOf(ctx.now(), ctx.settings.timeZone)
    return { fileName: downloadName('Reconciliation', today), chunks: csvChunks(ctx, publisherId) }
  },
})

async function* csvChunks(ctx: AppContext, publisherId: number): AsyncGenerator<string> {
  await ctx.db.transaction(() =>
    recordAudit(ctx, 'export-reconciliation', { type: 'sales-ledger', id: null, publisherId }),
  )
  yield byteOrderMark + csvText([header])
  for (let after: number | null = 0; after !== null; ) {
    const rows: (ProviderLine & { order_number_here: string | null })[] = await ProviderLines.rows(
      ctx,
      `SELECT ${ProviderLines.columns('l')}, o.order_number AS order_number_here
       FROM provider_lines l LEFT JOIN orders o ON o.id = l.order_id AND o.publisher_id = l.publisher_id
       WHERE l.publisher_id = :publisherId AND l.id > :after ORDER BY l.id LIMIT :batchSize`,
      { publisherId, after, batchSize },
    )
    if (rows.length > 0) yield csvText(rows.map((row) => cellsOf(row, row.order_number_here)))
    after = rows.length < batchSize ? null : Number(rows.at(-1)?.id)
  }
}

function cellsOf(line: ProviderLine, orderNumber: string | null): CsvCell[] {
  const amount = (value: number) => ({ number: formatReportDecimal(Number(value), line.currency) })
  return [
    reportProviders[line.provider],
    line.lineKey,
    formatDay(line.occurredOn),
    lineKinds[line.kind].name,
    line.category,
    line.currency,
    amount(line.gross),
    amount(line.fee),
    amount(line.net),
    line.payoutReference ?? '',
    line.payoutOn ? formatDay(line.payoutOn) : '',
    orderNumber ?? '',
    lineStates[line.state],
    line.isByHand ? 'Yes' : '',
    line.description,
  ]
}
