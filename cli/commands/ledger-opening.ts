import { Command } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { exclusionReasons } from '#core/ledger/opening.rules.ts'
import type { OpeningFigures } from '#core/ledger/opening-readers.query.ts'
import { usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { amountColumn, type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

const sumColumns: readonly Column<OpeningFigures['sums'][number]>[] = [
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Product', show: ({ product }) => product },
  { header: 'Readers', show: ({ readers }) => readers, align: 'right' },
  amountColumn('Paid', (row) => row.paid),
  amountColumn('Owed', (row) => row.owed),
]

const excludedColumns: readonly Column<OpeningFigures['excluded'][number]>[] = [
  { header: 'Left out', show: ({ reason }) => exclusionReasons[reason] },
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Readers', show: ({ readers }) => readers, align: 'right' },
  amountColumn('Paid', (row) => row.paid),
]

interface OpeningFlags extends LedgerFlags {
  on?: string
  dryRun?: boolean
  undo?: boolean
}

export function ledgerOpeningCommand(cli: Cli): Command {
  return describe(new Command('opening'), {
    summary: 'Take over the opening balances of subscriptions sold in another system',
    details:
      'For a title from another system: of each reader whose term runs past the day and who has\n' +
      'no order here, the share of SubPaid for the whole months left. It is deferred revenue\n' +
      'from that day on, and earned month by month; it is not a sale. Once per title; --undo\n' +
      'reverses it as long as none of its months is closed. --dry-run shows the amounts.',
    examples: [
      [
        'the amounts',
        'subscriptions ledger opening --publisher p@example.com --publication gardener --on 30/09/2026 --dry-run',
      ],
      [
        'take them over',
        'subscriptions ledger opening --publisher p@example.com --publication gardener --on 30/09/2026',
      ],
      ['undo them', 'subscriptions ledger opening --publisher p@example.com --publication gardener --undo'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption(...flags.publication)
    .option('--on <date>', 'the day of the move, as DD/MM/YYYY, included')
    .option('--undo', 'undo the opening balances')
    .option(...flags.dryRun)
    .action(
      action<OpeningFlags>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx, publicationId }) => {
          const { cliOutput } = cli
          const { on, undo = false, dryRun = false } = options
          if (undo === (on !== undefined))
            throw usageError('either --on or --undo is needed', 'give --on <date>, or --undo')
          const [{ takeOverOpeningBalances, undoOpeningBalances }, { withDryRun }] = await Promise.all([
            import('#core/ledger/take-over-opening-balances.ts'),
            import('../with-dry-run.ts'),
          ])
          if (undo) {
            const undone = await withDryRun(ctx, dryRun, () => undoOpeningBalances(ctx, { publicationId }))
            if (cliOutput.flags.json) return cliOutput.json({ ...undone, dryRun })
            const what = `the opening balances of ${formatDay(undone.on)}, of ${countOf(undone.readers, 'reader')}`
            return cliOutput.summary(dryRun ? `Would undo ${what}` : `${cliOutput.err.done} Undone: ${what}`)
          }
          const result = await withFlagErrors({ on: '--on' }, 'subscriptions ledger opening', () =>
            withDryRun(ctx, dryRun, () => takeOverOpeningBalances(ctx, { publicationId, on })),
          )
          if (cliOutput.flags.json) return cliOutput.json({ ...result, dryRun })
          await printTable(cliOutput, result.sums, sumColumns)
          if (result.excluded.length > 0) await printTable(cliOutput, result.excluded, excludedColumns)
          if (result.longTerms > 0)
            cliOutput.warn(
              `${countOf(result.longTerms, 'reader')} with a term of more than two years: is SubStart the day that SubPaid counts from?`,
            )
          const what = `the balances of ${countOf(result.readers, 'reader')} on ${formatDay(result.on)}`
          return cliOutput.summary(dryRun ? `Would take over ${what}` : `${cliOutput.err.done} Took over ${what}`)
        }),
      ),
    )
}
