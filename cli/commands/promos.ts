import { Command } from 'commander'
import type { PromoListItem } from '#core/promos/list-promos.query.ts'
import { promoDay, usesText, validFor } from '#core/promos/promo.rules.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { promosCreateCommand } from './promos-create.ts'
import { promosDeleteCommand } from './promos-delete.ts'

const columns: readonly Column<PromoListItem>[] = [
  { header: 'Code', show: ({ code }) => code },
  { header: 'Status', show: ({ status }) => status },
  {
    header: 'Discount',
    show: ({ discountPercent }) => `${discountPercent}%`,
    raw: ({ discountPercent }) => discountPercent,
    align: 'right',
  },
  { header: 'Used', show: usesText, raw: ({ used, uses }) => `${used}/${uses}`, align: 'right' },
  { header: 'Starts', show: ({ startsOn }) => promoDay(startsOn) || null, raw: ({ startsOn }) => startsOn },
  { header: 'Ends', show: ({ endsOn }) => promoDay(endsOn) || null, raw: ({ endsOn }) => endsOn },
  { header: 'Valid for', show: ({ applicableProducts }) => validFor(applicableProducts) },
  { header: 'Name', show: ({ name }) => name },
]

export function promosCommand(cli: Cli): Command {
  return groupCommand(cli, 'promos', {
    summary: 'List, create or delete promo codes',
    usage: '<command>',
    examples: [
      ['the codes of a publication', 'subscriptions promos list --publication gardener'],
      [
        'a quarter off a year of print, until the end of the year',
        'subscriptions promos create --publication gardener --code SPRING25 \\\n    --name Spring --discount 25 --ends 31-12-2026 --products print:12',
      ],
      ['delete one', 'subscriptions promos delete SPRING25 --publication gardener'],
    ],
    exits: ['missing'],
  })
    .addCommand(listCommand(cli))
    .addCommand(promosCreateCommand(cli))
    .addCommand(promosDeleteCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the promo codes of a publication, newest first',
    details:
      'When piped: one line each, tab-separated, without a header row: code, state, discount, used/uses\n(0 is unlimited), start, end, products, name.',
    examples: [
      ['every code', 'subscriptions promos list --publication gardener'],
      ['only the codes', 'subscriptions promos list --publication gardener | cut -f1'],
      ['as JSON', 'subscriptions promos list --publication gardener --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication: handle }) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication, requireHandle }, { listPromos }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/promos/list-promos.query.ts'),
        ])
        requireHandle(cliOutput, handle)
        const { publication, promos } = await withSession(cliOutput, { as }, async (session) =>
          listPromos(session.ctx, { urlKey: await choosePublication(cliOutput, session, handle) }),
        )
        if (cliOutput.flags.json) await cliOutput.json(promos.map(asJson))
        else if (promos.length === 0) {
          cliOutput.say(
            `No promo codes yet. Create one: subscriptions promos create --publication ${publication.urlKey}`,
          )
        } else await printTable(cliOutput, promos, columns)
        return 0
      }),
    )
}

function asJson(promo: PromoListItem): object {
  const { id, code, name, status, discountPercent, used, uses, startsOn, endsOn, applicableProducts } = promo
  return { id, code, name, status, discountPercent, used, uses, startsOn, endsOn, applicableProducts }
}
