import { Command, Option } from 'commander'
import type { DuplicateKey } from '#core/warnings/warnings.rules.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'

export interface DedupeFlags {
  publication?: string
  by: string
  apply?: boolean
  minConfidence?: string
  dryRun?: boolean
  yes?: boolean
  as?: string
}

/** The fields by which exact duplicates are grouped, each with its list in Manage Data. */
const exact = {
  email: 'duplicateemails',
  'full-name': 'duplicatefullname',
  surname: 'duplicatelastname',
  postcode: 'duplicatepostcode',
  address: 'duplicateaddress',
} as const satisfies Record<string, DuplicateKey>

const criteria = ['likely', ...Object.keys(exact)]

export function dedupeCommand(cli: Cli): Command {
  return describe(new Command('dedupe'), {
    summary: 'List duplicate readers, and merge them',
    details:
      'By "likely": records of the same reader, even if names or addresses are misspelt,\n' +
      'swapped, abbreviated or incomplete, with the reasons and a confidence. With --apply\n' +
      'high-confidence groups are merged: the reader with the longest paid subscription\n' +
      'is kept, opt-outs of any of them are kept, orders and history move to it. A merge can\n' +
      'be undone in the back office.\n' +
      'By email, full-name, surname, postcode or address (with the postcode): exact\n' +
      'duplicates. Only readers with the same full name and postcode, or the same email\n' +
      'and no different name, are merged by --apply.',
    examples: [
      ['list them', 'subscriptions dedupe --publication gardener --by likely'],
      [
        'see what merging the high-confidence groups would do',
        'subscriptions dedupe --publication gardener --by likely --apply --dry-run',
      ],
      ['exact duplicates, to a file', 'subscriptions dedupe --publication gardener --by surname > surnames.tsv'],
      ['merge them, from cron', 'subscriptions dedupe --publication gardener --by likely --apply --yes --quiet'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> --by <what> [flags]')
    .option(...flags.publication)
    .addOption(new Option('--by <what>', 'how duplicates are found').choices(criteria).makeOptionMandatory())
    .option('--apply', 'merge the groups with at least --min-confidence')
    .option('--min-confidence <share>', 'to merge: 0.5 to 1 (default 0.97); to list: 0.2 to 1 (default 0.5)')
    .option(...flags.dryRun)
    .option(...flags.yes)
    .action(
      action<DedupeFlags>(cli, async (options) => {
        if (options.by === 'likely') return (await import('../dedupe-likely.ts')).runDedupeLikely(cli, options)
        const { runDedupeExact } = await import('../dedupe-exact.ts')
        return runDedupeExact(cli, options, exact[options.by as keyof typeof exact])
      }),
    )
}
