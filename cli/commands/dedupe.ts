import { Command, Option } from 'commander'
import { wrongUse } from '../cli-error.ts'
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

/** What duplicates are searched by, each with the file that does it. */
const ways = {
  likely: async () => (await import('../dedupe-likely.ts')).runDedupeLikely,
} as const

export function dedupeCommand(cli: Cli): Command {
  return describe(new Command('dedupe'), {
    summary: 'List readers that stand there twice, and merge them',
    details:
      'By "likely": misspelt, swapped, abbreviated and incomplete records of one reader,\n' +
      'with why they are thought to be one and how sure that is. With --apply the sure\n' +
      'groups are merged: the paid and longest subscription stays, the stricter opt-outs\n' +
      'win, orders and history move. A merge can be undone in the back office.',
    examples: [
      ['list them', 'subscriptions dedupe --publication gardener --by likely'],
      [
        'say what merging the sure ones would come to',
        'subscriptions dedupe --publication gardener --by likely --apply --dry-run',
      ],
      ['merge them, from cron', 'subscriptions dedupe --publication gardener --by likely --apply --yes --quiet'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> --by <what> [flags]')
    .option(...flags.publication)
    .addOption(new Option('--by <what>', 'what they have in common').choices(Object.keys(ways)).makeOptionMandatory())
    .option('--apply', 'merge the groups that are at least as sure as --min-confidence')
    .option('--min-confidence <share>', 'from 0.5 to 1 (default: 0.5 to list, 0.97 to merge)')
    .option(...flags.dryRun)
    .option(...flags.yes)
    .action(
      action<DedupeFlags>(cli, async (given) => {
        if (!Object.hasOwn(ways, given.by)) throw wrongUse(`--by ${given.by} is not known`, `choose one of: ${Object.keys(ways).join(', ')}`) // biome-ignore format: a line
        const run = await ways[given.by as keyof typeof ways]()
        return run(cli, given)
      }),
    )
}
