import { Command, Option } from 'commander'
import { userTypeNames, userTypes } from '#core/access/user-types.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import type { UserListItem } from '#core/users/user-list-row.ts'
import { action, type Cli } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { deactivateCommand, reactivateCommand } from './users-activation.ts'
import { usersAddCommand } from './users-add.ts'
import { resetPasswordCommand, resetTwoStepCommand } from './users-reset.ts'

const columns: readonly Column<UserListItem>[] = [
  { header: 'Name', show: ({ firstName, lastName }) => `${firstName} ${lastName}`.trim() },
  { header: 'Email', show: ({ email }) => email },
  { header: 'Type', show: ({ userType }) => userTypeNames[userType], raw: ({ userType }) => userType },
  { header: 'Company', show: ({ companyName }) => companyName || null },
  { header: 'Status', show: stateOf },
  {
    header: 'Last log-in (UTC)',
    show: ({ lastLoginAt }) => lastLoginAt && formatUtc(lastLoginAt),
    raw: ({ lastLoginAt }) => lastLoginAt?.toISOString() ?? null,
  },
]

function stateOf({ isActive, isPublisherActive, hasPassword }: UserListItem): string {
  if (!isActive) return 'deactivated'
  if (!isPublisherActive) return 'publisher deactivated'
  return hasPassword ? 'active' : 'invited'
}

export function usersCommand(cli: Cli): Command {
  return groupCommand(cli, 'users', {
    summary: 'List, add, deactivate or reactivate staff users',
    usage: '<command>',
    details:
      "Staff users are superusers, resellers, publishers and publishers' staff. Buyers are\n" + 'not among them.',
    examples: [
      ['everybody', 'subscriptions users list'],
      ['the first superuser of a new installation', 'subscriptions users add --type superuser'],
      ['a user who has left', 'subscriptions users deactivate ann@example.com'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(usersAddCommand(cli))
    .addCommand(deactivateCommand(cli))
    .addCommand(reactivateCommand(cli))
    .addCommand(resetPasswordCommand(cli))
    .addCommand(resetTwoStepCommand(cli))
}

interface ListFlags {
  publisher?: string
  type?: string
  state?: string
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List staff users by name',
    details:
      'When piped: one line each, tab-separated, without a header row: name, email, type, company,\nstate, last log-in.',
    examples: [
      ['everybody', 'subscriptions users list'],
      ["a publisher's staff", 'subscriptions users list --publisher p@example.com --state active'],
      ['only the emails', 'subscriptions users list --type superuser | cut -f2'],
    ],
    exits: ['missing'],
  })
    .option('--publisher <email>', 'only this publisher and its staff')
    .addOption(new Option('--type <type>', 'only users of this type').choices(userTypes))
    .addOption(new Option('--state <state>', 'only users in this state').choices(['active', 'deactivated']))
    .action(
      action<ListFlags>(cli, async ({ as, publisher, type, state }) => {
        const { cliOutput } = cli
        const [{ withSession }, { listUsers }, { findUser }, { everyRow }] = await Promise.all([
          import('../session.ts'),
          import('#core/users/list-users.query.ts'),
          import('#core/users/find-user.query.ts'),
          import('../every-row.ts'),
        ])
        const rows = await withSession(cliOutput, { as }, async ({ ctx }) => {
          const keyedTo =
            publisher === undefined ? undefined : (await findUser(ctx, { email: publisher, userType: 'publisher' })).id
          return everyRow((paging) => listUsers(ctx, { state, userType: type, keyedTo, ...paging }))
        })
        if (cliOutput.flags.json) await cliOutput.json(rows.map(asJson))
        else if (rows.length === 0) cliOutput.say('No user matches. Add one: subscriptions users add')
        else await printTable(cliOutput, rows, columns)
        return 0
      }),
    )
}

function asJson(user: UserListItem): object {
  const { id, email, firstName, lastName, userType, companyName, publisherId, isActive, lastLoginAt, invitedAt } = user
  const { hasPassword, hasTwoStep } = user
  return {
    id,
    email,
    firstName,
    lastName,
    userType,
    companyName,
    publisherId,
    isActive,
    hasPassword,
    hasTwoStep,
    lastLoginAt,
    invitedAt,
  }
}
