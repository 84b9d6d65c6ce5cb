import { Command } from 'commander'
import { dayOf } from '#core/kernel/calendar.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { formatMoney, type Money } from '#core/kernel/money.ts'
import type { OpenCredit } from '#core/orders/credits.query.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { amountColumn } from './ledger-flags.ts'

const columns = (timeZone: string): readonly Column<OpenCredit>[] => [
  { header: 'Order', show: ({ orderNumber }) => orderNumber },
  { header: 'Given', show: (row) => formatDay(givenOn(row, timeZone)), raw: (row) => givenOn(row, timeZone) },
  { header: 'Publication', show: ({ publicationName }) => publicationName },
  { header: 'Buyer', show: ({ name, email }) => `${name}, ${email}` },
  amountColumn('Credit', ({ amount }) => amount),
  amountColumn('Left', ({ left }) => left),
  { header: 'Currency', show: ({ currency }) => currency },
]

const givenOn = ({ givenAt }: OpenCredit, timeZone: string) => dayOf(givenAt, timeZone)

export function ordersCreditsCommand(cli: Cli): Command {
  return describe(new Command('credits'), {
    summary: 'List refunds kept as credit, and what is left of them',
    details: 'Amounts in --json are whole pence or cents.',
    examples: [
      ['all that is owed to readers as credit, the oldest first', 'subscriptions orders credits --as p@example.com'],
      ['of one title', 'subscriptions orders credits --publication gardener'],
      ['as JSON', 'subscriptions orders credits --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async (options) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication }, { ownPublication }, { listCredits }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/publications/own-publication.ts'),
          import('#core/orders/credits.query.ts'),
        ])
        return withSession(cliOutput, options, async (session) => {
          const { ctx } = session
          const { publication } = options
          const urlKey = publication && (await choosePublication(cliOutput, session, publication))
          const publicationId = urlKey === undefined ? undefined : (await ownPublication(ctx, { urlKey })).id
          const rows: OpenCredit[] = []
          let left: Money[] = []
          for (let page = 1, pages = 1; page <= pages; page++) {
            const result = await listCredits(ctx, { page, size: 100, publicationId })
            rows.push(...result.rows)
            pages = result.pages
            left = result.left
          }
          if (cliOutput.flags.json) await cliOutput.json(rows)
          else if (rows.length === 0) cliOutput.say('No credit is left')
          else {
            await printTable(cliOutput, rows, columns(ctx.settings.timeZone))
            cliOutput.say(`${left.map((money) => formatMoney(money)).join(', ')} left`)
          }
          return 0
        })
      }),
    )
}
