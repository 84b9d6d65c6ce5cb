import { Command, Option } from 'commander'
import { countOf } from '#core/kernel/counted.ts'
import { printDay } from '#core/kernel/dates.ts'
import { printMinorUnits } from '#core/kernel/money.ts'
import type { CloseCheck } from '#core/ledger/close-checks.query.ts'
import type { JournalAccountRow } from '#core/ledger/journal-accounts.ts'
import type { JournalLayout } from '#core/ledger/journal-layouts.rules.ts'
import type { LedgerTotals } from '#core/ledger/ledger-totals.query.ts'
import type { LedgerMonth } from '#core/ledger/list-closes.query.ts'
import type { ScheduleRow } from '#core/ledger/schedule.query.ts'
import type { ClosedMonthDifference } from '#core/ledger/verify-closed-months.ts'
import type { LedgerDifference } from '#core/ledger/verify-ledger.ts'
import { printRate } from '#core/vat/vat-rates.rules.ts'
import type { VatReportRow } from '#core/vat/vat-report.query.ts'
import { exitCodes, wrongUse } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { byFlags } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { ledgerReconcileCommand } from './ledger-reconcile.ts'

interface LedgerFlags {
  publisher?: string
  publication?: string
}

const publisherFlag = ['--publisher <email>', 'whose ledger, by the email of the publisher'] as const
const amount = <Row>(head: string, of: (row: Row) => number): Column<Row> => ({
  head,
  show: (row) => printMinorUnits(of(row)),
  align: 'right',
})

export function ledgerCommand(cli: Cli): Command {
  return groupCommand(cli, 'ledger', {
    summary: 'Sums, deferred revenue, month close and journals',
    usage: '<command>',
    examples: [
      [
        'what is owed to readers at a year end',
        'subscriptions ledger totals --publisher p@example.com --as-of 31/12/2026',
      ],
      ['how it moved, month by month', 'subscriptions ledger schedule --publisher p@example.com --from 2026-01'],
      [
        'the journals of a month for Xero',
        'subscriptions ledger journal --publisher p@example.com --month 2026-10 --layout xero',
      ],
    ],
    exits: ['missing'],
  })
    .addCommand(totalsCommand(cli))
    .addCommand(scheduleCommand(cli))
    .addCommand(listCommand(cli))
    .addCommand(closeCommand(cli))
    .addCommand(reopenCommand(cli))
    .addCommand(journalCommand(cli))
    .addCommand(accountsCommand(cli))
    .addCommand(vatCommand(cli))
    .addCommand(exportCommand(cli))
    .addCommand(verifyCommand(cli))
    .addCommand(ledgerReconcileCommand(cli))
}

const totalsColumns: readonly Column<LedgerTotals & { currency: string }>[] = [
  { head: 'Currency', show: ({ currency }) => currency },
  { head: 'Orders', show: ({ orders }) => orders, align: 'right' },
  amount('Amount', (row) => row.amount),
  amount('Refunded', (row) => row.refunded),
  amount('Net', (row) => row.net),
  amount('Fulfilled', (row) => row.fulfilled),
  amount('Liability', (row) => row.liability),
]

