import { Command, type CommanderError } from 'commander'
import { nearest } from '#core/kernel/text-format.ts'
import { usageError } from './cli-error.ts'
import { action, type Cli } from './command.ts'
import { everyCommand, longFlags, unknownCommand } from './command-tree.ts'
import { auditCommand } from './commands/audit.ts'
import { backIssuesCommand } from './commands/back-issues.ts'
import { checkCommand } from './commands/check.ts'
import { circulationCommand } from './commands/circulation.ts'
import { completionCommand } from './commands/completion.ts'
import { dedupeCommand } from './commands/dedupe.ts'
import { doctorCommand } from './commands/doctor.ts'
import { emailsCommand } from './commands/emails.ts'
import { exportCommand } from './commands/export.ts'
import { fixCommand } from './commands/fix.ts'
import { helpCommand } from './commands/help.ts'
import { importCommand } from './commands/import.ts'
import { importsCommand } from './commands/imports.ts'
import { jobsCommand } from './commands/jobs.ts'
import { ledgerCommand } from './commands/ledger.ts'
import { mailingFileCommand } from './commands/mailing-file.ts'
import { mailingLayoutsCommand } from './commands/mailing-layouts.ts'
import { migrateCommand } from './commands/migrate.ts'
import { ordersCommand } from './commands/orders.ts'
import { partnersCommand } from './commands/partners.ts'
import { postcodesCommand } from './commands/postcodes.ts'
import { promosCommand } from './commands/promos.ts'
import { publicationsCommand } from './commands/publications.ts'
import { publishersCommand } from './commands/publishers.ts'
import { readersCommand } from './commands/readers.ts'
import { renewalsCommand } from './commands/renewals.ts'
import { seedCommand } from './commands/seed.ts'
import { sendersCommand } from './commands/senders.ts'
import { transfersCommand } from './commands/transfers.ts'
import { usersCommand } from './commands/users.ts'
import { webhooksCommand } from './commands/webhooks.ts'
import { describe, helpStyle, pathOf, shortHelp } from './help.ts'
import { write } from './io.ts'

/** The whole command tree. Nothing heavy is loaded here: an action imports what it needs when it runs. */
export function makeProgram(cli: Cli): Command {
  const root = describe(new Command('subscriptions'), {
    summary: 'Masthead on the command line: reader files, mailing files and maintenance',
    examples: [
      ['import a reader file into a publication', 'subscriptions import readers.csv --publication gardener'],
      ["make today's mailing file", 'subscriptions mailing-file --publication gardener'],
      ['find out why something does not work', 'subscriptions doctor'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .usage('<command> [flags]')
    .option('--json', 'print the result, or the error, as JSON')
    .option('--quiet', 'print only problems and the result')
    .option('--verbose', 'print each step')
    .option('--debug', 'like --verbose, and show where an error came from')
    .option('--no-color', 'no colours (also: NO_COLOR=1)')
    .option('--no-input', 'never prompt; fail and name the missing flag')
    .option('--settings <file>', 'settings that override the environment (docs/operating.md)')
    .option('--as <email>', 'act with the permissions of this user')
    .option('--version', 'print the version')
    .argument('[words...]')
    .allowUnknownOption()
  root.addCommand(importCommand(cli))
  root.addCommand(importsCommand(cli))
  root.addCommand(exportCommand(cli))
  root.addCommand(mailingFileCommand(cli))
  root.addCommand(mailingLayoutsCommand(cli))
  root.addCommand(transfersCommand(cli))
  root.addCommand(circulationCommand(cli))
  root.addCommand(checkCommand(cli))
  root.addCommand(fixCommand(cli))
  root.addCommand(dedupeCommand(cli))
  root.addCommand(readersCommand(cli))
  root.addCommand(postcodesCommand(cli))
  root.addCommand(publicationsCommand(cli))
  root.addCommand(usersCommand(cli))
  root.addCommand(publishersCommand(cli))
  root.addCommand(auditCommand(cli))
  root.addCommand(ordersCommand(cli))
  root.addCommand(ledgerCommand(cli))
  root.addCommand(renewalsCommand(cli))
  root.addCommand(promosCommand(cli))
  root.addCommand(backIssuesCommand(cli))
  root.addCommand(emailsCommand(cli))
  root.addCommand(sendersCommand(cli))
  root.addCommand(webhooksCommand(cli))
  root.addCommand(partnersCommand(cli))
  root.addCommand(jobsCommand(cli))
  root.addCommand(migrateCommand(cli))
  root.addCommand(seedCommand(cli))
  root.addCommand(doctorCommand(cli))
  root.addCommand(completionCommand(cli))
  root.addCommand(helpCommand(cli))
  root.action(
    action<{ version?: boolean }>(cli, async ({ version }, words) => {
      if (version) return cli.cliOutput.print(await readVersion()).then(() => 0)
      if (words[0] !== undefined) throw unknownCommand(root, words)
      await cli.cliOutput.print(shortHelp(root))
      return 0
    }),
  )
  for (const command of everyCommand(root)) configure(command, cli)
  return root
}

async function readVersion(): Promise<string> {
  const [{ readFile }, { join }, { projectRoot }] = await Promise.all([
    import('node:fs/promises'),
    import('node:path'),
    import('#core/platform/project-root.ts'),
  ])
  const { version } = JSON.parse(await readFile(join(projectRoot(), 'package.json'), 'utf8')) as { version: string }
  return version
}

/** Turns commander's exits and messages into ours. */
function configure(command: Command, cli: Cli): void {
  command
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    .configureHelp(helpStyle)
    .configureOutput({
      writeOut: (text) => {
        cli.helpOutput = write(cli.cliOutput.io.stdout, text)
      },
      writeErr: () => {},
      outputError: () => {},
    })
    .exitOverride((error) => {
      if (error.exitCode === 0) throw error
      throw usageErrorOf(command, error)
    })
}

function usageErrorOf(command: Command, error: CommanderError): Error {
  const hint = `see its flags and examples: ${pathOf(command)} --help`
  const flag = error.code === 'commander.unknownOption' ? /'([^']+)'/.exec(error.message)?.[1] : undefined
  if (flag) {
    const near = nearest(flag, longFlags(command))
    return usageError(near ? `unknown flag ${flag}, did you mean "${near}"?` : `unknown flag ${flag}`, hint)
  }
  const firstLine = error.message.split('\n')[0] ?? ''
  return usageError(
    firstLine
      .replace(/^error: /, '')
      .replaceAll("'", '"')
      .replace(/\boption\b/g, 'flag'),
    hint,
  )
}
