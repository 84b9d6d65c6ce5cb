import { Command } from 'commander'
import { conflict } from '#core/kernel/errors.ts'
import { CliError, interrupted } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'

export function seedCommand(cli: Cli): Command {
  return describe(new Command('seed'), {
    summary: 'Fill an empty database with the demo publisher',
    details:
      'Three magazines with readers, orders and prices, and accounts with a known\n' +
      'password: for evaluation, not for public use. In production it also needs\n' +
      'SEED=demo. A database with data in it is refused.',
    examples: [
      ['in the database of DATABASE_URL', 'subscriptions seed'],
      ['without confirming', 'subscriptions seed --yes'],
      ['check whether it would work', 'subscriptions seed --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<{ yes?: boolean; dryRun?: boolean }>(cli, async ({ as, yes, dryRun = false }) => {
        const { cliOutput } = cli
        const [{ operatorOnly, withSession }, { demoAccounts, isEmpty, seedDemo }] = await Promise.all([
          import('../session.ts'),
          import('#core/seed/seed-demo.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx, services, env }) => {
          operatorOnly(ctx)
          if (env.isProduction && env.seed !== 'demo') {
            throw new CliError(
              'notAllowed',
              'missing',
              'The demo has accounts with a known password and is not created in production',
              'if this installation is only for evaluation: SEED=demo subscriptions seed',
            )
          }
          if (!(await isEmpty(services.db))) {
            throw conflict('The database already contains data; the demo needs an empty one', {
              hint: 'point DATABASE_URL to another database and create its tables first: subscriptions migrate',
            })
          }
          if (dryRun) {
            if (cliOutput.flags.json) await cliOutput.json({ dryRun, seeded: false })
            else await cliOutput.confirm('The database is empty: would create the demo publisher with three magazines')
            return 0
          }
          const isSure = await confirm(cliOutput, 'Create the demo publisher with three magazines here?', yes)
          if (!isSure) throw interrupted('Nothing was created')
          const startedAt = performance.now()
          cliOutput.say('Creating the demo publisher with three magazines ...')
          await seedDemo(services, { onProgress: cliOutput.step })
          const seconds = Math.round((performance.now() - startedAt) / 100) / 10
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, seeded: true, seconds })
          else {
            await cliOutput.confirm(`${cliOutput.out.done} Created the demo publisher in ${seconds} s`)
            await cliOutput.confirm(await demoAccounts(services, env))
            cliOutput.say('Next: npm start')
          }
          return 0
        })
      }),
    )
}
