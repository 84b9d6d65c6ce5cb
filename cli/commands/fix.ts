import { Command, Option } from 'commander'
import { usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'

export interface FixFlags {
  publication?: string
  undo?: string
  resume?: string
  dryRun?: boolean
  yes?: boolean
  as?: string
}

const kinds = { names: ['full-names', 'name-fields'], addresses: ['addresses'] } as const

export function fixCommand(cli: Cli): Command {
  return describe(new Command('fix'), {
    summary: 'Fix the names or addresses of readers',
    details:
      'names: empty full names are composed of title, first and last name, and empty name\n' +
      'fields are filled from the full name. addresses: a postcode or town in the\n' +
      'wrong field, several parts in one line, gaps between lines and a house number on a\n' +
      'line of its own are corrected. Readers that cannot be fixed automatically are left\n' +
      'unchanged and counted. A fix can be undone for 30 days, except for readers that were\n' +
      'changed since. A fix that was interrupted can be resumed.',
    examples: [
      ['see what would change', 'subscriptions fix names --publication gardener --dry-run'],
      ['do it, from cron', 'subscriptions fix addresses --publication gardener --yes --quiet'],
      ['undo it', 'subscriptions fix --undo 12'],
      ['resume one that was interrupted', 'subscriptions fix --resume 12'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('names|addresses --publication <handle> [flags]')
    .argument('[what]', 'names or addresses')
    .option(...flags.publication)
    .addOption(new Option('--undo <number>', 'undo this fix, by its number').conflicts('resume'))
    .option('--resume <number>', 'resume this fix, by its number')
    .option(...flags.dryRun)
    .option(...flags.yes)
    .action(
      action<FixFlags>(cli, async (options, [what]) => {
        const { fixLists, resumeOneFix, undoOneFix } = await import('../fix-lists.ts')
        if (options.undo !== undefined) return undoOneFix(cli, options, fixNumber(what, '--undo', options.undo))
        if (options.resume !== undefined) return resumeOneFix(cli, options, fixNumber(what, '--resume', options.resume))
        if (what === undefined || !Object.hasOwn(kinds, what))
          throw usageError(
            what === undefined ? 'no kind of fix given' : `cannot fix "${what}"`,
            'choose names or addresses',
          )
        return fixLists(cli, options, { what, kinds: kinds[what as keyof typeof kinds] })
      }),
    )
}

function fixNumber(what: string | undefined, flag: string, text: string): number {
  if (what !== undefined) throw usageError(`${flag} cannot be combined with names or addresses`, `use ${flag} alone`)
  if (!/^[1-9]\d{0,14}$/.test(text))
    throw usageError(`${flag} ${text} is not a number`, 'the number is printed when a fix ends')
  return Number(text)
}
