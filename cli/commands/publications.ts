import { Command } from 'commander'
import { formatDay, formatUtc } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import type { PublicationView } from '#core/publications/get-publication.query.ts'
import type { PublicationListItem } from '#core/publications/list-publications.query.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'
import { type Column, printTable } from '../table.ts'
import { publicationsCreateCommand } from './publications-create.ts'
import { publicationsRenameCommand } from './publications-rename.ts'

const columns: readonly Column<PublicationListItem>[] = [
  { header: 'Handle', show: ({ urlKey }) => urlKey },
  { header: 'Name', show: ({ publicationName }) => publicationName },
  { header: 'Issues', show: ({ issuesPerYear }) => issuesPerYear, align: 'right' },
  { header: 'Readers', show: ({ readers }) => formatCount(readers), raw: ({ readers }) => readers, align: 'right' },
  {
    header: 'Active',
    show: ({ activeReaders }) => formatCount(activeReaders),
    raw: ({ activeReaders }) => activeReaders,
    align: 'right',
  },
]

export function publicationsCommand(cli: Cli): Command {
  return groupCommand(cli, 'publications', {
    summary: 'List, show, add or rename publications',
    usage: '<command>',
    examples: [
      ['every publication with its number of readers', 'subscriptions publications list'],
      ['one publication', 'subscriptions publications show gardener'],
      [
        'a new one',
        'subscriptions publications create --publisher ann@example.com --name "The Gardener" \\\n    --issues 10 --email hello@example.com --order-email orders@example.com',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(publicationsCreateCommand(cli))
    .addCommand(publicationsRenameCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the publications with their readers',
    details:
      'When piped: one line each, tab-separated, without a header row: handle, name, issues a year,\nreaders, active readers.',
    examples: [
      ['every publication', 'subscriptions publications list'],
      ['only the handles', 'subscriptions publications list | cut -f1'],
      ['what a user may see', 'subscriptions publications list --as ann@example.com --json'],
    ],
    exits: ['missing'],
  }).action(
    action(cli, async ({ as }) => {
      const [{ withSession }, { listPublications }, { can }, { getTitleQuota }] = await Promise.all([
        import('../session.ts'),
        import('#core/publications/list-publications.query.ts'),
        import('#core/access/permissions.ts'),
        import('#core/publications/get-title-quota.query.ts'),
      ])
      // The operator has no quota.
      const { rows, quota } = await withSession(cli.cliOutput, { as }, async ({ ctx }) => ({
        rows: await listPublications(ctx, {}),
        quota: ctx.actor.kind === 'staff' && can(ctx.actor, 'publication:read') ? await getTitleQuota(ctx, {}) : null,
      }))
      if (cli.cliOutput.flags.json) {
        await cli.cliOutput.json(
          rows.map(
            ({ id, urlKey, publicationName, issuesPerYear, readers, activeReaders, sellsBackIssues, isOnSale }) => ({
              id,
              urlKey,
              publicationName,
              issuesPerYear,
              readers,
              activeReaders,
              sellsBackIssues,
              isOnSale,
            }),
          ),
        )
        return 0
      }
      if (rows.length === 0)
        cli.cliOutput.say(
          'There are no publications yet. Add one: subscriptions publications create (or create the demo data: subscriptions seed)',
        )
      else await printTable(cli.cliOutput, rows, columns)
      if (quota) cli.cliOutput.say(`${quota.used} of ${quota.allowed} titles`)
      return 0
    }),
  )
}

function showCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show one publication: prices, readers, last files',
    examples: [
      ['by its handle', 'subscriptions publications show gardener'],
      ['as JSON', 'subscriptions publications show gardener --json'],
      ['choose from the list', 'subscriptions publications show'],
    ],
    exits: ['missing'],
  })
    .argument('[handle]', 'the handle of the publication')
    .action(
      action(cli, async ({ as }, [handle]) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication, requireHandle }, { getPublication }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/publications/get-publication.query.ts'),
        ])
        requireHandle(cliOutput, handle)
        const view = await withSession(cliOutput, { as }, async (session) =>
          getPublication(session.ctx, { urlKey: await choosePublication(cliOutput, session, handle) }),
        )
        if (cliOutput.flags.json) await cliOutput.json(view)
        else await printPublication(cliOutput, view)
        return 0
      }),
    )
}

async function printPublication(cliOutput: CliOutput, view: PublicationView): Promise<void> {
  const { readers, lastImport, lastMailingFile } = view
  await cliOutput.print(cliOutput.out.bold(printable(view.publicationName)))
  await cliOutput.print(
    labelled([
      ['Handle', view.urlKey],
      ['Publisher', view.companyName],
      ['Issues a year', view.issuesPerYear],
      ['Enquiries to', view.emailAddress],
      ['Orders to', view.orderEmailAddress],
      ['Back issues', view.sellsBackIssues ? 'on sale' : 'not on sale'],
      ['Free products', view.freeProducts.join(', ')],
      ['Readers', `${formatCount(readers.active)} active, ${formatCount(readers.deactivated)} deactivated`],
      ['Last import', lastImport && lastImportText(lastImport)],
      [
        'Last mailing file',
        lastMailingFile && `${formatDay(lastMailingFile.on)}: ${formatCount(lastMailingFile.included)} readers`,
      ],
      ['Prices', view.prices.length === 0 ? 'none yet' : null],
    ]),
  )
  if (view.prices.length === 0) return
  await cliOutput.print('')
  await printTable(cliOutput, view.prices, [
    { header: 'Product', show: ({ product }) => product },
    { header: 'Months', show: ({ termMonths }) => termMonths, align: 'right' },
    { header: 'Band', show: ({ band }) => band },
    { header: 'Price', show: (price) => formatMoney(price), align: 'right' },
    { header: 'Renews', show: ({ isRecurring }) => (isRecurring ? 'automatically' : 'no') },
  ])
}

function lastImportText({
  fileName,
  startedAt,
  added,
  failed,
  state,
}: NonNullable<PublicationView['lastImport']>): string {
  const outcome = `${formatCount(added)} added, ${formatCount(failed)} rejected`
  return `${fileName}, ${formatUtc(new Date(startedAt))} UTC: ${outcome}${state === 'done' ? '' : ` (${state})`}`
}
