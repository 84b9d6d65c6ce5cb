import { Command } from 'commander'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { formatRate } from '#core/vat/vat-rates.rules.ts'
import type { VatReportRow } from '#core/vat/vat-report.query.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { amountColumn, type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

const vatColumns: readonly Column<VatReportRow>[] = [
  { header: 'Scheme', show: ({ scheme }) => scheme },
  { header: 'Country', show: ({ country }) => country || null },
  { header: 'Rate %', show: ({ rate }) => formatRate(rate), align: 'right' },
  { header: 'Supply', show: ({ supply }) => supply },
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Lines', show: ({ count }) => count, align: 'right' },
  amountColumn('Net', (row) => row.net),
  amountColumn('VAT', (row) => row.vat),
  amountColumn('Gross', (row) => row.gross),
  {
    header: 'VAT in pounds',
    show: ({ vatGbp }) => (vatGbp === null ? 'not set' : formatMinorUnits(vatGbp)),
    align: 'right',
  },
]

interface VatFlags extends LedgerFlags {
  quarter?: string
  from?: string
  to?: string
  fill?: boolean
  dryRun?: boolean
}

export function ledgerVatCommand(cli: Cli): Command {
  return describe(new Command('vat'), {
    summary: 'VAT of a quarter: net, VAT and gross by scheme, country, rate and kind of supply',
    details:
      'Refunds count on the day they are made. Without --quarter or --from: the current quarter,\n' +
      "by the VAT quarters in the publisher's settings. --fill first works out VAT that is not\n" +
      'set, where the rates have been set since; VAT already worked out is left unchanged.',
    examples: [
      ['a quarter', 'subscriptions ledger vat --publisher p@example.com --quarter 2026-Q4'],
      ['a range of days', 'subscriptions ledger vat --publisher p@example.com --from 01/10/2026 --to 31/10/2026'],
      ['work out VAT that is not set', 'subscriptions ledger vat --publisher p@example.com --fill'],
      ['as JSON, in minor units', 'subscriptions ledger vat --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option('--quarter <quarter>', 'such as 2026-Q4')
    .option('--from <day>', 'the first day')
    .option('--to <day>', 'the last day, included')
    .option('--fill', 'first work out VAT that is not set')
    .option(...flags.dryRun)
    .action(
      action<VatFlags>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ vatReport }, { fillVat }, { withDryRun }] = await Promise.all([
            import('#core/vat/vat-report.query.ts'),
            import('#core/ledger/fill-vat.ts'),
            import('../with-dry-run.ts'),
          ])
          const { quarter, from, to, fill, dryRun = false } = options
          const read = () =>
            withFlagErrors({ quarter: '--quarter', from: '--from', until: '--to' }, 'subscriptions ledger vat', () =>
              vatReport(ctx, { quarter, from, until: to }),
            )
          // Read first: a wrong flag is refused before anything is written.
          let report = await read()
          let filled: { dryRun: boolean; filledOrders: number } | undefined
          if (fill) {
            const result = await withDryRun(ctx, dryRun, async () => {
              const { orders } = await fillVat(ctx, {})
              return { orders, report: await read() }
            })
            report = result.report
            filled = { dryRun, filledOrders: result.orders }
            cliOutput.say(`${dryRun ? 'Would work' : 'Worked'} out the VAT of ${countOf(result.orders, 'order')}`)
          }
          if (cliOutput.flags.json) return cliOutput.json({ ...report, ...filled })
          if (report.rows.length > 0) await printTable(cliOutput, report.rows, vatColumns)
          else cliOutput.say('No sales or refunds with VAT in this period')
          const { box1, box6 } = report.boxes
          cliOutput.say(`UK return: box 1 ${formatMinorUnits(box1)}, box 6 ${formatMinorUnits(box6)}`)
          if (report.notSetCount > 0)
            cliOutput.warn(
              `VAT is not set for ${countOf(report.notSetCount, 'line')}: check the VAT rates, then run this with --fill`,
            )
        }),
      ),
    )
}
