import { Command } from 'commander'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'

export function publicationsRenameCommand(cli: Cli): Command {
  return describe(new Command('rename'), {
    summary: 'Give a publication another handle',
    details:
      'For a storefront that cannot be reached because its handle is now the address of one of\nMasthead’s own pages (`subscriptions doctor` finds it). Links to the old handle stop working.',
    examples: [
      ['a handle that Masthead now uses itself', 'subscriptions publications rename howto howto-monthly'],
      ['see what would change', 'subscriptions publications rename howto howto-monthly --dry-run'],
      ['as JSON', 'subscriptions publications rename howto howto-monthly --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('<handle>', 'the current handle')
    .argument('<new-handle>', 'the new handle')
    .option(...flags.dryRun)
    .action(
      action<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }, [urlKey, newUrlKey]) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication }, { withDryRun }, { renamePublication }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('../with-dry-run.ts'),
          import('#core/publications/rename-publication.ts'),
        ])
        const renamed = await withSession(cliOutput, { as }, async (session) => {
          const current = await choosePublication(cliOutput, session, urlKey)
          const fields = { urlKey: '<new-handle>', newUrlKey: '<new-handle>' }
          return withFlagErrors(fields, 'subscriptions publications rename', () =>
            withDryRun(session.ctx, dryRun, () => renamePublication(session.ctx, { urlKey: current, newUrlKey })),
          )
        })
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...renamed })
        else
          await cliOutput.confirm(
            dryRun
              ? `Would rename /${renamed.was} to /${renamed.urlKey}; nothing was changed`
              : `${cliOutput.out.done} /${renamed.was} is now /${renamed.urlKey}`,
          )
        return 0
      }),
    )
}
