import { Command } from 'commander'
import type { BackIssueListItem } from '#core/back-issues/list-back-issues.query.ts'
import { formatMinorUnits, formatMoney } from '#core/kernel/money.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { bandNames } from '#core/pricing/region.rules.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { isTerminal } from '../io.ts'
import { type Column, printTable } from '../table.ts'

const bands = [
  { header: bandNames.UK, currency: 'GBP', price: 'price', postage: 'postage' },
  { header: bandNames.US, currency: 'USD', price: 'priceUs', postage: 'postageUs' },
  { header: bandNames.EU, currency: 'EUR', price: 'priceEu', postage: 'postageEu' },
] as const

const commonColumns: readonly Column<BackIssueListItem>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'Publication', show: ({ publicationName }) => publicationName },
  { header: 'Volume', show: ({ volume }) => volume },
  {
    header: 'Stock',
    show: ({ stock }) => (stock === null ? 'Unlimited' : formatCount(stock)),
    raw: ({ stock }) => stock ?? '',
    align: 'right',
  },
  { header: 'Sold', show: ({ sold }) => formatCount(sold), raw: ({ sold }) => sold, align: 'right' },
]

/** For people: a price and its postage in one column. */
const listColumns: readonly Column<BackIssueListItem>[] = [
  ...commonColumns,
  ...bands.map(({ header, currency, price, postage }): Column<BackIssueListItem> => {
    const money = (amount: number) => formatMoney({ amount, currency })
    return {
      header,
      show: (issue) => issue[price] && money(issue[price]) + (issue[postage] ? ` + ${money(issue[postage])}` : ''),
      align: 'right',
    }
  }),
]

/** For programs: every amount in a column of its own, as plain decimals; empty where the issue is not sold. */
const pipedColumns: readonly Column<BackIssueListItem>[] = [
  ...commonColumns,
  ...bands.flatMap(({ price, postage }) =>
    [price, postage].map((name) => ({
      header: name,
      show: (issue: BackIssueListItem) => (issue[name] === null ? '' : formatMinorUnits(issue[name])),
    })),
  ),
]

export function backIssuesCommand(cli: Cli): Command {
  return groupCommand(cli, 'back-issues', {
    summary: 'List the back issues with their stock and prices',
    usage: 'list',
    examples: [
      ['every back issue', 'subscriptions back-issues list'],
      ['the back issues of one publication', 'subscriptions back-issues list --publication gardener'],
    ],
    exits: ['missing'],
  }).addCommand(listCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the back issues: stock left, copies sold, price and postage',
    details:
      'When piped: one line each, tab-separated, without a header row: id, publication, volume, stock\n(empty means unlimited), sold, then price and postage in pounds, dollars and euros.',
    examples: [
      ['every back issue', 'subscriptions back-issues list'],
      ['the back issues of one publication', 'subscriptions back-issues list --publication gardener'],
      ['as JSON', 'subscriptions back-issues list --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication }) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication }, { listBackIssues }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/back-issues/list-back-issues.query.ts'),
        ])
        const issues = await withSession(cliOutput, { as }, async (session) =>
          listBackIssues(
            session.ctx,
            publication === undefined ? {} : { urlKey: await choosePublication(cliOutput, session, publication) },
          ),
        )
        if (cliOutput.flags.json) await cliOutput.json(issues.map(asJson))
        else if (issues.length === 0) cliOutput.say('There are no back issues yet. Add one in the back office.')
        else await printTable(cliOutput, issues, isTerminal(cliOutput.io.stdout) ? listColumns : pipedColumns)
        return 0
      }),
    )
}

/** Amounts are minor units, as everywhere in the JSON of this program. */
function asJson(issue: BackIssueListItem) {
  const { id, publicationId, publicationName, volume, description, stock, sold } = issue
  const { price, priceUs, priceEu, postage, postageUs, postageEu } = issue
  const amounts = { price, priceUs, priceEu, postage, postageUs, postageEu }
  return { id, publicationId, publicationName, volume, description, stock, sold, ...amounts }
}
