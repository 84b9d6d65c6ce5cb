import { Command } from 'commander'
import { currencies } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { bandNames } from '#core/pricing/region.rules.ts'
import { interrupted, usageError } from '../cli-error.ts'
import { action, type Cli, flags, formerFlag } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'

interface OfferFlags {
  publication?: string
  name?: string
  status?: string
  endsFrom?: string
  endsTo?: string
  endsUntil?: string
  product?: string
  country?: string
  offerProduct?: string
  offerTerm?: string
  percent?: string
  price?: string[]
  validUntil?: string
  goodUntil?: string
  subject?: string
  text?: string
  dryRun?: boolean
}

const flagOf = {
  name: '--name',
  status: '--status',
  endsFrom: '--ends-from',
  endsUntil: '--ends-to',
  product: '--product',
  country: '--country',
  offerProduct: '--offer-product',
  offerTermMonths: '--offer-term',
  offerPercent: '--percent',
  offerPrices: '--price',
  validUntil: '--valid-until',
  subject: '--subject',
  body: '--text',
  ...Object.fromEntries(currencies.map((currency) => [`offerPrices.${currency}`, '--price'])),
}

export function renewalsOfferCommand(cli: Cli): Command {
  return describe(new Command('offer'), {
    summary: 'Send an offer by email to chosen readers of a title, once to each',
    details:
      'It goes to readers who bought here and accept offers by email. Left out are readers who renew\n' +
      'automatically, bought again, stopped reminders, had an offer in the last month or left more than\n' +
      'five years ago. The worker sends the emails. --dry-run shows how many would get it, and why\n' +
      'others would not.',
    examples: [
      [
        'who would get it',
        'subscriptions renewals offer --publication tide --name Back --valid-until 31/08/2027 --dry-run',
      ],
      [
        'with a discount',
        'subscriptions renewals offer --publication tide --name Back --valid-until 31/08/2027 --percent 20',
      ],
      [
        'to readers of print',
        'subscriptions renewals offer --publication tide --name Back --valid-until 31/08/2027 --product print',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> --name <name> --valid-until <date> [flags]')
    .option(...flags.publication)
    .option('--name <name>', 'its name, for staff')
    .option('--status <status>', 'ended, running or any', 'ended')
    .option('--ends-from <date>', 'only subscriptions that end on this day or later, as DD/MM/YYYY')
    .option('--ends-to <date>', 'only subscriptions that end on this day or earlier')
    .addOption(formerFlag('--ends-until <date>'))
    .option('--product <product>', 'only readers of print, digital or bundle')
    .option('--country <code>', 'only readers in this country, such as GB')
    .option('--offer-product <product>', 'the product offered (default: what each reader has)')
    .option('--offer-term <months>', 'the term offered: 1, 3, 6 or 12')
    .option('--percent <number>', 'a discount, by a promo code for one reader and one use')
    .option('--price <currency=amount...>', 'a price in place of a discount, such as GBP=19.00')
    .option('--valid-until <date>', 'the last day of its links, prices and codes')
    .addOption(formerFlag('--good-until <date>'))
    .option('--subject <text>', 'the subject (default: that of the template)')
    .option('--text <text>', 'the text (default: that of the template)')
    .option(...flags.dryRun)
    .action(action<OfferFlags>(cli, (options) => offer(cli, options)))
}

async function offer(cli: Cli, { dryRun = false, ...options }: OfferFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const [{ withSession }, { choosePublication, requireHandle }, { ownPublication }, offers, { sendBlanketOffer }] =
    await Promise.all([
      import('../session.ts'),
      import('../choose-publication.ts'),
      import('#core/publications/own-publication.ts'),
      import('#core/series/blanket-offers.ts'),
      import('#core/series/send-blanket-offer.ts'),
    ])
  requireHandle(cliOutput, options.publication)
  return withSession(cliOutput, { as: options.as }, async (session) => {
    const { ctx } = session
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    const { id: publicationId } = await ownPublication(ctx, { urlKey })
    const {
      name,
      status,
      endsFrom,
      endsUntil: formerEnd,
      endsTo: endsUntil = formerEnd,
      product,
      country,
      goodUntil,
      validUntil = goodUntil,
      subject,
      text,
    } = options
    const input = {
      publicationId,
      name,
      status,
      endsFrom,
      endsUntil,
      product,
      country,
      validUntil,
      subject,
      body: text,
      offerProduct: options.offerProduct,
      offerTermMonths: options.offerTerm,
      offerPercent: options.percent,
      offerPrices: pricesOf(options.price ?? []),
    }
    const command = 'subscriptions renewals offer'
    const reach = await withFlagErrors(flagOf, command, () => offers.previewBlanketOffer(ctx, input))
    if (reach.unsoldIn.length > 0)
      cliOutput.warn(
        `the offered plan is not sold in ${reach.unsoldIn.map((band) => bandNames[band]).join(', ')}: readers there are offered another one, or none`,
      )
    if (dryRun) {
      if (cliOutput.flags.json) await cliOutput.json({ dryRun, publication: urlKey, ...reach })
      else await cliOutput.confirm(`Would send it to ${countOf(reach.readers, 'reader')} of ${urlKey}`)
      for (const { text, readers } of reach.excluded) cliOutput.say(`Left out: ${readers} ${text}`)
      if (!reach.isAccountOn) cliOutput.say('The account does not send renewal emails: nothing can be sent')
      return 0
    }
    const { id } = await withFlagErrors(flagOf, command, () => offers.saveBlanketOffer(ctx, { ...input, id: null }))
    const progress = makeProgress(cliOutput, 'Sending', 'readers')
    const { isStopped, ...result } = await sendBlanketOffer(ctx, {
      id,
      isWaiting: true,
      signal: cliOutput.io.signal,
      onProgress: (checked: number) => progress.update(checked, 0),
    }).finally(() => progress.end())
    if (cliOutput.flags.json) await cliOutput.json({ dryRun, publication: urlKey, offer: id, isStopped, ...result })
    if (isStopped)
      throw interrupted(
        `Offer ${id} of ${urlKey} was stopped after ${countOf(result.planned, 'reader')}`,
        'send the rest in the back office: Renewals, Offers',
      )
    if (!cliOutput.flags.json)
      await cliOutput.confirm(
        `${cliOutput.out.done} Queued offer ${id} of ${urlKey} for ${countOf(result.planned, 'reader')}: the worker sends the emails`,
      )
    return 0
  })
}

function pricesOf(args: readonly string[]): Record<string, string> {
  const pairs = args.map((arg) => {
    const [name = '', amount = ''] = arg.split('=', 2)
    const currency = currencies.find((code) => code === name.trim().toUpperCase())
    if (!currency || amount.trim() === '')
      throw usageError(
        `"${arg}" is not a price with its currency`,
        `write currency=amount, such as GBP=19.00, for one of ${currencies.join(', ')}`,
      )
    return [currency, amount]
  })
  return Object.fromEntries(pairs)
}
