import { Command, Option } from 'commander'
import { formatDay, parseDay } from '#core/kernel/dates.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { MailingFile, MailingSummary } from '#core/mailing/make-mailing-file.ts'
import { usageError } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'
import { flagText } from '../style.ts'

interface MailingFlags {
  publication?: string
  on?: string
  layout?: string
  zones?: string
  split?: boolean
  encoding?: 'utf-8' | 'windows-1252'
  keyLine?: string
  counts?: string
  output?: string
  bom?: boolean
  dryRun?: boolean
}

export function mailingFileCommand(cli: Cli): Command {
  return describe(new Command('mailing-file'), {
    summary: 'Make the current mailing file of a publication',
    details:
      'Lists everybody who gets a printed copy on that day, sorted for the post, and says who\n' +
      'was left out and why. On a terminal the file is saved in the current directory; when\n' +
      'piped or redirected it goes to stdout. --split makes a file for each zone in the\n' +
      'directory of --output, all or none. Layouts: subscriptions mailing-layouts --help.',
    examples: [
      ["today's file, under its default name", 'subscriptions mailing-file --publication gardener'],
      [
        'for the first of the month',
        'subscriptions mailing-file --publication gardener --on 01/12/2026 --output december.csv',
      ],
      [
        'in a layout named Acme, a file for each zone and the counts beside them',
        'subscriptions mailing-file --publication gardener --layout Acme --split \\\n    --output december --counts december/counts.csv',
      ],
      ['only the figures', 'subscriptions mailing-file --publication gardener --dry-run --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> [flags]')
    .option(...flags.publication)
    .option('--on <date>', 'the mailing date: 01/12/2026 or 2026-12-01 (default: today)')
    .option('--layout <name>', 'one of your layouts (default: Standard)')
    .option('--zones <zones>', 'only these, comma-separated: uk, europe (eu), world (row)')
    .option('--split', 'a file for each zone, in the directory of --output')
    .option('--no-split', 'one file, whatever the layout says')
    .addOption(
      new Option('--encoding <name>', 'instead of the layout’s encoding, without a byte order mark').choices([
        'utf-8',
        'windows-1252',
      ]),
    )
    .option('--key-line <text>', 'the key line, such as "{publication} {reference} {expiry}"')
    .option('--counts <file>', 'write the counts sheet to this file: CSV, or JSON if its name ends in .json')
    .option('-o, --output <file>', 'where to write: a file, or - for stdout; a directory with --split')
    .option('--bom', 'begin with a byte order mark, for Excel (default: as the layout says, files only)')
    .option('--no-bom', 'no byte order mark')
    .option(...flags.dryRun)
    .action(action<MailingFlags>(cli, (options) => run(cli, options)))
}

async function run(cli: Cli, { dryRun = false, ...options }: MailingFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const on = options.on === undefined ? undefined : parseDay(options.on)
  if (on === null)
    throw usageError(`--on ${options.on} is not a date`, 'write it as 01/12/2026 (day, month, year) or 2026-12-01')
  const [{ choosePublication, requireHandle }, output, { withFlagErrors }] = await Promise.all([
    import('../choose-publication.ts'),
    import('../save-output.ts'),
    import('../field-flags.ts'),
  ])
  const target = dryRun || options.split ? undefined : output.outputTarget(cliOutput, options.output)
  requireHandle(cliOutput, options.publication)
  // Whether a layout needs a directory is known only once the layout has been read.
  if (target && options.layout === undefined) await output.checkTarget(target)
  const [{ withSession }, { makeMailingFile }, { saveMailing, saveCounts }] = await Promise.all([
    import('../session.ts'),
    import('#core/mailing/make-mailing-file.ts'),
    import('../save-mailing.ts'),
  ])
  return withSession(cliOutput, options, async (session) => {
    const urlKey = await choosePublication(cliOutput, session, options.publication)
    const startedAt = performance.now()
    const mailing = await withFlagErrors(flagOf, 'subscriptions mailing-file', () =>
      makeMailingFile(session.ctx, {
        urlKey,
        on,
        layout: options.layout,
        zones: options.zones,
        split: options.split,
        encoding: options.encoding,
        keyLine: options.keyLine,
        // By default neither stdout nor --encoding gets a byte order mark, and any other file follows its layout.
        bom: options.bom ?? (target?.kind === 'stdout' || options.encoding ? false : undefined),
        dryRun,
      }),
    )
    const progress = makeProgress(cliOutput, `Mailing file of ${urlKey}`, 'readers')
    let saved: { file: string | null; directory: string | null }
    try {
      const onChunk = () => progress.update(mailing.rows().sent, mailing.rows().total ?? 0)
      const names = { output: options.output, counts: options.counts }
      saved = await saveMailing(cliOutput, mailing, { target, ...names, dryRun, onChunk })
    } finally {
      progress.end()
    }
    const counts = dryRun ? null : await saveCounts(cliOutput, mailing, options.counts)
    const seconds = Math.round((performance.now() - startedAt) / 100) / 10
    if (cliOutput.flags.json) {
      const { publication: _, readers, layout, ...sheet } = mailing.counts()
      const bytes = sheet.files.reduce((sum, file) => sum + file.bytes, 0)
      const zones = sheet.zones
        .map(({ readers: count, ...zone }) => ({ ...zone, count }))
        .filter(({ count }) => count > 0)
      await cliOutput.json({
        publication: urlKey,
        dryRun,
        ...saved,
        counts,
        bytes,
        seconds,
        layout,
        ...sheet,
        zones,
        readers,
      })
    } else {
      printSummary(cliOutput, { urlKey, dryRun, ...saved, counts }, mailing)
      if (dryRun) cliOutput.say(`Next: subscriptions mailing-file --publication ${urlKey}${sameFlags(options)}`)
    }
    return 0
  })
}

/** The flags of a dry run, for the command that makes the file that it counted. */
function sameFlags({
  as,
  on,
  layout,
  zones,
  split,
  encoding,
  keyLine,
  counts,
  output,
  bom,
}: Parameters<typeof run>[1]) {
  return flagText({
    as,
    on,
    layout,
    zones,
    split,
    'no-split': split === false,
    encoding,
    'key-line': keyLine,
    counts,
    output,
    bom,
    'no-bom': bom === false,
  })
}

const flagOf = {
  on: '--on',
  layout: '--layout',
  zones: '--zones',
  encoding: '--encoding',
  keyLine: '--key-line',
}

interface SavedMailing {
  urlKey: string
  dryRun: boolean
  file: string | null
  directory: string | null
  counts: string | null
}

/** On stderr, as stdout may be carrying the file. */
function printSummary(
  cliOutput: CliOutput,
  { urlKey, dryRun, file, directory, counts }: SavedMailing,
  mailing: MailingFile,
): void {
  const { on, included, excluded, zones }: MailingSummary = mailing.summary()
  const { files, letters, shortened } = mailing.counts()
  const readers = countOf(included, 'reader')
  cliOutput.summary(
    dryRun
      ? `Would mail ${urlKey} to ${readers} on ${formatDay(on)}`
      : `${cliOutput.err.done} Mailing file of ${urlKey} for ${formatDay(on)}: ${readers}`,
  )
  if (file) cliOutput.summary(labelled([['File', file]]))
  if (directory)
    cliOutput.summary(
      labelled([
        ['Directory', directory],
        ...files.map(({ name, readers: count }) => [name, countOf(count, 'reader')] as [string, string]),
      ]),
    )
  if (counts) cliOutput.summary(labelled([['Counts', counts]]))
  const nonEmptyZones = zones.filter(({ count }) => count > 0)
  if (nonEmptyZones.length > 0) cliOutput.summary(`  By zone:\n${inColumn(nonEmptyZones)}`)
  const leftOut = excluded.reduce((sum, { count }) => sum + count, 0)
  cliOutput.summary(
    leftOut === 0 ? '  No readers left out' : `  Left out: ${formatCount(leftOut)}\n${inColumn(excluded)}`,
  )
  if (letters.replaced > 0) cliOutput.summary(`  ${countOf(letters.replaced, 'character')} replaced by similar ones`)
  if (letters.lost > 0) cliOutput.warn(`${countOf(letters.lost, 'character')} lost: the encoding has no similar ones`)
  if (shortened > 0) cliOutput.summary(`  ${countOf(shortened, 'cell')} shortened to the layout's width`)
}

/** Counts in a right-aligned column, each with its label. */
function inColumn(rows: readonly { label: string; count: number }[]): string {
  const width = Math.max(...rows.map(({ count }) => formatCount(count).length))
  return rows.map(({ label, count }) => `    ${formatCount(count).padStart(width)}  ${label}`).join('\n')
}
