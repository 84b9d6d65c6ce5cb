import { Command } from 'commander'
import { userTypeNames } from '#core/access/user-types.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { UserView } from '#core/users/get-user.query.ts'
import { interrupted } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'
import { requireUser, userNamed } from '../require-user.ts'
import { printable } from '../style.ts'

interface ChangeFlags {
  as?: string
  yes?: boolean
  dryRun?: boolean
}

export function deactivateCommand(cli: Cli): Command {
  return describe(new Command('deactivate'), {
    summary: 'Deactivate a user; nothing is deleted',
    details:
      'Every session and API token of the user ends at once. Deactivating a publisher also\nlocks out its staff and closes its storefronts.',
    examples: [
      ['a user who has left', 'subscriptions users deactivate ann@example.com'],
      ['without confirming', 'subscriptions users deactivate ann@example.com --yes'],
      ['see what would change', 'subscriptions users deactivate p@example.com --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[email]', 'the email of the user')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<ChangeFlags>(cli, async ({ as, yes, dryRun = false }, [email]) => {
        const { cliOutput } = cli
        requireUser(cliOutput, email)
        const [{ withSession }, { deactivateUser }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('#core/users/deactivate-user.ts'),
          import('../with-dry-run.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          const user = await userNamed(cliOutput, ctx, email)
          if (user.isActive && !dryRun && !(await confirm(cliOutput, `Deactivate ${describeUser(user)}?`, yes)))
            throw interrupted('Nothing was changed')
          const { changed } = await withDryRun(ctx, dryRun, () => deactivateUser(ctx, { id: user.id }))
          if (cliOutput.flags.json)
            await cliOutput.json({ dryRun, email: user.email, changed, isActive: dryRun && user.isActive })
          else if (!changed) await cliOutput.confirm(`${cliOutput.out.done} ${nameOf(user)} is already deactivated`)
          else if (dryRun) await cliOutput.confirm(`Would deactivate ${describeUser(user)}`)
          else {
            await cliOutput.confirm(`${cliOutput.out.done} Deactivated ${describeUser(user)}`)
            cliOutput.say(`To reactivate them: subscriptions users reactivate ${user.email}`)
          }
          return 0
        })
      }),
    )
}

export function reactivateCommand(cli: Cli): Command {
  return describe(new Command('reactivate'), {
    summary: 'Reactivate a user',
    details:
      'The password stays the same. Reactivating a publisher also lets its staff log in and\nreopens its storefronts.',
    examples: [
      ['a user who has returned', 'subscriptions users reactivate ann@example.com'],
      ['see whether anything would change', 'subscriptions users reactivate ann@example.com --dry-run'],
      ['as JSON', 'subscriptions users reactivate ann@example.com --json'],
    ],
    exits: ['missing'],
  })
    .argument('[email]', 'the email of the user')
    .option(...flags.dryRun)
    .action(
      action<ChangeFlags>(cli, async ({ as, dryRun = false }, [email]) => {
        const { cliOutput } = cli
        requireUser(cliOutput, email)
        const [{ withSession }, { reactivateUser }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('#core/users/reactivate-user.ts'),
          import('../with-dry-run.ts'),
        ])
        return withSession(cliOutput, { as }, async ({ ctx }) => {
          const user = await userNamed(cliOutput, ctx, email)
          const { changed } = await withDryRun(ctx, dryRun, () => reactivateUser(ctx, { id: user.id }))
          if (cliOutput.flags.json)
            await cliOutput.json({ dryRun, email: user.email, changed, isActive: !dryRun || user.isActive })
          else if (!changed) await cliOutput.confirm(`${cliOutput.out.done} ${nameOf(user)} is already active`)
          else if (dryRun) await cliOutput.confirm(`Would reactivate ${describeUser(user)}`)
          else {
            await cliOutput.confirm(`${cliOutput.out.done} Reactivated ${describeUser(user)}`)
            cliOutput.say(`If the password is lost: subscriptions users reset-password ${user.email}`)
          }
          return 0
        })
      }),
    )
}

function nameOf({ firstName, lastName, email }: UserView): string {
  return printable(`${firstName} ${lastName}`.trim() || email)
}

/** "Ann Lee (Publisher, 3 titles, 5 staff)": who the user is and what depends on the account. */
function describeUser(user: UserView): string {
  const { titles, staff, publishers, renewing } = user.dependents
  const facts = [
    userTypeNames[user.userType],
    ...(titles > 0 ? [countOf(titles, 'title')] : []),
    ...(staff > 0 ? [countOf(staff, 'member of staff', 'members of staff')] : []),
    ...(renewing > 0 ? [countOf(renewing, 'automatic renewal')] : []),
    ...(publishers > 0 ? [countOf(publishers, 'publisher')] : []),
  ]
  return `${nameOf(user)} (${facts.join(', ')})`
}
