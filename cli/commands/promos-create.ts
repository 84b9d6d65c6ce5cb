import { Command } from 'commander'
import { promoDay, promoLink, validFor } from '#core/promos/promo.rules.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { answersTo, requireFlags } from '../new-person.ts'
import { promoProducts } from '../promo-products.ts'

interface CreateFlags {
  publication?: string
  code?: string
  name?: string
  discount?: string
  starts?: string
  ends?: string
  uses?: string
  products?: string[]
  dryRun?: boolean
}

const flagOf = {
  code: '--code',
  name: '--name',
  discountPercent: '--discount',
  startsOn: '--starts',
  endsOn: '--ends',
  uses: '--uses',
  applicableProducts: '--products',
}

export function promosCreateCommand(cli: Cli): Command {
  return describe(new Command('create'), {
    summary: 'Create a promo code',
    details:
      'On a terminal it asks for the code, the name and the discount if no flag sets them.\n' +
      'Without --products the code is valid for every product and every term except one month.',
    examples: [
      ['interactively', 'subscriptions promos create --publication gardener'],
      [
        'a quarter off print by the year or half-year, and off all digital',
        'subscriptions promos create --publication gardener --code SPRING25 \\\n    --name Spring --discount 25 --products print:12,6 digital',
      ],
      [
        'fifty uses in December, as a dry run',
        'subscriptions promos create --publication gardener --code XMAS --name Xmas \\\n    --discount 10 --starts 01-12-2026 --ends 31-12-2026 --uses 50 --dry-run',
      ],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .option('--code <code>', 'what buyers type, in upper or lower case')
    .option('--name <name>', 'its name, for staff')
    .option('--discount <percent>', 'how much it takes off, from 1 to 100')
    .option('--starts <day>', 'its first day, such as 31-12-2026 (default: today)')
    .option('--ends <day>', 'its last day (default: no end)')
    .option('--uses <number>', 'how often it can be used; 0 is unlimited', '0')
    .option('--products <product...>', 'print, digital, bundle, each with :12,6,3 or all')
    .option(...flags.dryRun)
    .action(action<CreateFlags>(cli, (options) => createOne(cli, options)))
}

async function createOne(cli: Cli, options: CreateFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const { dryRun = false } = options
  const questions = [
    { name: 'code', flag: '--code', question: 'Code', value: options.code },
    { name: 'name', flag: '--name', question: 'Name', value: options.name },
    { name: 'discountPercent', flag: '--discount', question: 'Discount (%)', value: options.discount },
  ]
  const applicableProducts = options.products && promoProducts(options.products)
  requireFlags(cliOutput, [{ flag: '--publication', value: options.publication }, ...questions])
  const [{ withSession }, { choosePublication }, { ownPublication }, { createPromo }, { withDryRun }] =
    await Promise.all([
      import('../session.ts'),
      import('../choose-publication.ts'),
      import('#core/publications/own-publication.ts'),
      import('#core/promos/create-promo.ts'),
      import('../with-dry-run.ts'),
    ])
  return withSession(cliOutput, options, async (session) => {
    const { ctx } = session
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    const { id: publicationId } = await ownPublication(ctx, { urlKey })
    const input = {
      ...(await answersTo(cliOutput, questions)),
      publicationId,
      startsOn: options.starts,
      endsOn: options.ends,
      uses: options.uses,
      ...(applicableProducts && { applicableProducts }),
    }
    const promo = await withFlagErrors(flagOf, 'subscriptions promos create', () =>
      withDryRun(ctx, dryRun, () => createPromo(ctx, input)),
    )
    const link = promoLink(ctx.settings.appUrl, promo)
    if (cliOutput.flags.json) {
      const { code, name, discountPercent, uses, startsOn, endsOn, applicableProducts } = promo
      const fields = { code, name, discountPercent, uses, startsOn, endsOn, applicableProducts, link }
      await cliOutput.json({ dryRun, id: dryRun ? null : promo.id, ...fields })
      return 0
    }
    await cliOutput.confirm(dryRun ? `Would create ${promo.code}` : `${cliOutput.out.done} Created ${promo.code}`)
    await cliOutput.confirm(
      labelled([
        ['Publication', urlKey],
        ['Name', promo.name],
        ['Discount', `${promo.discountPercent}%`],
        ['Valid for', validFor(promo.applicableProducts)],
        ['Starts', promoDay(promo.startsOn)],
        ['Ends', promoDay(promo.endsOn) || 'no end'],
        ['Uses', promo.uses === 0 ? 'unlimited' : promo.uses],
        ['Link', link],
        ['ID', dryRun ? null : promo.id],
      ]),
    )
    if (!dryRun) cliOutput.say(`Next: subscriptions promos list --publication ${urlKey}`)
    return 0
  })
}
