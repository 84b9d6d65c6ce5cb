import { Command, Option } from 'commander'
import { textChunks } from '#core/downloads/download-file.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { JournalAccountRow } from '#core/ledger/journal-accounts.ts'
import type { JournalLayout } from '#core/ledger/journal-layouts.rules.ts'
import { usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

export function ledgerJournalCommand(cli: Cli): Command {
  return describe(new Command('journal'), {
    summary: 'Write the journals of a month for accounting software',
    details:
      'One journal per title and currency, one file per currency, in the current directory or\n' +
      'that of --directory. Xero, QuickBooks Online and Sage 50 need the account codes that\n' +
      '`subscriptions ledger accounts` sets. --json prints the journals and writes no file.',
    examples: [
      ['for Xero', 'subscriptions ledger journal --publisher p@example.com --month 2026-10 --layout xero'],
      ['as a plain CSV', 'subscriptions ledger journal --publisher p@example.com --month 2026-10'],
      ['as JSON', 'subscriptions ledger journal --publisher p@example.com --month 2026-10 --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .requiredOption('--month <month>', 'the month, such as 2026-10')
    .addOption(
      new Option('--layout <layout>', 'the accounting software')
        .choices(['xero', 'quickbooks', 'sage', 'plain'])
        .default('plain'),
    )
    .option('--directory <directory>', 'where to write the files', '.')
    .action(
      action<LedgerFlags & { month: string; layout: JournalLayout; directory: string }>(cli, (options) =>
        withLedgerSession(cli, options, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ makeJournal }, output, { resolve }] = await Promise.all([
            import('#core/ledger/make-journal.ts'),
            import('../save-output.ts'),
            import('node:path'),
          ])
          const monthJournals = await withFlagErrors(
            { month: '--month', layout: '--layout' },
            'subscriptions ledger journal',
            () => makeJournal(ctx, { month: options.month, layout: options.layout }),
          )
          if (monthJournals.closed)
            cliOutput.say(
              `${monthJournals.month} was closed on ${formatDay(monthJournals.closed.on)} by ${monthJournals.closed.by}`,
            )
          if (monthJournals.isRunning)
            cliOutput.warn(`${monthJournals.month} is not over: later sales are not included`)
          if (cliOutput.flags.json) return cliOutput.json(monthJournals.journals)
          if (monthJournals.files.length === 0) return cliOutput.say(`There are no entries in ${monthJournals.month}`)
          const files = monthJournals.files.map(({ fileName, text }) => ({
            text,
            target: {
              kind: 'file' as const,
              path: resolve(cliOutput.io.cwd, options.directory, fileName),
              isExplicit: false,
              directoryFlag: '--directory',
            },
          }))
          // All are checked before the first is written: a run that stops between two files could not be repeated.
          for (const { target } of files) await output.checkTarget(target)
          for (const { target, text } of files) {
            await output.saveOutput(cliOutput, target, textChunks(text))
            cliOutput.say(`${cliOutput.err.done} ${target.path}`)
          }
          cliOutput.say(`${countOf(monthJournals.journals.length, 'journal')} of ${monthJournals.month}`)
        }),
      ),
    )
}

const accountColumns: readonly Column<JournalAccountRow>[] = [
  { header: 'Account', show: ({ account }) => account },
  { header: 'Code', show: ({ code }) => code || null },
  { header: 'Name', show: ({ name }) => name },
]

export function ledgerAccountsCommand(cli: Cli): Command {
  return describe(new Command('accounts'), {
    summary: 'Show or set the account codes of a publisher’s journals',
    details:
      'The code is the account in the accounting software: a number in Xero and Sage 50,\n' +
      'a name in QuickBooks Online. An empty code is removed.',
    examples: [
      ['show them', 'subscriptions ledger accounts --publisher p@example.com'],
      ['remove one', 'subscriptions ledger accounts fees= --publisher p@example.com'],
      ['set two of them', 'subscriptions ledger accounts sales=200 deferred=850 --publisher p@example.com'],
    ],
    exits: ['missing'],
  })
    .argument('[account=code...]', 'the codes to set')
    .option(...publisherFlag)
    .option(...flags.dryRun)
    .action(
      action<LedgerFlags & { dryRun?: boolean }>(cli, (options, args) =>
        withLedgerSession(cli, options, async ({ ctx }) => {
          const { cliOutput } = cli
          const [{ listJournalAccounts, setJournalAccounts }, { withDryRun }] = await Promise.all([
            import('#core/ledger/journal-accounts.ts'),
            import('../with-dry-run.ts'),
          ])
          const current = await listJournalAccounts(ctx, {})
          const setCodes = async () => {
            const names = current.map(({ account }) => account)
            const codes = codesOf(args, names)
            await withFlagErrors({ codes: 'account=code' }, 'subscriptions ledger accounts', () =>
              setJournalAccounts(ctx, { codes }),
            )
            return listJournalAccounts(ctx, {})
          }
          const rows = args.length === 0 ? current : await withDryRun(ctx, options.dryRun ?? false, setCodes)
          if (cliOutput.flags.json) await cliOutput.json(rows)
          else await printTable(cliOutput, rows, accountColumns)
        }),
      ),
    )
}

function codesOf(args: readonly string[], accounts: readonly string[]): Record<string, string> {
  const hint = `write account=code for one of ${accounts.join(', ')}`
  const codes: Record<string, string> = {}
  for (const arg of args) {
    const [account = '', ...code] = arg.split('=')
    if (!accounts.includes(account)) throw usageError(`"${account}" is not an account`, hint)
    if (code.length === 0) throw usageError(`"${account}" has no code`, `write ${account}=<code>`)
    if (codes[account] !== undefined) throw usageError(`the code of ${account} is given twice`, 'leave one of them out')
    codes[account] = code.join('=')
  }
  return codes
}
