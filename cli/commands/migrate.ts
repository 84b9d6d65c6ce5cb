import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Command } from 'commander'
import { countOf } from '#core/kernel/text-format.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'

export function migrateCommand(cli: Cli): Command {
  return describe(new Command('migrate'), {
    summary: 'Migrate the database to the schema of this version',
    details:
      'Creates the database if there is none. All or nothing: a migration that fails\nleaves the database unchanged.',
    examples: [
      ['bring it up to date', 'subscriptions migrate'],
      ['list pending migrations', 'subscriptions migrate --dry-run'],
      ['in a release script', 'DATABASE_URL=postgres://app@db/masthead subscriptions migrate --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.dryRun)
    .action(
      action<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }) => {
        const { cliOutput } = cli
        const [
          { loadSettings, operatorOnly, sqliteFile, withSession },
          { migrate, newerMigrations, pendingMigrations },
          { migrations },
          { ensureReaderIndexes },
        ] = await Promise.all([
          import('../session.ts'),
          import('#core/platform/database/migrate.ts'),
          import('#core/platform/database/migrations/index.ts'),
          import('#core/imports/load/indexes.ts'),
        ])
        const file = sqliteFile(loadSettings(cliOutput))
        // A dry run leaves no empty database behind.
        if (dryRun && file && !existsSync(file))
          return report(
            cli,
            migrations.map(({ name }) => name),
            true,
          )
        if (file) await mkdir(dirname(file), { recursive: true })
        const names = await withSession(cliOutput, { as, needsSchema: false }, async ({ ctx, services }) => {
          operatorOnly(ctx)
          const newer = await newerMigrations(services.db)
          if (newer !== null) cliOutput.warn(newer)
          if (dryRun) return pendingMigrations(services.db)
          const applied = await migrate(services.db)
          await ensureReaderIndexes(services.db)
          return applied
        })
        return report(cli, names, dryRun)
      }),
    )
}

async function report({ cliOutput }: Cli, names: readonly string[], dryRun: boolean): Promise<number> {
  if (cliOutput.flags.json) await cliOutput.json(dryRun ? { dryRun, pending: names } : { dryRun, run: names })
  else if (names.length === 0) await cliOutput.confirm(`${cliOutput.out.done} The database is up to date`)
  else {
    const what = countOf(names.length, 'migration')
    await cliOutput.confirm(dryRun ? `Would run ${what}:` : `${cliOutput.out.done} Ran ${what}:`)
    for (const name of names) await cliOutput.confirm(`  ${name}`)
    if (dryRun) cliOutput.say('Next: subscriptions migrate')
  }
  return 0
}
