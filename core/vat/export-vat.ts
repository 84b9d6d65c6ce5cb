import { recordAudit } from '../audit/record-audit.ts'
import { type DownloadFile, textChunks } from '../downloads/download-file.ts'
import { byteOrderMark, type CsvCell, csvText } from '../kernel/csv-text.ts'
import { formatMinorUnits } from '../kernel/money.ts'
import { requirePublisherId } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { formatRate, schemeNames, supplyNames } from './vat-rates.rules.ts'
import { VatReportInput, type VatReportRow, vatReport } from './vat-report.query.ts'

const header = [
  'Scheme',
  'Country',
  'Rate %',
  'Supply',
  'Currency',
  'Lines',
  'Net',
  'VAT',
  'Gross',
  'Net in pounds',
  'VAT in pounds',
]

/** The VAT report as a CSV: the rows of the page. */
export const exportVat = useCase({
  permission: 'ledger:vat',
  input: VatReportInput,
  async run(ctx, input): Promise<DownloadFile> {
    const { rows, quarter, from, until } = await vatReport(ctx, input)
    const subject = { type: 'sales-ledger', id: null, publisherId: requirePublisherId(ctx) } as const
    await recordAudit(ctx, 'export-vat', subject, { from, until })
    const text = byteOrderMark + csvText([header, ...rows.map(cellsOf)])
    return { fileName: `VAT_${quarter ?? `${from}_${until}`}.csv`, chunks: textChunks(text) }
  },
})

function cellsOf({ scheme, country, rate, supply, currency, count, ...row }: VatReportRow): CsvCell[] {
  const money = (amount: number | null): CsvCell => (amount === null ? 'not set' : { number: formatMinorUnits(amount) })
  return [
    schemeNames[scheme],
    country,
    { number: formatRate(rate) },
    supplyNames[supply],
    currency,
    { number: String(count) },
    money(row.net),
    money(row.vat),
    money(row.gross),
    money(row.netGbp),
    money(row.vatGbp),
  ]
}
