import { Command } from 'commander'
import { dayOf } from '#core/kernel/calendar.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { CloseCheck } from '#core/ledger/close-checks.query.ts'
import type { LedgerMonth } from '#core/ledger/get-month-closes.query.ts'
import type { ClosedMonthDifference } from '#core/ledger/verify-closed-months.ts'
import { exitCodes } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

interface ListedMonth extends LedgerMonth {
  differences: ClosedMonthDifference[]
}

const monthColumns = (timeZone: string): readonly Column<ListedMonth>[] => [
  { header: 'Month', show: ({ month }) => month },
  { header: 'Status', show: ({ state }) => state },
  {
    header: 'Closed',
    show: ({ state, closes }) => {
      const last = closes.at(-1)
      return state === 'closed' && last ? `${dayOf(last.closedAt, timeZone)} by ${last.closedBy}` : null
    },
  },
  { header: 'Reopened', show: ({ closes }) => closes.filter(({ reopenedAt }) => reopenedAt !== null).length || null },
  {
    header: 'Check',
    show: ({ state, differences }) =>
      state !== 'closed' ? null : differences.length === 0 ? 'agrees' : countOf(differences.length, 'difference'),
  },
]

export function ledgerListCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the months of a ledger: open or closed, and by whom',
    details:
      'Newest first. The frozen figures of each closed month are compared with the ledger;\n' +
      'exits with code 1 if there are differences. When piped: month, state, closed, times reopened, check.',
    examples: [
      ['the months', 'subscriptions ledger list --publisher p@example.com'],
      [
        'check that all closed months still agree',
        'subscriptions ledger list --publisher p@example.com && echo "all agree"',
      ],
      ['as JSON', 'subscriptions ledger list --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .action(
      action<LedgerFlags>(cli, async (options) => {
        let exit: number = exitCodes.done.code
        await withLedgerSession(cli, options, async ({ ctx }) => {
          const [{ getMonthCloses }, { closedMonthDifferences }, { requirePublisherId }] = await Promise.all([
            import('#core/ledger/get-month-closes.query.ts'),
            import('#core/ledger/verify-closed-months.ts'),
            import('#core/publications/own-publication.ts'),
          ])
          const { months } = await getMonthCloses(ctx, {})
          const differences = await closedMonthDifferences(ctx, { publisherId: requirePublisherId(ctx) })
          if (differences.length > 0) exit = exitCodes.failed.code
          const rows = months.map((row) => ({
            ...row,
            differences: differences.filter(({ month }) => month === row.month),
          }))
          if (cli.cliOutput.flags.json) await cli.cliOutput.json(rows)
          else await printTable(cli.cliOutput, rows, monthColumns(ctx.settings.timeZone))
        })
        return exit
      }),
    )
}

const checkColumns: readonly Column<CloseCheck>[] = [
  { header: 'Check first', show: ({ label }) => label },
  { header: 'Found', show: ({ found }) => found, align: 'right' },
  { header: 'Examples', show: ({ examples }) => examples.map(({ label }) => label).join(', ') || null },
]

export function ledgerCloseCommand(cli: Cli): Command {
  return describe(new Command('close'), {
    summary: 'Close a month of a ledger: its figures are frozen',
    details:
      'For all titles and currencies. A month can be closed after its last day. Months are\n' +
      'closed in order; the first month closed can be any month. Later entries for a closed month\n' +
      'are dated on the first open day. --dry-run lists what to check first, and changes\n' +
      'nothing. A month that is already closed is left unchanged.',
    examples: [
      [
        'what to check before closing',
        'subscriptions ledger close --publisher p@example.com --month 2026-10 --dry-run',
      ],
      ['close it', 'subscriptions ledger close --publisher p@example.com --month 2026-10'],
      ['as JSON', 'subscriptions ledger close --publisher p@example.com --month 2026-10 --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption('--month <month>', 'the month, such as 2026-10')
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { month: string; dryRun?: boolean }>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ closeMonth }, { getMonthCloses }, { withDryRun }] = await Promise.all([
            import('#core/ledger/close-month.ts'),
            import('#core/ledger/get-month-closes.query.ts'),
            import('../with-dry-run.ts'),
          ])
          const { checks } = await getMonthCloses(ctx, { month: options.month })
          const closed = await withFlagErrors({ month: '--month' }, 'subscriptions ledger close', () =>
            withDryRun(ctx, options.dryRun ?? false, () => closeMonth(ctx, { month: options.month })),
          )
          if (cliOutput.flags.json) return cliOutput.json({ ...closed, checks, dryRun: options.dryRun ?? false })
          const { month, isNew } = closed
          if (!isNew) return cliOutput.say(`${month} is already closed`)
          const open = checks.filter(({ found }) => found > 0)
          if (open.length > 0) await printTable(cliOutput, open, checkColumns)
          cliOutput.summary(options.dryRun ? `${month} would be closed` : `${cliOutput.err.done} ${month} is closed`)
        }),
      ),
    )
}

export function ledgerReopenCommand(cli: Cli): Command {
  return describe(new Command('reopen'), {
    summary: 'Reopen the last closed month of a ledger',
    details:
      'Its figures follow the ledger again and may change. Who reopened it and why is recorded\n' +
      'in the activity log. Only the publisher may reopen a month, not its staff.',
    examples: [
      [
        'with the reason',
        'subscriptions ledger reopen --publisher p@example.com --month 2026-10 --reason "late refunds"',
      ],
      [
        'see whether it would be reopened',
        'subscriptions ledger reopen --publisher p@example.com --month 2026-10 --reason late --dry-run',
      ],
      ['as JSON', 'subscriptions ledger reopen --publisher p@example.com --month 2026-10 --reason late --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption('--month <month>', 'the last closed month, such as 2026-10')
    .requiredOption('--reason <text>', 'why, for the activity log')
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { month: string; reason: string; dryRun?: boolean }>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ reopenMonth }, { withDryRun }] = await Promise.all([
            import('#core/ledger/close-month.ts'),
            import('../with-dry-run.ts'),
          ])
          const { month, isNew } = await withFlagErrors(
            { month: '--month', reason: '--reason' },
            'subscriptions ledger reopen',
            () =>
              withDryRun(ctx, options.dryRun ?? false, () =>
                reopenMonth(ctx, { month: options.month, reason: options.reason }),
              ),
          )
          if (cliOutput.flags.json) return cliOutput.json({ month, isNew, dryRun: options.dryRun ?? false })
          if (!isNew) return cliOutput.say(`${month} is already open`)
          cliOutput.summary(
            options.dryRun ? `${month} would be reopened` : `${cliOutput.err.done} ${month} is reopened`,
          )
        }),
      ),
    )
}
