import { randomUUID } from 'node:crypto'
import { Command, Option } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import {
  type StaffPaymentMethod,
  staffPaymentMethodNames,
  staffPaymentMethods,
  termStartNames,
} from '#core/orders/staff-payment-methods.rules.ts'
import { usageError } from '../cli-error.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { answersTo, requireFlags } from '../new-person.ts'
import { pick } from '../prompt.ts'
import { printable } from '../style.ts'

interface AddFlags {
  publication?: string
  plan?: string
  country?: string
  method?: StaffPaymentMethod
  begins: string
  reference?: string
  channel: string
  title?: string
  firstName?: string
  lastName?: string
  email?: string
  telephone?: string
  company?: string
  vatNumber?: string
  address?: string[]
  city?: string
  state?: string
  postcode?: string
  promo?: string
  reader?: string
  start?: string
  answer?: string[]
  receipt: boolean
  key?: string
  dryRun?: boolean
}

const flagOf = {
  plan: '--plan',
  country: '--country',
  method: '--method',
  begins: '--begins',
  note: '--reference',
  title: '--title',
  firstName: '--first-name',
  lastName: '--last-name',
  email: '--email',
  mobile: '--telephone',
  vatNumber: '--vat-number',
  'billing.companyName': '--company',
  'billing.addressOne': '--address',
  'billing.addressTwo': '--address',
  'billing.addressThree': '--address',
  'billing.city': '--city',
  'billing.state': '--state',
  'billing.postCode': '--postcode',
  promoCode: '--promo',
  startOn: '--start',
  idempotencyKey: '--key',
  ...Object.fromEntries(['A', 'B', 'C', 'D', 'E'].map((key) => [`answers.${key}`, '--answer'])),
}

const keyFormat = '16 to 64 letters, digits, hyphens and underscores'

