import { Command } from 'commander'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { readerNamed, requireReader } from '../require-reader.ts'

interface ActivationFlags {
  publication?: string
  dryRun?: boolean
}

export function deactivateReaderCommand(cli: Cli): Command {
  return activationCommand(cli, 'deactivate', {
    summary: 'Deactivate a reader: no more copies or mailings',
    details: 'The record, its history and its orders are kept.',
    doneText: 'Deactivated',
    state: 'deactivated',
    undoCommand: 'reactivate',
  })
}

export function reactivateReaderCommand(cli: Cli): Command {
  return activationCommand(cli, 'reactivate', {
    summary: 'Reactivate a deactivated reader',
    details: 'Nothing else in the record changes.',
    doneText: 'Reactivated',
    state: 'active',
    undoCommand: 'deactivate',
  })
}

interface Texts {
  summary: string
  details: string
  doneText: string
  state: string
  undoCommand: string
}

function activationCommand(
  cli: Cli,
  name: 'deactivate' | 'reactivate',
  { doneText, state, undoCommand, ...about }: Texts,
): Command {
  return describe(new Command(name), {
    ...about,
    examples: [
      ['one reader', `subscriptions readers ${name} HL0012345 --publication gardener`],
      ['see whether anything would change', `subscriptions readers ${name} HL0012345 --publication gardener --dry-run`],
    ],
    exits: ['missing'],
  })
    .argument('[reference]', 'the unique reference')
    .option(...flags.publication)
    .option(...flags.dryRun)
    .action(
      action<ActivationFlags>(cli, async ({ as, publication, dryRun = false }, [argument]) => {
        const { cliOutput } = cli
        const reference = requireReader(argument)
        const [{ withSession }, { requireHandle }, { deactivateReader }, { reactivateReader }, { withDryRun }] =
          await Promise.all([
            import('../session.ts'),
            import('../choose-publication.ts'),
            import('#core/readers/deactivate-reader.ts'),
            import('#core/readers/reactivate-reader.ts'),
            import('../with-dry-run.ts'),
          ])
        requireHandle(cliOutput, publication)
        return withSession(cliOutput, { as }, async (session) => {
          const { ctx } = session
          const { id, urlKey } = await readerNamed(cliOutput, session, { publication, reference })
          const change = name === 'deactivate' ? deactivateReader : reactivateReader
          const { changed } = await withDryRun(ctx, dryRun, () => change(ctx, { id }))
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id, changed })
          else if (!changed) await cliOutput.confirm(`${cliOutput.out.done} ${reference} is already ${state}`)
          else if (dryRun) await cliOutput.confirm(`Would ${name} ${reference}`)
          else {
            await cliOutput.confirm(`${cliOutput.out.done} ${doneText} ${reference}`)
            cliOutput.say(`To undo it: subscriptions readers ${undoCommand} ${reference} --publication ${urlKey}`)
          }
          return 0
        })
      }),
    )
}