function totalsCommand(cli: Cli): Command {
  return describe(new Command('totals'), {
    summary: 'What was sold, refunded, fulfilled and is owed, per currency',
    details:
      'At the end of today, or of another day with --as-of. In a pipe: a line per currency,\n' +
      'tab-separated, without heads: currency, orders, amount, refunded, net, fulfilled, liability.',
    examples: [
      ['today', 'subscriptions ledger totals --publisher p@example.com'],
      ['at a year end', 'subscriptions ledger totals --publisher p@example.com --as-of 31/12/2026'],
      ['for a program, in whole pence', 'subscriptions ledger totals --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option(...flags.publication)
    .option('--as-of <date>', 'at the end of this day, as DD/MM/YYYY')
    .action(
      action<LedgerFlags & { asOf?: string }>(cli, (given) =>
        inLedger(cli, given, async ({ ctx, publicationId }) => {
          const { ledgerTotals } = await import('#core/ledger/ledger-totals.query.ts')
          const totals = await byFlags({ asOf: '--as-of' }, 'subscriptions ledger totals', () =>
            ledgerTotals(ctx, { publicationId, asOf: given.asOf }),
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

const scheduleColumns: readonly Column<ScheduleRow>[] = [
  { head: 'Month', show: ({ month }) => month },
  { head: 'Currency', show: ({ currency }) => currency },
  { head: 'Publication', show: ({ publicationName }) => publicationName },
  { head: 'Product', show: ({ product }) => product ?? 'back issues' },
  amount('Opening', (row) => row.opening),
  amount('Sold', (row) => row.sold),
  amount('Refunded', (row) => row.refunded),
  amount('Earned', (row) => row.earned),
  amount('Closing', (row) => row.closing),
  { head: 'Closed', show: ({ closedOn, closedBy }) => (closedOn === null ? null : `${closedOn} by ${closedBy}`) },
]

function scheduleCommand(cli: Cli): Command {
  return describe(new Command('schedule'), {
    summary: 'Deferred revenue by month: opening, sold, refunded, earned, closing',
    details:
      'Per title, currency and product. Without --from and --until the last twelve months; a\n' +
      'month to come shows what is going to be earned. In a pipe: a line each, tab-separated,\n' +
      'without heads, in the order of the columns. A closed month has the figures that were\n' +
      'frozen, and at the end of its line when and by whom.',
    examples: [
      ['the last twelve months', 'subscriptions ledger schedule --publisher p@example.com'],
      ['the next year', 'subscriptions ledger schedule --publisher p@example.com --until 2027-12'],
      ['for a program, in whole pence', 'subscriptions ledger schedule --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option(...flags.publication)
    .option('--from <month>', 'the first month, such as 2026-01')
    .option('--until <month>', 'the last month, which counts')
    .action(
      action<LedgerFlags & { from?: string; until?: string }>(cli, (given) =>
        inLedger(cli, given, async ({ ctx, publicationId }) => {
          const { ledgerSchedule } = await import('#core/ledger/schedule.query.ts')
          const { from, until } = given
          const { rows } = await byFlags({ from: '--from', until: '--until' }, 'subscriptions ledger schedule', () =>
            ledgerSchedule(ctx, { publicationId, from, until }),
          )
          if (cli.cliOutput.flags.json) await cli.cliOutput.json(rows)
          else if (rows.length === 0) cli.cliOutput.say('Nothing was sold or owed in these months')
          else await printTable(cli.cliOutput, rows, scheduleColumns)
        }),
      ),
    )
}

interface ListedMonth extends LedgerMonth {
  differences: ClosedMonthDifference[]
}

const monthColumns: readonly Column<ListedMonth>[] = [
  { head: 'Month', show: ({ month }) => month },
  { head: 'State', show: ({ state }) => state },
  {
    head: 'Closed',
    show: ({ state, closes }) => {
      const last = closes.at(-1)
      return state === 'closed' && last ? `${last.closedAt.toISOString().slice(0, 10)} by ${last.closedBy}` : null
    },
  },
  { head: 'Reopened', show: ({ closes }) => closes.filter(({ reopenedAt }) => reopenedAt !== null).length || null },
  {
    head: 'Check',
    show: ({ state, differences }) =>
      state !== 'closed' ? null : differences.length === 0 ? 'agrees' : countOf(differences.length, 'difference'),
  },
]

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the months of a ledger: open or closed, and by whom',
    details:
      'Newest first. The frozen figures of each closed month are compared with those of the\n' +
      'ledger; with a difference the command ends with 1. In a pipe: month, state, closed,\n' +
      'times reopened, check.',
    examples: [
      ['the months', 'subscriptions ledger list --publisher p@example.com'],
      [
        'does everything closed still agree?',
        'subscriptions ledger list --publisher p@example.com && echo "all agree"',
      ],
      ['for a program', 'subscriptions ledger list --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .action(
      action<LedgerFlags>(cli, async (given) => {
        let exit = 0
        await inLedger(cli, given, async ({ ctx }) => {
          const [{ listCloses }, { closedMonthDifferences }, { onePublisher }] = await Promise.all([
            import('#core/ledger/list-closes.query.ts'),
            import('#core/ledger/verify-closed-months.ts'),
            import('#core/publications/own-publication.ts'),
          ])
          const { months } = await listCloses(ctx, {})
          const differences = await closedMonthDifferences(ctx, { publisherId: onePublisher(ctx) })
          if (differences.length > 0) exit = 1
          const rows = months.map((row) => ({
            ...row,
            differences: differences.filter(({ month }) => month === row.month),
          }))
          if (cli.cliOutput.flags.json) await cli.cliOutput.json(rows)
          else await printTable(cli.cliOutput, rows, monthColumns)
        })
        return exit
      }),
    )
}

const checkColumns: readonly Column<CloseCheck>[] = [
  { head: 'To look at first', show: ({ label }) => label },
  { head: 'Found', show: ({ found }) => found, align: 'right' },
  { head: 'Orders', show: ({ examples }) => examples.map(({ orderNumber }) => orderNumber).join(' ') || null },
]

function closeCommand(cli: Cli): Command {
  return describe(new Command('close'), {
    summary: 'Close a month of a ledger: its figures are frozen',
    details:
      'For all titles and currencies. Months are closed after their last day and in their\n' +
      'order; the first close may begin with any of them. What comes later for a closed month\n' +
      'is entered on the first open day. --dry-run says what should be looked at first, and\n' +
      'changes nothing. A month that is closed already stays as it is.',
    examples: [
      ['what is to be looked at', 'subscriptions ledger close --publisher p@example.com --month 2026-10 --dry-run'],
      ['close it', 'subscriptions ledger close --publisher p@example.com --month 2026-10'],
      ['for a program', 'subscriptions ledger close --publisher p@example.com --month 2026-10 --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption('--month <month>', 'the month, such as 2026-10')
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { month: string; dryRun?: boolean }>(cli, (given) =>
        inLedger(cli, given, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ closeMonth }, { listCloses }, { rehearse }] = await Promise.all([
            import('#core/ledger/close-month.ts'),
            import('#core/ledger/list-closes.query.ts'),
            import('../rehearse.ts'),
          ])
          const { checks } = await listCloses(ctx, { month: given.month })
          const closed = await byFlags({ month: '--month' }, 'subscriptions ledger close', () =>
            rehearse(ctx, given.dryRun ?? false, () => closeMonth(ctx, { month: given.month })),
          )
          if (cliOutput.flags.json) return cliOutput.json({ ...closed, checks, isDryRun: given.dryRun ?? false })
          const { month, isNew } = closed
          if (!isNew) return cliOutput.say(`${month} was closed before`)
          const open = checks.filter(({ found }) => found > 0)
          if (open.length > 0) await printTable(cliOutput, open, checkColumns)
          cliOutput.say(given.dryRun ? `${month} would be closed` : `${cliOutput.err.done} ${month} is closed`)
        }),
      ),
    )
}

function reopenCommand(cli: Cli): Command {
  return describe(new Command('reopen'), {
    summary: 'Open the last closed month of a ledger again',
    details:
      'Its figures are those of the ledger again and may change. Who did it and why is kept in\n' +
      'the activity log. Only the publisher may, not its staff.',
    examples: [
      [
        'with the reason',
        'subscriptions ledger reopen --publisher p@example.com --month 2026-10 --reason "late refunds"',
      ],
      ['would it?', 'subscriptions ledger reopen --publisher p@example.com --month 2026-10 --reason late --dry-run'],
      ['for a program', 'subscriptions ledger reopen --publisher p@example.com --month 2026-10 --reason late --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption('--month <month>', 'the last closed month, such as 2026-10')
    .requiredOption('--reason <text>', 'why, for the activity log')
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { month: string; reason: string; dryRun?: boolean }>(cli, (given) =>
        inLedger(cli, given, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ reopenMonth }, { rehearse }] = await Promise.all([
            import('#core/ledger/close-month.ts'),
            import('../rehearse.ts'),
          ])
          const { month, isNew } = await byFlags(
            { month: '--month', reason: '--reason' },
            'subscriptions ledger reopen',
            () =>
              rehearse(ctx, given.dryRun ?? false, () =>
                reopenMonth(ctx, { month: given.month, reason: given.reason }),
              ),
          )
          if (cliOutput.flags.json) return cliOutput.json({ month, isNew, isDryRun: given.dryRun ?? false })
          if (!isNew) return cliOutput.say(`${month} was opened again before`)
          cliOutput.say(given.dryRun ? `${month} would be open again` : `${cliOutput.err.done} ${month} is open again`)
        }),
      ),
    )
}

function journalCommand(cli: Cli): Command {
  return describe(new Command('journal'), {
    summary: 'Write the journals of a month for a bookkeeping program',
    details:
      'One journal per title and currency, one file per currency, in the current directory or\n' +
      'that of --directory. Xero, QuickBooks Online and Sage 50 need the account codes that\n' +
      '`subscriptions ledger accounts` sets. --json prints the journals and writes no file.',
    examples: [
      ['for Xero', 'subscriptions ledger journal --publisher p@example.com --month 2026-10 --layout xero'],
      ['as a plain CSV', 'subscriptions ledger journal --publisher p@example.com --month 2026-10'],
      ['for a program', 'subscriptions ledger journal --publisher p@example.com --month 2026-10 --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption('--month <month>', 'the month, such as 2026-10')
    .addOption(
      new Option('--layout <layout>', 'the program').choices(['xero', 'quickbooks', 'sage', 'plain']).default('plain'),
    )
    .option('--directory <directory>', 'where the files go', '.')
    .action(
      action<LedgerFlags & { month: string; layout: JournalLayout; directory: string }>(cli, (given) =>
        inLedger(cli, given, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ makeJournal }, output, { resolve }] = await Promise.all([
            import('#core/ledger/make-journal.ts'),
            import('../save-output.ts'),
            import('node:path'),
          ])
          const made = await byFlags({ month: '--month', layout: '--layout' }, 'subscriptions ledger journal', () =>
            makeJournal(ctx, { month: given.month, layout: given.layout }),
          )
          if (made.closed) cliOutput.say(`${made.month} was closed on ${made.closed.on} by ${made.closed.by}`)
          if (made.isRunning) cliOutput.warn(`${made.month} is not over: what is still sold in it is missing`)
          if (cliOutput.flags.json) return cliOutput.json(made.journals)
          if (made.files.length === 0) return cliOutput.say(`Nothing happened in ${made.month}`)
          for (const { fileName, text } of made.files) {
            const target = {
              kind: 'file' as const,
              path: resolve(cliOutput.io.cwd, given.directory, fileName),
              isAskedFor: false,
            }
            await output.checkTarget(target)
            await output.saveOutput(cliOutput, target, onePiece(text))
            cliOutput.say(`${cliOutput.err.done} ${target.path}`)
          }
          cliOutput.say(`${countOf(made.journals.length, 'journal')} of ${made.month}`)
        }),
      ),
    )
}

async function* onePiece(text: string): AsyncGenerator<string> {
  yield text
}

const accountColumns: readonly Column<JournalAccountRow>[] = [
  { head: 'Account', show: ({ account }) => account },
  { head: 'Code', show: ({ code }) => code || null },
  { head: 'What it is', show: ({ name }) => name },
]

function accountsCommand(cli: Cli): Command {
  return describe(new Command('accounts'), {
    summary: 'Show or set what the books of a publisher call the accounts of journals',
    details:
      'A code is what the bookkeeping program knows the account by: a number in Xero and\n' +
      'Sage 50, a name in QuickBooks Online. An empty one is taken away.',
    examples: [
      ['show them', 'subscriptions ledger accounts --publisher p@example.com'],
      ['take one away', 'subscriptions ledger accounts fees= --publisher p@example.com'],
      ['set two of them', 'subscriptions ledger accounts sales=200 deferred=850 --publisher p@example.com'],
    ],
    exits: ['missing'],
  })
    .argument('[account=code...]', 'the codes to set')
    .option(...publisherFlag)
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { dryRun?: boolean }>(cli, (given, args) =>
        inLedger(cli, given, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ listJournalAccounts, setJournalAccounts }, { rehearse }] = await Promise.all([
            import('#core/ledger/journal-accounts.ts'),
            import('../rehearse.ts'),
          ])
          const known = await listJournalAccounts(ctx, {})
          const setThem = async () => {
            const names = known.map(({ account }) => account)
            const codes = codesOf(args, names)
            await byFlags({ codes: 'account=code' }, 'subscriptions ledger accounts', () =>
              setJournalAccounts(ctx, { codes }),
            )
            return listJournalAccounts(ctx, {})
          }
          const rows = args.length === 0 ? known : await rehearse(ctx, given.dryRun ?? false, setThem)
          if (cliOutput.flags.json) await cliOutput.json(rows)
          else await printTable(cliOutput, rows, accountColumns)
        }),
      ),
    )
}

const vatColumns: readonly Column<VatReportRow>[] = [
  { head: 'Scheme', show: ({ scheme }) => scheme },
  { head: 'Country', show: ({ country }) => country || null },
  { head: 'Rate %', show: ({ rate }) => printRate(rate), align: 'right' },
  { head: 'Supply', show: ({ supply }) => supply },
  { head: 'Currency', show: ({ currency }) => currency },
  { head: 'Lines', show: ({ count }) => count, align: 'right' },
  amount('Net', (row) => row.net),
  amount('VAT', (row) => row.vat),
  amount('Gross', (row) => row.gross),
  {
    head: 'VAT in pounds',
    show: ({ vatGbp }) => (vatGbp === null ? 'not set' : printMinorUnits(vatGbp)),
    align: 'right',
  },
]

interface VatFlags extends LedgerFlags {
  quarter?: string
  from?: string
  to?: string
  fill?: boolean
}

function vatCommand(cli: Cli): Command {
  return describe(new Command('vat'), {
    summary: 'VAT of a quarter: net, VAT and gross by scheme, country, rate and kind of supply',
    details:
      'Refunds count on the day they are made. Without --quarter and --from the running quarter,\n' +
      'by the months that the publisher has set. --fill first works out what is not set, as far\n' +
      'as rates are set by now; what has its VAT stays as it is.',
    examples: [
      ['a quarter', 'subscriptions ledger vat --publisher p@example.com --quarter 2026-Q4'],
      ['any days', 'subscriptions ledger vat --publisher p@example.com --from 01/10/2026 --to 31/10/2026'],
      ['fill what was not set', 'subscriptions ledger vat --publisher p@example.com --fill'],
      ['for a program, in whole pence', 'subscriptions ledger vat --publisher p@example.com --json'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option('--quarter <quarter>', 'such as 2026-Q4')
    .option('--from <day>', 'the first day')
    .option('--to <day>', 'the last day, which counts')
    .option('--fill', 'work out what is not set first')
    .action(
      action<VatFlags>(cli, (given) =>
        inLedger(cli, given, async ({ ctx }) => {
          const { cliOutput } = cli
          const { vatReport } = await import('#core/vat/vat-report.query.ts')
          if (given.fill) {
            const { fillVat } = await import('#core/ledger/fill-vat.ts')
            const { orders } = await fillVat(ctx, {})
            cliOutput.say(`VAT of ${countOf(orders, 'order')} filled`)
          }
          const { quarter, from, to } = given
          const report = await byFlags(
            { quarter: '--quarter', from: '--from', until: '--to' },
            'subscriptions ledger vat',
            () => vatReport(ctx, { quarter, from, until: to }),
          )
          if (cliOutput.flags.json) return cliOutput.json(report)
          if (report.rows.length > 0) await printTable(cliOutput, report.rows, vatColumns)
          else cliOutput.say('No sale or refund of these days has its VAT')
          const { box1, box6 } = report.boxes
          cliOutput.say(`UK return: box 1 ${printMinorUnits(box1)}, box 6 ${printMinorUnits(box6)}`)
          if (report.notSetCount > 0) cliOutput.warn(`${countOf(report.notSetCount, 'line')} not set`)
        }),
      ),
    )
}

function codesOf(args: readonly string[], known: readonly string[]): Record<string, string> {
  const pairs = args.map((arg) => {
    const at = arg.indexOf('=')
    const account = arg.slice(0, at)
    if (at < 1 || !known.includes(account))
      throw wrongUse(`"${arg}" sets no account`, `write account=code, the account one of ${known.join(', ')}`)
    return [account, arg.slice(at + 1)]
  })
  return Object.fromEntries(pairs)
}

interface ExportFlags extends LedgerFlags {
  from?: string
  to?: string
  by: 'ordered' | 'entered'
  asOf?: string
  find?: string
  output?: string
}

const exportFlags = { from: '--from', until: '--to', asOf: '--as-of', q: '--find', publicationId: '--publication' }

function exportCommand(cli: Cli): Command {
  return describe(new Command('export'), {
    summary: 'Write the orders of the sales ledger as CSV',
    details:
      'The file that Download All Orders makes, newest orders first. On a terminal it is saved in\n' +
      'the current directory; in a pipe or redirection it goes to stdout.',
    examples: [
      ['all orders', 'subscriptions ledger export --publisher p@example.com'],
      [
        'what was entered in a month, as it stood at its end',
        'subscriptions ledger export --publisher p@example.com --by entered --from 01/10/2026 --to 31/10/2026 --as-of 31/10/2026',
      ],
      ['through a pipe', 'subscriptions ledger export --publisher p@example.com | gzip > orders.csv.gz'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .option(...flags.publication)
    .option('--from <date>', 'from this day on, as DD/MM/YYYY')
    .option('--to <date>', 'until this day, which counts')
    .addOption(
      new Option('--by <day>', 'whether those are days of the order, or of its entries')
        .choices(['ordered', 'entered'])
        .default('ordered'),
    )
    .option('--as-of <date>', 'as the ledger stood at the end of this day')
    .option('--find <text>', 'orders with this name, number, title, product or amount')
    .option(...flags.output)
    .action(
      action<ExportFlags>(cli, (given) =>
        inLedger(cli, given, async ({ ctx, publicationId }) => {
          const { cliOutput } = cli
          const [{ exportOrders }, output] = await Promise.all([
            import('#core/ledger/export-orders.ts'),
            import('../save-output.ts'),
          ])
          const asked = output.outputTarget(cliOutput, given.output)
          const { from, to: until, by, asOf, find: q } = given
          const made = await byFlags(exportFlags, 'subscriptions ledger export', () =>
            exportOrders(ctx, { publicationId, from, until, by, asOf, q }),
          )
          const target = asked ?? output.usualTarget(cliOutput, made.fileName)
          await output.checkTarget(target)
          await output.saveOutput(cliOutput, target, made.chunks)
          const file = target.kind === 'file' ? target.path : null
          if (cliOutput.flags.json) await cliOutput.json({ file })
          else if (file) cliOutput.say(`${cliOutput.err.done} ${file}`)
        }),
      ),
    )
}

const differenceColumns: readonly Column<LedgerDifference>[] = [
  { head: 'Publisher', show: ({ publisherId }) => publisherId },
  { head: 'Publication', show: ({ publicationId }) => publicationId },
  { head: 'Currency', show: ({ currency }) => currency },
  { head: 'Product', show: ({ product }) => product || 'back issues' },
  { head: 'Day', show: ({ day }) => printDay(day) },
  ...(['sales', 'sold', 'refunded', 'earned'] as const).map((part): Column<LedgerDifference> => {
    const shown = (side: LedgerDifference['kept']) => {
      const value = side?.[part] ?? 0
      return part === 'sales' ? String(value) : printMinorUnits(value)
    }
    return {
      head: `${part}: kept, entered`,
      show: ({ kept, entered }) => `${shown(kept)}, ${shown(entered)}`,
      align: 'right',
    }
  }),
]

function verifyCommand(cli: Cli): Command {
  return describe(new Command('verify'), {
    summary: 'Compare the kept sums of the ledger with its entries',
    details:
      'Makes the sums anew from every entry, of one publisher or of all, and prints where they\n' +
      'differ from those that are kept. Ends with 1 where they do; --repair writes the new ones.',
    examples: [
      ['all publishers', 'subscriptions ledger verify'],
      ['one of them', 'subscriptions ledger verify --publisher p@example.com'],
      ['and put it right', 'subscriptions ledger verify --repair'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .option('--repair', 'write the sums that the entries give')
    .action(
      action<LedgerFlags & { repair?: boolean }>(cli, async ({ as, publisher, repair = false }) => {
        const { cliOutput } = cli
        const [{ withSession }, { verifyLedger }] = await Promise.all([
          import('../session.ts'),
          import('#core/ledger/verify-ledger.ts'),
        ])
        const who = as ?? publisher
        const verified = await withSession(cliOutput, who === undefined ? {} : { as: who }, ({ ctx }) =>
          verifyLedger(ctx, { repair }),
        )
        const { entries, different, differences, isRepaired } = verified
        if (cliOutput.flags.json) await cliOutput.json(verified)
        else if (different === 0)
          cliOutput.say(`${cliOutput.err.done} The kept sums are those of ${countOf(entries, 'entry', 'entries')}`)
        else {
          await printTable(cliOutput, differences, differenceColumns)
          const what = `${countOf(different, 'kept sum')} ${different === 1 ? 'differs' : 'differ'} from the entries`
          if (isRepaired) cliOutput.say(`${cliOutput.err.done} ${what}, and made anew`)
          else cliOutput.warn(`${what}. To make them anew: subscriptions ledger verify --repair`)
        }
        return different > 0 && !isRepaired ? exitCodes.failed.code : exitCodes.done.code
      }),
    )
}

/** Opens one publisher's ledger: who --publisher or --as names. The operator itself has none. */
async function inLedger(
  cli: Cli,
  { as, publisher, publication }: LedgerFlags & { as?: string },
  work: (session: {
    ctx: import('#core/context.ts').AppContext
    publicationId: number | undefined
  }) => Promise<unknown>,
): Promise<number> {
  const who = as ?? publisher
  if (who === undefined) throw wrongUse('say whose ledger', 'name the publisher: --publisher <email>')
  const [{ withSession }, { ownPublication }] = await Promise.all([
    import('../session.ts'),
    import('#core/publications/own-publication.ts'),
  ])
  await withSession(cli.cliOutput, { as: who }, async ({ ctx }) => {
    const own = publication === undefined ? undefined : await ownPublication(ctx, { urlKey: publication })
    await work({ ctx, publicationId: own?.id })
  })
  return 0
}
