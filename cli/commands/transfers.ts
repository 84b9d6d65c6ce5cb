import { Command } from 'commander'
import { formatUtc } from '#core/kernel/dates.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import type { ListedTransfer, ShownRun } from '#core/transfers/list-transfers.query.ts'
import { exitCodes, usageError } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'
import { type Column, printTable } from '../table.ts'

/** The outcome of a run; `partly failed` if only some of its files failed. */
function outcome({ state, files }: Pick<ShownRun, 'state' | 'files'>): string {
  return state === 'done' && files.some((file) => file.state === 'failed') ? 'partly failed' : state
}

const transferColumns: readonly Column<ListedTransfer>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'Publication', show: ({ urlKey }) => urlKey },
  { header: 'Kind', show: ({ kind }) => kind },
  { header: 'Server', show: ({ protocol, host, url }) => (protocol === 'sftp' ? host : url) },
  { header: 'When', show: ({ isOn, runAt }) => (isOn ? runAt : 'by hand') },
  { header: 'Last run', show: ({ lastRun }) => (lastRun ? outcome(lastRun) : 'none') },
  {
    header: 'Started (UTC)',
    show: ({ lastRun }) => (lastRun ? formatUtc(lastRun.startedAt) : ''),
    raw: ({ lastRun }) => lastRun?.startedAt.toISOString() ?? '',
  },
  { header: 'Name', show: ({ name }) => name },
]

const runColumns: readonly Column<ShownRun>[] = [
  { header: 'Run', show: ({ id }) => id, align: 'right' },
  { header: 'Transfer', show: ({ transferId }) => transferId, align: 'right' },
  { header: 'Status', show: outcome },
  {
    header: 'Started (UTC)',
    show: ({ startedAt }) => formatUtc(startedAt),
    raw: ({ startedAt }) => startedAt.toISOString(),
  },
  { header: 'By', show: ({ startedBy }) => startedBy },
  { header: 'Files', show: ({ files }) => files.length, align: 'right' },
  {
    header: 'Readers',
    show: ({ files }) => formatCount(readersIn(files)),
    raw: ({ files }) => readersIn(files),
    align: 'right',
  },
  { header: 'Problem', show: (run) => printable(firstProblem(run) ?? '') },
]

const readersIn = (files: ShownRun['files']) => files.reduce((sum, { readers }) => sum + readers, 0)
const firstProblem = ({ problem, files }: ShownRun) =>
  problem ?? files.find(({ state }) => state === 'failed')?.problem ?? null

export function transfersCommand(cli: Cli): Command {
  return groupCommand(cli, 'transfers', {
    summary: 'List and run file transfers, by SFTP and HTTPS',
    details: 'They are set up in the back office: Manage Data, Transfers.',
    usage: '<command>',
    examples: [
      ['list them', 'subscriptions transfers list'],
      ['run number 3 now', 'subscriptions transfers run 3'],
      ['what the last runs did', 'subscriptions transfers log --publication gardener'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(runCommand(cli))
    .addCommand(logCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List transfers, of one publication or of all',
    examples: [
      ['all of them', 'subscriptions transfers list'],
      ['of one publication', 'subscriptions transfers list --publication gardener'],
      ['as JSON', 'subscriptions transfers list --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication }) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication }, { listTransfers }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/transfers/list-transfers.query.ts'),
        ])
        const transfers = await withSession(cliOutput, { as }, async (session) =>
          listTransfers(
            session.ctx,
            publication === undefined ? {} : { urlKey: await choosePublication(cliOutput, session, publication) },
          ),
        )
        if (cliOutput.flags.json) await cliOutput.json(transfers)
        else if (transfers.length === 0) cliOutput.say('There are no transfers yet')
        else await printTable(cliOutput, transfers, transferColumns)
        return 0
      }),
    )
}

function runCommand(cli: Cli): Command {
  return describe(new Command('run'), {
    summary: 'Run a transfer now, in this process, and wait until it has finished',
    details:
      'With --dry-run it connects and says what it would fetch, or how many readers the\n' +
      'mailing file would have; nothing is imported, sent or moved.',
    examples: [
      ['by its number', 'subscriptions transfers run 3'],
      ['see what it would do', 'subscriptions transfers run 3 --dry-run'],
      ['as JSON', 'subscriptions transfers run 3 --json'],
    ],
    exits: ['rejects', 'missing', 'conflict'],
  })
    .argument('[number]', 'the number of the transfer')
    .option(...flags.dryRun)
    .action(
      action<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }, [number]) => {
        const { cliOutput } = cli
        const transferId = transferNumber(number)
        const [{ withSession }, { runTransferHere }, { checkTransfer }] = await Promise.all([
          import('../session.ts'),
          import('#core/transfers/run-transfer.ts'),
          import('#core/transfers/check-transfer.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          if (dryRun) {
            const check = await checkTransfer(ctx, { transferId })
            if (cliOutput.flags.json) await cliOutput.json({ dryRun, transferId, ...check })
            else await printCheck(cliOutput, check)
            return 0
          }
          const run = await runTransferHere(ctx, { transferId, signal: cliOutput.io.signal })
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...run })
          else await printRun(cliOutput, run)
          if (run.state === 'cancelled') return exitCodes.interrupted.code
          return run.files.some(({ state }) => state === 'failed') ? exitCodes.rejects.code : exitCodes.done.code
        })
      }),
    )
}

