import { Command } from 'commander'
import { countOf } from '#core/kernel/words.ts'
import { confirm } from '../ask.ts'
import { interrupted } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'

export function postcodesRemoveCommand(cli: Cli): Command {
  return describe(new Command('remove'), {
    summary: 'Take the postcode file of a publication away',
    details: 'Readers are held against the rule for British postcodes alone again.',
    examples: [
      ['after a question', 'subscriptions postcodes remove --publication gardener'],
      ['without one', 'subscriptions postcodes remove --publication gardener --yes'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .option(...flags.yes)
    .action(
      action<{ publication?: string; yes?: boolean }>(cli, async ({ as, publication: given, yes }) => {
        const { talk } = cli
        const [{ withSession }, { choosePublication, requireHandle }, { removePostcodes }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/postcode-files/remove-postcodes.ts'),
        ])
        requireHandle(talk, given)
        return withSession(talk, { as }, async (session) => {
          const urlKey = await choosePublication(talk, session, given)
          if (!(await confirm(talk, `Remove the postcodes of ${urlKey}?`, yes)))
            throw interrupted('Nothing was changed')
          const removed = await removePostcodes(session.ctx, { urlKey })
          if (talk.flags.json) await talk.json(removed)
          else
            await talk.print(
              `${talk.out.done} Removed ${countOf(removed.codes, 'postcode')} of ${urlKey}; ${countOf(removed.changed, 'reader')} changed`,
            )
          return 0
        })
      }),
    )
}
