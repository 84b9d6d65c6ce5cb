import { Command } from 'commander'
import { formatUtc } from '#core/kernel/dates.ts'
import { interrupted } from '../cli-error.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'

export function partnersCommand(cli: Cli): Command {
  return groupCommand(cli, 'partners', {
    summary: 'Rotate the keys that sign readers’ access tokens',
    usage: 'rotate-keys',
    examples: [
      ['let the next key sign from tomorrow', 'subscriptions partners rotate-keys'],
      ['at once, because the key leaked', 'subscriptions partners rotate-keys --now'],
      ['see what would change', 'subscriptions partners rotate-keys --now --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  }).addCommand(rotateCommand(cli))
}

function rotateCommand(cli: Cli): Command {
  return describe(new Command('rotate-keys'), {
    summary: 'Rotate the key that signs access tokens, for all publishers',
    details:
      'The next key is listed at /.well-known/jwks.json today and signs a day later; apps keep working.\n' +
      'With --now, for a key that leaked: a new key signs at once and all others are deleted.\n' +
      'Issued tokens are refused by introspection at once, and by each app once its cached key\n' +
      'list expires (up to five minutes). Readers stay logged in: apps get new tokens with\n' +
      'their refresh tokens.',
    examples: [
      ['let the next key sign from tomorrow', 'subscriptions partners rotate-keys'],
      ['at once, without confirming', 'subscriptions partners rotate-keys --now --yes'],
      ['see what would change', 'subscriptions partners rotate-keys --now --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option('--now', 'a new key signs at once; issued tokens become invalid')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<{ now?: boolean; yes?: boolean; dryRun?: boolean }>(cli, async ({ as, now, yes, dryRun = false }) => {
        const { cliOutput } = cli
        const [{ withSession }, { rotateSigningKeys }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('#core/partners/rotate-signing-keys.ts'),
          import('../with-dry-run.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          const question = 'All issued access tokens become invalid. Rotate now?'
          if (now && !dryRun && !(await confirm(cliOutput, question, yes))) throw interrupted('Nothing was changed')
          const { kid, signsFrom, deleted } = await withDryRun(ctx, dryRun, () =>
            rotateSigningKeys(ctx, { now: now ?? false }),
          )
          if (cliOutput.flags.json) {
            await cliOutput.json({ dryRun, kid: dryRun ? null : kid, signsFrom, deleted })
            return 0
          }
          await cliOutput.confirm(dryRun ? 'Would create a new key' : `${cliOutput.out.done} Created a new key`)
          await cliOutput.confirm(
            labelled([
              ['Key', dryRun ? null : kid],
              ['Signs from', `${formatUtc(signsFrom)} UTC`],
              ['Keys deleted', now ? deleted : null],
            ]),
          )
          return 0
        })
      }),
    )
}
