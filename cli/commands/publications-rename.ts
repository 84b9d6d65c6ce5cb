import { Command } from 'commander'
import { action, type Cli } from '../command.ts'
import { describe } from '../help.ts'

export function publicationsRenameCommand(cli: Cli): Command {
  return describe(new Command('rename'), {
    summary: 'Give a publication another handle',
    details:
      'For a storefront that nobody reaches, because its handle has become an address of the\nproduct (`subscriptions doctor` finds it). Links to the old handle end.',
    examples: [
      ['a handle that a page of the product has taken', 'subscriptions publications rename howto howto-monthly'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('<handle>', 'the handle it has')
    .argument('<new-handle>', 'the handle it gets')
    .action(
      action(cli, async ({ as }, [urlKey, newUrlKey]) => {
        const { cliOutput } = cli
        const [{ withSession }, { renamePublication }] = await Promise.all([
          import('../session.ts'),
          import('#core/publications/rename-publication.ts'),
        ])
        const renamed = await withSession(cliOutput, { as }, ({ ctx }) => renamePublication(ctx, { urlKey, newUrlKey }))
        if (cliOutput.flags.json) await cliOutput.json(renamed)
        else cliOutput.say(`/${renamed.was} is now /${renamed.urlKey}`)
        return 0
      }),
    )
}
