import { Command, Option } from 'commander'
import { ledgerDayKinds, type OrderChoice, orderChoiceNames, orderChoices } from '#core/ledger/order-choices.rules.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type LedgerFlags, publisherFlag, withLedgerSession } from './ledger-flags.ts'

interface ExportFlags extends LedgerFlags, Partial<Record<OrderChoice, string>> {
  from?: string
  to?: string
  by: (typeof ledgerDayKinds)[number]
  asOf?: string
  find?: string
  output?: string
  bom?: boolean
}

const exportFlags = {
  from: '--from',
  until: '--to',
  asOf: '--as-of',
  q: '--find',
  publicationId: '--publication',
  ...Object.fromEntries(orderChoiceNames.map((name) => [name, `--${name}`])),
}

const choiceHelp: Record<OrderChoice, string> = {
  payment: 'only orders paid by this method',
  product: 'only orders of this product',
  state: 'only orders now in this state',
  source: 'only orders of this kind of sale',
  channel: 'only orders through this channel',
}

export function ledgerExportCommand(cli: Cli): Command {
  const command = describe(new Command('export'), {
    summary: 'Write the orders of the sales ledger as CSV',
    details:
      'The same file as Download All Orders, newest orders first. On a terminal it is saved in\n' +
      'the current directory; when piped or redirected it goes to stdout.',
    examples: [
      ['all orders', 'subscriptions ledger export --publisher p@example.com'],
      [
        'what was entered in a month, as it stood at its end',
        'subscriptions ledger export --publisher p@example.com --by entered --from 01/10/2026 --to 31/10/2026 --as-of 31/10/2026',
      ],
      [
        'refunded renewals of print',
        'subscriptions ledger export --publisher p@example.com --product print --state refunded --source renewal',
      ],
      ['through a pipe', 'subscriptions ledger export --publisher p@example.com | gzip > orders.csv.gz'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .option(...flags.publication)
    .option('--from <date>', 'from this day on, as DD/MM/YYYY')
    .option('--to <date>', 'up to and including this day')
    .addOption(
      new Option('--by <day>', 'the day that --from and --to refer to: of the order, its sale or any entry')
        .choices(ledgerDayKinds)
        .default('ordered'),
    )
    .option('--as-of <date>', 'as the ledger stood at the end of this day')
    .option('--find <text>', 'only orders with this name, number, title, product or amount')
  for (const name of orderChoiceNames)
    command.addOption(new Option(`--${name} <value>`, choiceHelp[name]).choices(Object.keys(orderChoices[name].labels)))
  command.option(...flags.output)
  command.option('--bom', 'begin with a byte order mark, for Excel (default: files only)')
  return command.option('--no-bom', 'no byte order mark').action(
    action<ExportFlags>(cli, (options) =>
      withLedgerSession(cli, options, async ({ ctx, publicationId }) => {
        const { cliOutput } = cli
        const [{ exportOrders }, output] = await Promise.all([
          import('#core/ledger/export-orders.ts'),
          import('../save-output.ts'),
        ])
        const requested = output.outputTarget(cliOutput, options.output)
        const { from, to: until, by, asOf, find: q } = options
        const choices = Object.fromEntries(orderChoiceNames.map((name) => [name, options[name]]))
        const ordersFile = await withFlagErrors(exportFlags, 'subscriptions ledger export', () =>
          exportOrders(ctx, {
            publicationId,
            from,
            until,
            by,
            asOf,
            q,
            ...choices,
            bom: options.bom ?? requested?.kind !== 'stdout',
          }),
        )
        const target = requested ?? output.defaultTarget(cliOutput, ordersFile.fileName)
        await output.checkTarget(target)
        await output.saveOutput(cliOutput, target, ordersFile.chunks)
        const file = target.kind === 'file' ? target.path : null
        if (cliOutput.flags.json) await cliOutput.json({ file })
        else if (file) cliOutput.say(`${cliOutput.err.done} ${file}`)
      }),
    ),
  )
}
