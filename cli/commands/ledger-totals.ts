import { Command } from 'commander'
import type { LedgerTotals } from '#core/ledger/ledger-totals.query.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { amountColumn, type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

const totalsColumns: readonly Column<LedgerTotals & { currency: string }>[] = [
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Orders', show: ({ orders }) => orders, align: 'right' },
  amountColumn('Amount', (row) => row.amount),
  amountColumn('Refunded', (row) => row.refunded),
  amountColumn('Net', (row) => row.net),
  amountColumn('Fulfilled', (row) => row.fulfilled),
  amountColumn('Liability', (row) => row.liability),
  amountColumn('Opening', (row) => row.openingLiability),
]

export function ledgerTotalsCommand(cli: Cli): Command {
  return describe(new Command('totals'), {
    summary: 'What was sold, refunded, fulfilled and is owed, per currency',
    details:
      'At the end of today, or of another day with --as-of. Opening is what is still owed of\n' +
      'the opening balances, in addition to the liability of orders. When piped: one line per\n' +
      'currency, tab-separated, without a header row: currency, orders, amount, refunded, net, fulfilled,\n' +
      'liability, opening.',
    examples: [
      ['today', 'subscriptions ledger totals --publisher p@example.com'],
      ['at a year end', 'subscriptions ledger totals --publisher p@example.com --as-of 31/12/2026'],
      ['as JSON, in minor units', 'subscriptions ledger totals --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option(...flags.publication)
    .option('--as-of <date>', 'at the end of this day, as DD/MM/YYYY')
    .action(
      action<LedgerFlags & { asOf?: string }>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx, publicationId }) => {
          const { ledgerTotals } = await import('#core/ledger/ledger-totals.query.ts')
          const totals = await withFlagErrors({ asOf: '--as-of' }, 'subscriptions ledger totals', () =>
            ledgerTotals(ctx, { publicationId, asOf: options.asOf }),
          )
          if (cli.cliOutput.flags.json) await cli.cliOutput.json(totals)
          else
            await printTable(
              cli.cliOutput,
              Object.entries(totals).map(([currency, sums]) => ({ currency, ...sums })),
              totalsColumns,
            )
        }),
      ),
    )
}
