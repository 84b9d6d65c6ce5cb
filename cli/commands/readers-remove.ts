import { Command } from 'commander'
import { warnings } from '#core/warnings/warnings.rules.ts'
import { interrupted, usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'
import { readerNamed, requireReader } from '../require-reader.ts'

interface RemoveFlags {
  publication?: string
  list?: string
  filter?: string
  resume?: string
  yes?: boolean
  dryRun?: boolean
}

export function readersRemoveCommand(cli: Cli): Command {
  return describe(new Command('remove'), {
    summary: 'Remove one reader, or all readers of a list',
    details:
      'Orders are kept. Readers can be restored for 30 days: subscriptions readers restore. The\n' +
      'lists are those of subscriptions check, and all: every reader. Readers that are added\n' +
      'or changed while a long list is being removed stay, and are counted.',
    examples: [
      ['one reader', 'subscriptions readers remove HL0012345 --publication gardener'],
      ['without confirming', 'subscriptions readers remove HL0012345 --publication gardener --yes'],
      [
        'see who is in a list',
        'subscriptions readers remove --list expiredsubscriber --publication gardener --dry-run',
      ],
      ['remove some of them', 'subscriptions readers remove --list all --filter CT11 --publication gardener'],
      ['resume one that was interrupted', 'subscriptions readers remove --resume 12'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[reference]', 'the unique reference')
    .option(...flags.publication)
    .option('--list <name>', 'remove all readers of this list')
    .option(
      '--filter <text>',
      'only those of the list whose name, company, postcode, email or reference begins with it',
    )
    .option('--resume <number>', 'resume this removal of a list, by its number')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<RemoveFlags>(cli, async ({ as, publication, list, filter, resume, yes, dryRun = false }, [argument]) => {
        const { cliOutput } = cli
        if (list !== undefined || filter !== undefined || resume !== undefined) {
          const chosen = chosenList({ argument, list, filter, resume, dryRun })
          const { removeList, resumeOneRemoval } = await import('../remove-list.ts')
          if ('removalId' in chosen) return resumeOneRemoval(cli, { as, yes }, chosen.removalId)
          return removeList(cli, { as, publication, ...chosen, dryRun, yes })
        }
        const reference = requireReader(argument)
        const [{ withSession }, { requireHandle }, { removeReader }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/readers/remove-reader.ts'),
          import('../with-dry-run.ts'),
        ])
        requireHandle(cliOutput, publication)
        return withSession(cliOutput, { as }, async (session) => {
          const { ctx } = session
          const { id, urlKey } = await readerNamed(cliOutput, session, { publication, reference })
          const question = `Remove ${reference} of ${urlKey} from the system?`
          if (!dryRun && !(await confirm(cliOutput, question, yes))) throw interrupted('Nothing was changed')
          await withDryRun(ctx, dryRun, () => removeReader(ctx, { id }))
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id, uniqueReference: reference })
          else
            await cliOutput.confirm(dryRun ? `Would remove ${reference}` : `${cliOutput.out.done} Removed ${reference}`)
          if (!dryRun) cliOutput.say(`To restore it within 30 days: subscriptions readers restore ${id}`)
          return 0
        })
      }),
    )
}

/** The list to be removed, or the number of the removal to be resumed. */
function chosenList({
  argument,
  list,
  filter,
  resume,
  dryRun,
}: {
  argument: string | undefined
  list: string | undefined
  filter: string | undefined
  resume: string | undefined
  dryRun: boolean
}): { list: string; filter: string | undefined } | { removalId: number } {
  if (resume !== undefined) {
    if (argument !== undefined || list !== undefined || filter !== undefined || dryRun)
      throw usageError('--resume cannot be combined with a reader, a list or --dry-run', 'use --resume alone')
    return { removalId: removalNumber('--resume', resume) }
  }
  if (argument !== undefined)
    throw usageError('a reader and a list cannot be combined', 'specify the unique reference, or --list <name>')
  if (list === undefined) throw usageError('--filter needs --list', 'specify the list: --list <name>, or --list all')
  if (list !== 'all' && !warnings.some(({ key }) => key === list))
    throw usageError(
      `--list ${list} is not a list`,
      `choose one of: ${[...warnings.map(({ key }) => key), 'all'].join(', ')}`,
    )
  return { list, filter }
}

function removalNumber(flag: string, text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw usageError(`${flag} ${text} is not a number`, 'the number is printed when a removal ends')
  return Number(text)
}

export function readersRestoreCommand(cli: Cli): Command {
  return describe(new Command('restore'), {
    summary: 'Restore readers that were removed in the last 30 days',
    details: 'Takes the id that the removal printed; it is also in the activity log.',
    examples: [
      ['as it was', 'subscriptions readers restore 48213'],
      ['all that were removed together', 'subscriptions readers restore --removal 12'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[id]', "the reader's id")
    .option('--removal <number>', 'restore the readers of this removal, by its number')
    .option(...flags.dryRun)
    .action(
      action<{ removal?: string; dryRun?: boolean }>(cli, async ({ as, removal, dryRun = false }, [id]) => {
        const { cliOutput } = cli
        if (removal !== undefined) {
          if (id !== undefined)
            throw usageError('--removal cannot be combined with the id of a reader', 'use --removal alone')
          const { restoreRemoval } = await import('../remove-list.ts')
          return restoreRemoval(cli, { as, dryRun }, removalNumber('--removal', removal))
        }
        if (id === undefined || !/^\d{1,15}$/.test(id)) {
          throw usageError('no reader given', 'specify the id that the removal printed, a number')
        }
        const [{ withSession }, { restoreReader }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('#core/readers/restore-reader.ts'),
          import('../with-dry-run.ts'),
        ])
        await withSession(cliOutput, { as }, ({ ctx }) =>
          withDryRun(ctx, dryRun, () => restoreReader(ctx, { id: Number(id) })),
        )
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, id: Number(id) })
        else
          await cliOutput.confirm(dryRun ? `Would restore reader ${id}` : `${cliOutput.out.done} Restored reader ${id}`)
        return 0
      }),
    )
}
