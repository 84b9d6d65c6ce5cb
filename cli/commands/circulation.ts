import { Command, Option } from 'commander'
import type { Circulation } from '#core/analytics/circulation.query.ts'
import { type CirculationCount, changeLines, countColumns, type PrintOrder } from '#core/analytics/circulation.rules.ts'
import { type Day, formatDay, parseDay } from '#core/kernel/dates.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { exitCodes, usageError } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'

interface CirculationFlags {
  publication?: string
  on?: string
  since?: string
  spares?: string
  csv?: boolean
}

export function circulationCommand(cli: Cli): Command {
  return describe(new Command('circulation'), {
    summary: 'Count the subscriptions of a publication on a day',
    details:
      'Subscriptions that ran at the end of that day, by product, paid or free, country, zone\n' +
      'with the print order, and price band, as the records were then. With --since also which\n' +
      'subscriptions were gained and lost between the two days, and why. Exit code 5 if the circulation is not known.',
    examples: [
      ['today', 'subscriptions circulation --publication gardener'],
      ['a past day, for a spreadsheet', 'subscriptions circulation --publication gardener --on 30/06/2026 --csv'],
      [
        'what changed in a month',
        'subscriptions circulation --publication gardener --since 01/11/2026 --on 30/11/2026',
      ],
      ['the print order with 3 per cent spares', 'subscriptions circulation --publication gardener --spares 3'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> [flags]')
    .option(...flags.publication)
    .option('--on <date>', 'the day: 01/12/2026 or 2026-12-01 (default: today)')
    .option('--since <date>', 'also what changed since this day')
    .option('--spares <percent>', 'spare copies in the print order (default: 0)')
    .addOption(new Option('--csv', 'write CSV to stdout').conflicts('json'))
    .action(action<CirculationFlags>(cli, (options) => runCirculation(cli, options)))
}

async function runCirculation({ cliOutput }: Cli, options: CirculationFlags & { as?: string }): Promise<number> {
  const on = parseDayFlag('--on', options.on)
  const since = parseDayFlag('--since', options.since)
  if (options.csv && cliOutput.flags.json) throw usageError('--csv and --json cannot both go to stdout', 'choose one')
  const [
    { withSession },
    { choosePublication, requireHandle },
    { withFlagErrors },
    query,
    { exportCirculation },
    { ownPublication },
  ] = await Promise.all([
    import('../session.ts'),
    import('../choose-publication.ts'),
    import('../field-flags.ts'),
    import('#core/analytics/circulation.query.ts'),
    import('#core/analytics/export-circulation.ts'),
    import('#core/publications/own-publication.ts'),
  ])
  requireHandle(cliOutput, options.publication)
  return withSession(cliOutput, options, async (session) => {
    const withRemoved = true
    const urlKey = await choosePublication(cliOutput, session, options.publication, { withRemoved })
    const { id: publicationId } = await ownPublication(session.ctx, { urlKey }, { withRemoved })
    const input = { publicationId, on, since, spares: options.spares }
    return withFlagErrors(flagOf, 'subscriptions circulation', async () => {
      if (options.csv) {
        const { chunks } = await exportCirculation(session.ctx, { ...input, bom: false })
        const { saveOutput } = await import('../save-output.ts')
        await saveOutput(cliOutput, { kind: 'stdout' }, chunks)
        return 0
      }
      const circulation = await query.circulation(session.ctx, input)
      if (cliOutput.flags.json) await cliOutput.json({ publication: urlKey, ...circulation })
      else await printCirculation(cliOutput, circulation)
      return circulation.counts === null || circulation.change?.products === null
        ? exitCodes.conflict.code
        : exitCodes.done.code
    })
  })
}

function parseDayFlag(flag: string, text: string | undefined): Day | undefined {
  const day = text === undefined ? undefined : parseDay(text)
  if (day === null)
    throw usageError(`${flag} ${text} is not a date`, 'write it as 01/12/2026 (day, month, year) or 2026-12-01')
  return day
}

const flagOf: Record<string, string> = { on: '--on', since: '--since', spares: '--spares' }

const figureColumns: Column<CirculationCount & { label: string }>[] = countColumns.map(({ key, label }) => ({
  header: label,
  show: (row) => formatCount(row[key]),
  raw: (row) => row[key],
  align: 'right',
}))

const printOrderColumns: Column<PrintOrder>[] = [
  { header: 'Copies', show: ({ copies }) => formatCount(copies), raw: ({ copies }) => copies, align: 'right' },
  { header: 'Spares', show: ({ spares }) => formatCount(spares), raw: ({ spares }) => spares, align: 'right' },
  { header: 'Print order', show: ({ order }) => formatCount(order), raw: ({ order }) => order, align: 'right' },
]

async function printCirculation(
  cliOutput: CliOutput,
  { title, on, counts, notKnown, change }: Circulation,
): Promise<void> {
  for (const { from } of [...notKnown, ...(change?.notKnown ?? [])]) {
    cliOutput.warn(`The circulation of ${title} is not known before ${formatDay(from)}`)
  }
  if (counts) {
    await printTable(
      cliOutput,
      [{ label: 'All', ...counts.all }, ...counts.countries],
      [{ header: title, show: ({ label }) => label }, ...figureColumns],
    )
    cliOutput.say(labelled([['Day', formatDay(on)]]))
    await printTable<CirculationCount & PrintOrder & { label: string }>(
      cliOutput,
      [{ label: 'All zones', ...counts.all, ...counts.printOrder }, ...counts.zones],
      [{ header: 'Zone', show: ({ label }) => label }, ...figureColumns, ...printOrderColumns],
    )
    await printTable(cliOutput, counts.bands, [{ header: 'Price band', show: ({ label }) => label }, ...figureColumns])
  }
  if (!change?.products) return
  const { products } = change
  const changed = changeLines({ ...change, products })
  const lines = products.flatMap(({ product }, productIndex) =>
    changed.map(({ label, figures }, index) => ({
      product,
      label,
      readers: figures[productIndex] ?? 0,
      // The first and the last line are the circulation on the two days.
      isCirculation: index === 0 || index === changed.length - 1,
    })),
  )
  await printTable(
    cliOutput,
    lines.filter(({ readers, isCirculation }) => readers !== 0 || isCirculation),
    [
      { header: 'Product', show: ({ product }) => product },
      { header: 'Figure', show: ({ label }) => label },
      { header: 'Readers', show: ({ readers }) => formatCount(readers), raw: ({ readers }) => readers, align: 'right' },
    ],
  )
}
