import { Command } from 'commander'
import type { ScheduleRow } from '#core/ledger/schedule.query.ts'
import { action, type Cli, flags, formerFlag } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { amountColumn, type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

const scheduleColumns: readonly Column<ScheduleRow>[] = [
  { header: 'Month', show: ({ month }) => month },
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Publication', show: ({ publicationName }) => publicationName },
  { header: 'Product', show: ({ product }) => product ?? 'back issues' },
  amountColumn('Opening', (row) => row.opening),
  amountColumn('Taken over', (row) => row.takenOver),
  amountColumn('Sold', (row) => row.sold),
  amountColumn('Refunded', (row) => row.refunded),
  amountColumn('Earned', (row) => row.earned),
  amountColumn('Closing', (row) => row.closing),
  { header: 'Closed', show: ({ closedOn, closedBy }) => (closedOn === null ? null : `${closedOn} by ${closedBy}`) },
]

export function ledgerScheduleCommand(cli: Cli): Command {
  return describe(new Command('schedule'), {
    summary: 'Deferred revenue by month: opening, sold, earned, closing',
    details:
      'Per title, currency and product. Without --from and --to the last twelve months; a\n' +
      'future month shows what will be earned. When piped: one line each, tab-separated,\n' +
      'without a header row, in the order of the columns. A closed month has its frozen\n' +
      'figures; its line ends with when and by whom it was closed.',
    examples: [
      ['the last twelve months', 'subscriptions ledger schedule --publisher p@example.com'],
      ['the next year', 'subscriptions ledger schedule --publisher p@example.com --to 2027-12'],
      ['as JSON, in minor units', 'subscriptions ledger schedule --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option(...flags.publication)
    .option('--from <month>', 'the first month, such as 2026-01')
    .option('--to <month>', 'the last month, included')
    .addOption(formerFlag('--until <month>'))
    .action(
      action<LedgerFlags & { from?: string; to?: string; until?: string }>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx, publicationId }) => {
          const { ledgerSchedule } = await import('#core/ledger/schedule.query.ts')
          const { from, until: former, to: until = former } = options
          const { rows } = await withFlagErrors(
            { from: '--from', until: '--to' },
            'subscriptions ledger schedule',
            () => ledgerSchedule(ctx, { publicationId, from, until }),
          )
          if (cli.cliOutput.flags.json) await cli.cliOutput.json(rows)
          else if (rows.length === 0) cli.cliOutput.say('Nothing was sold or owed in these months')
          else await printTable(cli.cliOutput, rows, scheduleColumns)
        }),
      ),
    )
}
