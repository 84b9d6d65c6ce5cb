import { Command } from 'commander'
import { countOf } from '#core/kernel/text-format.ts'
import { interrupted } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'

export function postcodesRemoveCommand(cli: Cli): Command {
  return describe(new Command('remove'), {
    summary: 'Remove the postcode file of a publication',
    details: 'Postcodes are then checked by the format of British postcodes alone.',
    examples: [
      ['after confirming', 'subscriptions postcodes remove --publication gardener'],
      ['without confirming', 'subscriptions postcodes remove --publication gardener --yes'],
      ['see what would change', 'subscriptions postcodes remove --publication gardener --dry-run'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<{ publication?: string; yes?: boolean; dryRun?: boolean }>(
        cli,
        async ({ as, publication, yes, dryRun = false }) => {
          const { cliOutput } = cli
          const [{ withSession }, { choosePublication, requireHandle }, { removePostcodes }, { withDryRun }] =
            await Promise.all([
              import('../session.ts'),
              import('../choose-publication.ts'),
              import('#core/postcode-files/remove-postcodes.ts'),
              import('../with-dry-run.ts'),
            ])
          requireHandle(cliOutput, publication)
          return withSession(cliOutput, { as }, async (session) => {
            const urlKey = await choosePublication(cliOutput, session, publication)
            if (!dryRun && !(await confirm(cliOutput, `Remove the postcodes of ${urlKey}?`, yes)))
              throw interrupted('Nothing was changed')
            const removed = await withDryRun(session.ctx, dryRun, () => removePostcodes(session.ctx, { urlKey }))
            if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...removed })
            else
              await cliOutput.confirm(
                `${dryRun ? 'Would remove' : `${cliOutput.out.done} Removed`} ${countOf(removed.codes, 'postcode')} of ${urlKey}; ${countOf(removed.changed, 'reader')} changed`,
              )
            return 0
          })
        },
      ),
    )
}
