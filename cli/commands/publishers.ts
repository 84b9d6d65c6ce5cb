import { Command, Option } from 'commander'
import { formatCount } from '#core/kernel/text-format.ts'
import type { PublisherListItem } from '#core/users/list-publishers.query.ts'
import { action, type Cli } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { publishersAddCommand } from './publishers-add.ts'

const publisherTypes = ['publisher', 'reseller'] as const

const count = (value: number, { userType }: PublisherListItem) => (userType === 'publisher' ? formatCount(value) : null)

/** Titles as they count against the allowance: without the paused ones, as in the back office. */
const columns: readonly Column<PublisherListItem>[] = [
  { header: 'Company', show: ({ companyName }) => companyName || null },
  { header: 'Email', show: ({ email }) => email },
  { header: 'Type', show: ({ userType }) => userType },
  { header: 'Titles', show: (row) => count(row.titlesUsed, row), raw: ({ titlesUsed }) => titlesUsed, align: 'right' },
  {
    header: 'Allowed',
    show: (row) => count(row.titlesAllowed, row),
    raw: ({ titlesAllowed }) => titlesAllowed,
    align: 'right',
  },
  { header: 'Readers', show: (row) => count(row.readers, row), raw: ({ readers }) => readers, align: 'right' },
  { header: 'Reseller', show: ({ resellerName }) => resellerName || null },
  {
    header: 'Status',
    show: ({ isActive, hasPassword }) => (isActive ? (hasPassword ? 'active' : 'invited') : 'deactivated'),
  },
]

export function publishersCommand(cli: Cli): Command {
  return groupCommand(cli, 'publishers', {
    summary: 'List the publishers and resellers, or add one',
    usage: 'list|add',
    examples: [
      ['every publisher with its titles and readers', 'subscriptions publishers list --type publisher'],
      ['add one interactively', 'subscriptions publishers add'],
      ["a publisher's staff", 'subscriptions users list --publisher p@example.com'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(publishersAddCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List publishers and resellers by company',
    details:
      'When piped: one line each, tab-separated, without a header row: company, email, type, titles,\n' +
      'titles allowed, readers, reseller, state. Paused titles are not among the titles, because they\n' +
      'do not count towards the allowance; in --json, titles counts all of them, titlesUsed excludes them.',
    examples: [
      ['all of them', 'subscriptions publishers list'],
      ['what a reseller manages', 'subscriptions publishers list --as reseller@example.com'],
      ['the emails of deactivated ones', 'subscriptions publishers list --state deactivated | cut -f2'],
    ],
    exits: ['missing'],
  })
    .addOption(new Option('--type <type>', 'only this type').choices(publisherTypes))
    .addOption(
      new Option('--state <state>', 'only publishers and resellers in this state').choices(['active', 'deactivated']),
    )
    .action(
      action<{ type?: string; state?: string }>(cli, async ({ as, type, state = 'all' }) => {
        const { cliOutput } = cli
        const [{ withSession }, { listPublishers }, { everyRow }] = await Promise.all([
          import('../session.ts'),
          import('#core/users/list-publishers.query.ts'),
          import('../every-row.ts'),
        ])
        const rows = await withSession(cliOutput, { as }, ({ ctx }) =>
          everyRow((paging) => listPublishers(ctx, { ...paging, state, ...(type && { userType: type }) })),
        )
        if (cliOutput.flags.json) await cliOutput.json(rows)
        else if (rows.length === 0) cliOutput.say('No publisher matches. Add one: subscriptions publishers add')
        else await printTable(cliOutput, rows, columns)
        return 0
      }),
    )
}
