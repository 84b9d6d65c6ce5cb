import { Command } from 'commander'
import { formatCount } from '#core/kernel/text-format.ts'
import { type DuplicateList, duplicateLists, type Warning, warnings } from '#core/warnings/warnings.rules.ts'
import { exitCodes, usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'

interface CheckFlags {
  publication?: string
  list?: string
  output?: string
}

interface Line {
  key: string
  kind: 'warning' | 'duplicates'
  label: string
  count: number | null
  /** The command that fixes the problem, if there is one. */
  next: string
}

const columns: readonly Column<Line>[] = [
  { header: 'List', show: ({ key }) => key },
  { header: 'Name', show: ({ label }) => label },
  {
    header: 'Count',
    show: ({ count }) => (count === null ? null : formatCount(count)),
    raw: ({ count }) => count,
    align: 'right',
  },
  { header: 'Fix with', show: ({ next }) => next },
]

export function checkCommand(cli: Cli): Command {
  return describe(new Command('check'), {
    summary: 'Count incomplete, doubtful and duplicate reader records',
    details:
      'Missing names and postcodes, addresses in the wrong fields, expired readers, and\n' +
      'groups of exact duplicates: the same counts as in Manage Data. With --list the\n' +
      'readers with one warning are written as CSV, in the columns that an import accepts.',
    examples: [
      ['all counts', 'subscriptions check --publication gardener'],
      ['for a script', 'subscriptions check --publication gardener --json'],
      [
        'the readers with one warning',
        'subscriptions check --publication gardener --list nopostcode --output nopostcode.csv',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> [flags]')
    .option(...flags.publication)
    .option('--list <name>', 'write the readers with this warning as CSV')
    .option(...flags.output)
    .action(
      action<CheckFlags>(cli, async (options) => {
        const { cliOutput } = cli
        const { list, output } = options
        if (list !== undefined && !warnings.some(({ key }) => key === list)) {
          throw usageError(
            `--list ${list} is not a warning`,
            `choose one of: ${warnings.map(({ key }) => key).join(', ')}`,
          )
        }
        if (list === undefined && output !== undefined)
          throw usageError('--output needs --list', 'specify the warning to write: --list <name>')
        const [{ withSession }, { choosePublication, requireHandle }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
        ])
        requireHandle(cliOutput, options.publication)
        return withSession(cliOutput, options, async (session) => {
          const urlKey = await choosePublication(cliOutput, session, options.publication)
          if (list !== undefined) {
            const { saveWarning } = await import('../save-warning.ts')
            return saveWarning(cliOutput, session, { urlKey, list, output })
          }
          const lines = await linesOf(session.ctx, urlKey)
          if (cliOutput.flags.json)
            await cliOutput.json({ publication: urlKey, lists: lines.map(({ next: _next, ...line }) => line) })
          else await printTable(cliOutput, lines, columns)
          const failed = lines.filter(({ count }) => count === null)
          if (failed.length > 0) cliOutput.warn(`Not counted: ${failed.map(({ key }) => key).join(', ')}`)
          return failed.length > 0 ? exitCodes.failed.code : exitCodes.done.code
        })
      }),
    )
}

async function linesOf(
  ctx: Parameters<typeof import('#core/warnings/count-warnings.query.ts').countWarnings>[0],
  urlKey: string,
): Promise<Line[]> {
  const [{ countWarnings }, { ownPublication }] = await Promise.all([
    import('#core/warnings/count-warnings.query.ts'),
    import('#core/publications/own-publication.ts'),
  ])
  const { id } = await ownPublication(ctx, { urlKey })
  const counts = await countWarnings(ctx, { publicationId: id })
  return [
    ...warnings.map((row) => ({
      kind: 'warning' as const,
      ...keyAndLabel(row),
      count: counts[row.key],
      next: fixOf(row),
    })),
    ...duplicateLists.map((row) => ({
      kind: 'duplicates' as const,
      ...keyAndLabel(row),
      count: counts[row.key],
      next: '',
    })),
  ]
}

const keyAndLabel = ({ key, label }: Warning | DuplicateList) => ({ key, label })

function fixOf({ fix }: Warning): string {
  if (!fix) return ''
  return fix === 'addresses' ? 'fix addresses' : 'fix names'
}