async function printCheck(
  cliOutput: CliOutput,
  check: Awaited<ReturnType<typeof import('#core/transfers/check-transfer.ts').checkTransfer>>,
): Promise<void> {
  if (check.kind === 'host-key') {
    await cliOutput.print(`The server presents the host key ${check.hostKey}, which has not been confirmed`)
    cliOutput.say(
      'Compare it with the key that the server’s operator gives you, then confirm it on the page of the transfer',
    )
  } else if (check.kind === 'mailing-file')
    await cliOutput.print(`Would send a mailing file with ${formatCount(check.readers)} readers`)
  else if (check.files.length === 0) await cliOutput.print('Would fetch nothing')
  else
    for (const { name, isGrowing } of check.files)
      await cliOutput.print(`Would fetch ${printable(name)}${isGrowing ? ', once it stops changing' : ''}`)
}

async function printRun(cliOutput: CliOutput, run: ShownRun): Promise<void> {
  await cliOutput.confirm(
    run.files.length === 0 ? 'There was nothing new' : `${cliOutput.out.done} Run ${run.id}: ${outcome(run)}`,
  )
  for (const { name, state, readers, problem, uploadId } of run.files)
    await cliOutput.print(
      labelled([
        ['File', printable(name)],
        ['Status', state],
        ['Readers', formatCount(readers)],
        ['Import', uploadId === null ? null : String(uploadId)],
        ['Problem', problem && printable(problem)],
      ]),
    )
}

function logCommand(cli: Cli): Command {
  return describe(new Command('log'), {
    summary: 'Show what transfer runs did, newest first',
    examples: [
      ['of one transfer', 'subscriptions transfers log 3'],
      ['of a publication', 'subscriptions transfers log --publication gardener'],
      ['each file with its hash', 'subscriptions transfers log 3 --json'],
    ],
    exits: ['missing'],
  })
    .argument('[number]', 'the number of the transfer (default: all)')
    .option(...flags.publication)
    .option('--limit <runs>', 'the maximum number to list (default: 50)')
    .action(
      action<{ publication?: string; limit?: string }>(cli, async ({ as, publication, limit }, [number]) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication }, { listTransferRuns }, { withFlagErrors }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/transfers/list-transfers.query.ts'),
          import('../field-flags.ts'),
        ])
        const input = {
          ...(number === undefined ? {} : { transferId: transferNumber(number) }),
          ...(limit === undefined ? {} : { limit }),
        }
        const runs = await withSession(cliOutput, { as }, async (session) => {
          const publicationFilter =
            publication === undefined ? {} : { urlKey: await choosePublication(cliOutput, session, publication) }
          return withFlagErrors({ limit: '--limit' }, 'subscriptions transfers log', () =>
            listTransferRuns(session.ctx, { ...input, ...publicationFilter }),
          )
        })
        if (cliOutput.flags.json) await cliOutput.json(runs)
        else if (runs.length === 0) cliOutput.say('No transfer has run yet')
        else await printTable(cliOutput, runs, runColumns)
        return 0
      }),
    )
}

function transferNumber(number: string | undefined): number {
  if (number !== undefined && /^\d{1,15}$/.test(number)) return Number(number)
  throw usageError(
    number === undefined ? 'no transfer given' : `"${number}" is not the number of a transfer`,
    'specify its number; to list them: subscriptions transfers list',
  )
}
