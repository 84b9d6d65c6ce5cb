import { rm } from 'node:fs/promises'
import { Command, Option } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { Payout } from '#core/ledger/payouts.query.ts'
import type { Reconciliation } from '#core/reconciliation/get-reconciliation.query.ts'
import { formatReportDecimal } from '#core/reconciliation/report-amount.rules.ts'
import type { ReportView } from '#core/reconciliation/reports.query.ts'
import { publisherOf } from '../as-publisher.ts'
import { exitCodes, usageError } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'
import { type Column, printTable } from '../table.ts'
import { publisherFlag } from './ledger-flags.ts'

interface ReconcileFlags {
  publisher?: string
  provider?: 'stripe' | 'paypal'
  dryRun?: boolean
}

export function ledgerReconcileCommand(cli: Cli): Command {
  return describe(new Command('reconcile'), {
    summary: 'Read a report of Stripe or PayPal and match it to the ledger',
    details:
      'Stripe: the itemised payout reconciliation, balance or payouts report. PayPal: the\n' +
      'activity download or the settlement report. Columns are found by their names; a line\n' +
      'that was read before changes nothing. Prints what each payout was made of; when piped,\n' +
      'a line per payout: provider, payout, day, currency, paid out, matched, fees, internal\n' +
      'transfers, from balance, not matched, difference. Exit code 1 if something is not\n' +
      'explained, 3 if rows could not be read.',
    examples: [
      ['a report', 'subscriptions ledger reconcile october.csv --publisher p@example.com'],
      ['only see what it would do', 'subscriptions ledger reconcile october.csv --publisher p@example.com --dry-run'],
      ['as JSON, in minor units', 'subscriptions ledger reconcile october.csv --publisher p@example.com --json'],
    ],
    exits: ['failed', 'rejects', 'missing', 'conflict'],
  })
    .usage('<file|-> --publisher <email> [flags]')
    .argument('[file]', 'the CSV file, or - for stdin')
    .option(...publisherFlag)
    .addOption(
      new Option('--provider <provider>', 'the provider (default: detected by the columns)').choices([
        'stripe',
        'paypal',
      ]),
    )
    .option(...flags.dryRun)
    .action(
      action<ReconcileFlags>(cli, async ({ as, publisher, provider, dryRun = false }, [argument]) => {
        const who = publisherOf({ as, publisher })
        if (who === undefined) throw usageError('no publisher given', 'specify it: --publisher <email>')
        const { cliOutput } = cli
        const { findInput, namedInput, spoolStdin } = await import('../input-file.ts')
        const source = await findInput(cliOutput, namedInput(argument, undefined))
        const [
          { withSession },
          { withDryRun },
          { makeProgress },
          { readReportFile, dryRunReport },
          { getReconciliation },
        ] = await Promise.all([
          import('../session.ts'),
          import('../with-dry-run.ts'),
          import('../progress.ts'),
          import('#core/reconciliation/store-report.ts'),
          import('#core/reconciliation/get-reconciliation.query.ts'),
        ])
        return withSession(cliOutput, { as: who }, async (session) => {
          const { ctx } = session
          const file = source === 'stdin' ? await spoolStdin(cliOutput, session.env.dataDir) : source
          const progress = makeProgress(cliOutput, `Reading ${printable(file.fileName)}`, 'rows')
          const input = {
            file: file.path,
            fileName: file.fileName,
            provider,
            signal: cliOutput.io.signal,
            onProgress: (rows: number, total: number) => progress.update(rows, total),
          }
          try {
            const { report, result } = await withDryRun(ctx, dryRun, async () => ({
              report: await (dryRun ? dryRunReport : readReportFile)(ctx, input).finally(() => progress.end()),
              result: await getReconciliation(ctx, {}),
            }))
            if (cliOutput.flags.json) await cliOutput.json({ report, ...result, dryRun })
            else await printResult(cliOutput, report, result, dryRun)
            if (result.unmatchedSums.length > 0 || result.unreconciled > 0) return exitCodes.failed.code
            return report.failed > 0 ? exitCodes.rejects.code : exitCodes.done.code
          } finally {
            if (file.isSpooled) await rm(file.path, { force: true })
          }
        })
      }),
    )
}

const money = (header: string, amountOf: (row: Payout) => number): Column<Payout> => ({
  header,
  show: (row) => formatReportDecimal(amountOf(row), row.currency),
  align: 'right',
})

const columns: readonly Column<Payout>[] = [
  { header: 'Provider', show: ({ provider }) => provider },
  { header: 'Payout', show: ({ reference }) => reference },
  { header: 'Day', show: ({ paidOn }) => formatDay(paidOn), raw: ({ paidOn }) => paidOn },
  { header: 'Currency', show: ({ currency }) => currency },
  money('Paid out', ({ amount }) => amount),
  money('Matched', ({ matched }) => matched),
  money('Fees', ({ fees }) => fees),
  money('Internal transfers', ({ moved }) => moved),
  money('From balance', ({ drawn }) => drawn),
  money('Not matched', ({ notMatched }) => notMatched),
  money('Difference', ({ missing }) => missing),
]

async function printResult(
  cliOutput: CliOutput,
  report: ReportView,
  { payouts, unmatchedSums, unreportedSums, unreconciled, waiting }: Reconciliation,
  dryRun: boolean,
): Promise<void> {
  await cliOutput.confirm(
    dryRun
      ? `Would read ${countOf(report.added, 'new line')} of ${printable(report.fileName)}; nothing was changed`
      : `${cliOutput.out.done} Read ${countOf(report.added, 'new line')} of ${printable(report.fileName)}`,
  )
  if (cliOutput.flags.quiet) {
    for (const { currency, count, amount } of unmatchedSums)
      cliOutput.warn(`${countOf(count, 'line')} not matched: ${formatReportDecimal(amount, currency)} ${currency}`)
    if (unreconciled > 0) cliOutput.warn(`${countOf(unreconciled, 'payout')} not explained`)
    const [first] = report.rejects
    const example = first ? ` (first on line ${formatCount(first.line)}: ${printable(first.reason)})` : ''
    if (report.failed > 0) cliOutput.warn(`${countOf(report.failed, 'row')} could not be read${example}`)
  }
  const sums = (list: readonly { currency: string; count: number; amount: number }[]) =>
    list
      .map(({ currency, count, amount }) => `${count}: ${formatReportDecimal(amount, currency)} ${currency}`)
      .join(', ')
  cliOutput.say(
    labelled([
      ['Already read', formatCount(report.alreadyRead)],
      ['Ignored', formatCount(report.ignored)],
      ['Rejected', formatCount(report.failed)],
      ['Not matched', sums(unmatchedSums) || 'none'],
      ['In no report', sums(unreportedSums) || 'none'],
      [
        'Not paid out yet',
        waiting
          .map(({ lines, net, currency }) => `${lines}: ${formatReportDecimal(net, currency)} ${currency}`)
          .join(', ') || 'none',
      ],
    ]),
  )
  for (const { line, reason } of report.rejects.slice(0, 10))
    cliOutput.say(`  line ${formatCount(line)}: ${printable(reason)}`)
  if (report.failed > 10) cliOutput.say(`  and ${formatCount(report.failed - 10)} more`)
  if (payouts.length > 0) await printTable(cliOutput, payouts, columns)
}
