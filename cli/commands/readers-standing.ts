import { Command } from 'commander'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { readerNamed, requireReader } from '../which-reader.ts'

interface StandingFlags {
  publication?: string
  dryRun?: boolean
}

export function deactivateReaderCommand(cli: Cli): Command {
  return standingCommand(cli, 'deactivate', {
    summary: 'Deactivate a reader: no more copies and mailings',
    details: 'The record, its history and its orders stay.',
    done: 'Deactivated',
    back: 'reactivate',
  })
}

export function reactivateReaderCommand(cli: Cli): Command {
  return standingCommand(cli, 'reactivate', {
    summary: 'Make a deactivated reader active again',
    details: 'With everything as it was.',
    done: 'Reactivated',
    back: 'deactivate',
  })
}

interface Standing {
  summary: string
  details: string
  done: string
  /** The command that takes it back. */
  back: string
}

function standingCommand(cli: Cli, name: 'deactivate' | 'reactivate', { done, back, ...about }: Standing): Command {
  return describe(new Command(name), {
    ...about,
    examples: [
      ['one reader', `subscriptions readers ${name} HL0012345 --publication gardener`],
      ['see whether it would do anything', `subscriptions readers ${name} HL0012345 --publication gardener --dry-run`],
    ],
    exits: ['missing'],
  })
    .argument('[reference]', 'the unique reference')
    .option(...flags.publication)
    .option(...flags.dryRun)
    .action(
      action<StandingFlags>(cli, async ({ as, publication, dryRun = false }, [argument]) => {
        const { talk } = cli
        const reference = requireReader(argument)
        const [{ withSession }, { requireHandle }, { deactivateReader }, { reactivateReader }, { rehearse }] =
          await Promise.all([
            import('../session.ts'),
            import('../choose-publication.ts'),
            import('#core/readers/deactivate-reader.ts'),
            import('#core/readers/reactivate-reader.ts'),
            import('../rehearse.ts'),
          ])
        requireHandle(talk, publication)
        return withSession(talk, { as }, async (session) => {
          const { ctx } = session
          const { id, urlKey } = await readerNamed(talk, session, { publication, reference })
          const deed = name === 'deactivate' ? deactivateReader : reactivateReader
          const { changed } = await rehearse(ctx, dryRun, () => deed(ctx, { id }))
          if (talk.flags.json) await talk.json({ dryRun, id, changed })
          else if (!changed) await talk.print(`${talk.out.done} ${reference} is so already`)
          else if (dryRun) await talk.print(`Would ${name} ${reference}`)
          else {
            await talk.print(`${talk.out.done} ${done} ${reference}`)
            talk.say(`To take it back: subscriptions readers ${back} ${reference} --publication ${urlKey}`)
          }
          return 0
        })
      }),
    )
}
