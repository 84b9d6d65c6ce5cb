import { Command } from 'commander'
import { parseDay, printDay } from '#core/kernel/dates.ts'
import { countOf, formatCount } from '#core/kernel/words.ts'
import type { MailingSummary } from '#core/reader-files/make-mailing-file.ts'
import { wrongUse } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { counted } from '../counted.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'
import { labelled, type Talk } from '../talk.ts'

interface MailingFlags {
  publication?: string
  on?: string
  output?: string
  bom?: boolean
  dryRun?: boolean
}

export function mailingFileCommand(cli: Cli): Command {
  return describe(new Command('mailing-file'), {
    summary: 'Make the current mailing file of a publication',
    details:
      'Everybody who gets a printed copy on that day, sorted for the post; says who was\n' +
      'left out and why. On a terminal the file is saved in the current directory; in a\n' +
      'pipe or redirection it goes to stdout.',
    examples: [
      ["today's file, under its usual name", 'subscriptions mailing-file --publication gardener'],
      [
        'for the first of the month',
        'subscriptions mailing-file --publication gardener --on 01/12/2026 --output december.csv',
      ],
      ['only the figures', 'subscriptions mailing-file --publication gardener --dry-run --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> [flags]')
    .option(...flags.publication)
    .option('--on <date>', 'the day of mailing: 01/12/2026 or 2026-12-01 (default: today)')
    .option(...flags.output)
    .option('--bom', 'begin with the UTF-8 mark Excel wants (default: files only)')
    .option('--no-bom', 'leave that mark out')
    .option(...flags.dryRun)
    .action(
      action<MailingFlags>(cli, async ({ dryRun = false, ...given }) => {
        const { talk } = cli
        const on = given.on === undefined ? undefined : parseDay(given.on)
        if (on === null)
          throw wrongUse(`--on ${given.on} is no date`, 'write it as 01/12/2026 (day, month, year) or 2026-12-01')
        const [{ choosePublication, requireHandle }, output] = await Promise.all([
          import('../choose-publication.ts'),
          import('../save-output.ts'),
        ])
        const asked = dryRun ? undefined : output.outputTarget(talk, given.output)
        requireHandle(talk, given.publication)
        if (asked) await output.checkTarget(asked)
        const [{ withSession }, { makeMailingFile }] = await Promise.all([
          import('../session.ts'),
          import('#core/reader-files/make-mailing-file.ts'),
        ])
        return withSession(talk, given, async (session) => {
          const urlKey = await choosePublication(talk, session, given.publication)
          const started = performance.now()
          const made = await makeMailingFile(session.ctx, {
            urlKey,
            on,
            bom: given.bom ?? asked?.kind !== 'stdout',
            dryRun,
          })
          const target = dryRun ? undefined : (asked ?? output.usualTarget(talk, made.fileName))
          if (target) await output.checkTarget(target)
          const progress = makeProgress(talk, `Mailing file of ${urlKey}`, 'readers')
          const written = { bytes: 0, lines: 0 }
          try {
            const chunks = counted(made.chunks, written, () => progress.update(Math.max(0, written.lines - 1), 0))
            if (target) await output.saveOutput(talk, target, chunks)
            else for await (const _ of chunks) talk.io.signal.throwIfAborted()
          } finally {
            progress.end()
          }
          const summary = made.summary()
          const seconds = Math.round((performance.now() - started) / 100) / 10
          const file = target?.kind === 'file' ? target.path : null
          if (talk.flags.json)
            await talk.json({
              publication: urlKey,
              dryRun,
              file,
              bytes: dryRun ? 0 : written.bytes,
              seconds,
              ...summary,
            })
          else tellSummary(talk, { urlKey, dryRun, file }, summary)
          return 0
        })
      }),
    )
}

/** On stderr, as stdout may be carrying the file. */
function tellSummary(
  talk: Talk,
  { urlKey, dryRun, file }: { urlKey: string; dryRun: boolean; file: string | null },
  summary: MailingSummary,
): void {
  const { on, included, excluded, zones } = summary
  const readers = countOf(included, 'reader')
  talk.say(
    dryRun
      ? `Would mail ${urlKey} to ${readers} on ${printDay(on)}`
      : `${talk.err.done} Mailing file of ${urlKey} for ${printDay(on)}: ${readers}`,
  )
  const out = excluded.reduce((sum, { count }) => sum + count, 0)
  if (file) talk.say(labelled([['File', file]]))
  const posted = zones.filter(({ count }) => count > 0)
  if (posted.length > 0) talk.say(`  By zone:\n${counts(posted)}`)
  talk.say(
    out === 0
      ? '  Nobody left out'
      : `  Left out: ${formatCount(out)}\n${counts(excluded.filter(({ count }) => count > 0))}`,
  )
  if (dryRun) talk.say(`Next: subscriptions mailing-file --publication ${urlKey}`)
}

/** Counts in a right-aligned column, each with its words. */
function counts(rows: readonly { label: string; count: number }[]): string {
  const width = Math.max(...rows.map(({ count }) => formatCount(count).length))
  return rows.map(({ label, count }) => `    ${formatCount(count).padStart(width)}  ${label}`).join('\n')
}