export function ordersAddCommand(cli: Cli): Command {
  return describe(new Command('add'), {
    summary: 'Enter an order that came by phone or post',
    details:
      'Uses the prices of the storefront; --dry-run shows the total. On a terminal it asks for\n' +
      'missing values. Plans that renew need a card and cannot be entered. A second run with the\n' +
      'same --key does not enter the order again.',
    examples: [
      ['interactively', 'subscriptions orders add --publication gardener'],
      [
        'a year of print, paid by cheque',
        'subscriptions orders add --publication gardener --plan 1PN29.99 --method cheque \\\n    --reference 000123 --first-name Ann --last-name Lee --email ann@example.com \\\n    --address "1 Quay Street" --city London --postcode "SW1A 1AA"',
      ],
      [
        'what another year would cost a reader',
        'subscriptions orders add --publication gardener --reader TG1234567 --plan 1PN29.99 \\\n    --method cash --dry-run',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...flags.publication)
    .option('--plan <code>', 'the plan, such as 1PN29.99: a year of print for 29.99')
    .option('--country <code>', 'the country, which decides the price (default: the reader’s, else the publisher’s)')
    .addOption(new Option('--method <method>', 'how it was paid').choices(staffPaymentMethods))
    .addOption(
      new Option('--begins <when>', 'for an invoice, when it begins: with the order (now), or once the invoice is paid')
        .choices(termStartNames)
        .default('now'),
    )
    .option('--reference <text>', 'the number of the cheque or the transfer; with --method free, the reason')
    .addOption(
      new Option('--channel <channel>', 'how the order was received').choices(['phone', 'post']).default('phone'),
    )
    .option('--reader <reference>', 'an existing reader; missing values are taken from the record')
    .option('--title <title>', 'the buyer’s title, such as Mrs')
    .option('--first-name <name>', 'the buyer’s first name')
    .option('--last-name <name>', 'the buyer’s last name')
    .option('--email <email>', 'the buyer’s email, which is the account of the order')
    .option('--telephone <number>', 'the buyer’s telephone number')
    .option('--company <name>', 'the company in the address')
    .option('--vat-number <number>', 'the VAT number of a business in the UK or the EU, such as DE123456789')
    .option('--address <line...>', 'the address, up to three lines')
    .option('--city <city>', 'the town or city')
    .option('--state <state>', 'the state or province')
    .option('--postcode <code>', 'the postcode')
    .option('--promo <code>', 'a promo code')
    .option('--start <day>', 'the first day of a new term (default: today)')
    .option('--answer <letter=text...>', 'answers to the publication’s questions, such as A=Yes')
    .option('--no-receipt', 'send no receipt')
    .option('--key <key>', `an idempotency key: ${keyFormat}`)
    .option(...flags.dryRun)
    .action(action<AddFlags>(cli, (options) => addOne(cli, options)))
}

async function addOne(cli: Cli, options: AddFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const { dryRun = false } = options
  const orderQuestions = [{ name: 'plan', flag: '--plan', question: 'Plan, such as 1PN29.99', value: options.plan }]
  const personQuestions = [
    { name: 'firstName', flag: '--first-name', question: 'First name', value: options.firstName },
    { name: 'lastName', flag: '--last-name', question: 'Last name', value: options.lastName },
    { name: 'email', flag: '--email', question: 'Email', value: options.email },
    { name: 'addressOne', flag: '--address', question: 'Address', value: options.address?.[0] },
    { name: 'city', flag: '--city', question: 'Town or city', value: options.city },
    { name: 'postCode', flag: '--postcode', question: 'Postcode', value: options.postcode },
  ]
  requireFlags(cliOutput, [
    { flag: '--publication', value: options.publication },
    ...orderQuestions,
    { flag: '--method', value: options.method },
    ...(options.reader === undefined ? personQuestions : []),
  ])
  const [
    { withSession },
    { choosePublication },
    { ownPublication },
    { publisherSettings },
    { planStaffOrder, takeStaffOrder },
    { orderKey },
  ] = await Promise.all([
    import('../session.ts'),
    import('../choose-publication.ts'),
    import('#core/publications/own-publication.ts'),
    import('#core/accounts/publisher-settings.query.ts'),
    import('#core/orders/take-staff-order.ts'),
    import('#core/orders/order-form.input.ts'),
  ])
  if (options.key !== undefined && !orderKey.test(options.key))
    throw usageError(`--key ${printable(options.key)} is not an idempotency key`, `use ${keyFormat}`)
  return withSession(cliOutput, options, async (session) => {
    const { ctx } = session
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    const { id: publicationId, publisherId } = await ownPublication(ctx, { urlKey })
    const existing = options.reader === undefined ? null : await filledFields(ctx, publicationId, options.reader)
    const prefilledQuestions = personQuestions.map((question) => ({
      ...question,
      value: question.value ?? existing?.values[question.name],
    }))
    requireFlags(cliOutput, prefilledQuestions)
    const { plan } = await answersTo(cliOutput, orderQuestions)
    const answers = await answersTo(cliOutput, prefilledQuestions)
    const { firstName, lastName, email, addressOne, city, postCode } = answers
    const paymentMethod =
      options.method ??
      ((await pick(
        cliOutput,
        'How was it paid?',
        staffPaymentMethods.map((value) => ({ value, name: staffPaymentMethodNames[value] })),
      )) as StaffPaymentMethod)
    // The lines of one address: a new first line is never followed by old ones.
    const [, addressTwo = '', ...furtherLines] = options.address ?? recordLines(existing?.values ?? {})
    const input = {
      publicationId,
      plan,
      method: paymentMethod,
      country: options.country ?? existing?.values.country ?? (await publisherSettings(ctx, publisherId)).homeCountry,
      channel: options.channel,
      note: options.reference ?? '',
      vatNumber: options.vatNumber ?? '',
      begins: options.begins,
      firstName,
      lastName,
      email,
      title: options.title ?? existing?.values.title ?? '',
      mobile: options.telephone ?? existing?.values.telephone ?? '',
      billing: {
        addressOne,
        city,
        postCode,
        companyName: options.company ?? existing?.values.companyName ?? '',
        addressTwo,
        addressThree: furtherLines.filter(Boolean).join(', '),
        state: options.state ?? existing?.values.state ?? '',
      },
      answers: Object.fromEntries((options.answer ?? []).map((pair) => answerOf(pair))),
      promoCode: options.promo ?? '',
      startOn: options.start,
      sendsReceipt: options.receipt,
      ...(existing ? { readerId: existing.id } : {}),
      idempotencyKey: options.key ?? randomUUID(),
    }
    const command = 'subscriptions orders add'
    if (dryRun) {
      const planned = await withFlagErrors(flagOf, command, () => planStaffOrder(ctx, input))
      if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...planned })
      else await cliOutput.confirm(labelled([['Would enter', planned.productName], ...figures(planned)]))
      return 0
    }
    const placedOrder = await withFlagErrors(flagOf, command, () => takeStaffOrder(ctx, input))
    if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...placedOrder })
    else {
      await cliOutput.confirm(`${cliOutput.out.done} Entered ${placedOrder.orderNumber}`)
      await cliOutput.confirm(labelled([['Product', placedOrder.productName], ...figures(placedOrder)]))
    }
    return 0
  })
}

function figures({
  amount,
  currency,
  startOn,
  endOn,
}: {
  amount: number
  currency: Parameters<typeof formatMoney>[0]['currency']
  startOn: string | null
  endOn: string | null
}): [string, string][] {
  return [
    ['Total', formatMoney({ amount, currency })],
    ['Term', startOn && endOn ? `${formatDay(startOn)} to ${formatDay(endOn)}` : ''],
  ]
}

/** The id and the filled fields of a reader, for values that no flag sets. */
async function filledFields(
  ctx: import('#core/context.ts').AppContext,
  publicationId: number,
  uniqueReference: string,
): Promise<{ id: number; values: Record<string, string> }> {
  const [{ findReader }, { getReader }] = await Promise.all([
    import('#core/readers/find-reader.query.ts'),
    import('#core/readers/get-reader.query.ts'),
  ])
  const { id } = await findReader(ctx, { publicationId, uniqueReference })
  const reader = await getReader(ctx, { id })
  const filled = Object.entries(reader).filter(([, value]) => typeof value === 'string' && value !== '')
  return { id, values: Object.fromEntries(filled) as Record<string, string> }
}

function recordLines({ addressOne, addressTwo, addressThree, addressFour }: Record<string, string>): string[] {
  return [addressOne, addressTwo, addressThree, addressFour].map((line) => line ?? '')
}

function answerOf(pair: string): [string, string] {
  const index = pair.indexOf('=')
  return [pair.slice(0, Math.max(index, 0)).trim().toUpperCase(), pair.slice(index + 1).trim()]
}
