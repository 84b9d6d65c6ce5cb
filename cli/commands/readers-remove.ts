import { Command } from 'commander'
import { interrupted, usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'
import { readerNamed, requireReader } from '../require-reader.ts'

interface RemoveFlags {
  publication?: string
  yes?: boolean
  dryRun?: boolean
}

export function readersRemoveCommand(cli: Cli): Command {
  return describe(new Command('remove'), {
    summary: 'Remove one reader',
    details: 'Orders are kept. The reader can be restored for 30 days: subscriptions readers restore.',
    examples: [
      ['one reader', 'subscriptions readers remove HL0012345 --publication gardener'],
      ['without confirming', 'subscriptions readers remove HL0012345 --publication gardener --yes'],
    ],
    exits: ['missing'],
  })
    .argument('[reference]', 'the unique reference')
    .option(...flags.publication)
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<RemoveFlags>(cli, async ({ as, publication, yes, dryRun = false }, [argument]) => {
        const { cliOutput } = cli
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

export function readersRestoreCommand(cli: Cli): Command {
  return describe(new Command('restore'), {
    summary: 'Restore a reader that was removed in the last 30 days',
    details: 'Takes the id that the removal printed; it is also in the activity log.',
    examples: [['as it was', 'subscriptions readers restore 48213']],
    exits: ['missing', 'conflict'],
  })
    .argument('[id]', "the reader's id")
    .option(...flags.dryRun)
    .action(
      action<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }, [id]) => {
        const { cliOutput } = cli
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
