import { Command } from 'commander'
import { formatDay, openEnd } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { ReaderListItem } from '#core/readers/search-readers.query.ts'
import { usageError } from '../cli-error.ts'
import type { CliOutput } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { isTerminal } from '../io.ts'
import { type Column, maxOnScreen, printTable } from '../table.ts'
import { deactivateReaderCommand, reactivateReaderCommand } from './readers-activation.ts'
import { readersRemoveCommand, readersRestoreCommand } from './readers-remove.ts'
import { readersShowCommand } from './readers-show.ts'
import { readersAddCommand, readersEditCommand } from './readers-write.ts'

const columns: readonly Column<ReaderListItem>[] = [
  { header: 'Reference', show: ({ uniqueReference }) => uniqueReference },
  { header: 'Name', show: nameOf },
  { header: 'Company', show: ({ companyName }) => companyName || null },
  { header: 'Email', show: ({ email }) => email || null },
  { header: 'Postcode', show: ({ postCode }) => postCode || null },
  { header: 'Type', show: ({ subType }) => subType || null },
  {
    header: 'Ends',
    show: ({ subType, subEndOn }) =>
      subType === '' ? null : subEndOn === openEnd ? 'until further notice' : formatDay(subEndOn),
    raw: ({ subType, subEndOn }) => (subType === '' ? null : subEndOn),
  },
  { header: 'Status', show: ({ isDeleted, term }) => (isDeleted ? 'deactivated' : term) },
]

function nameOf({ fullName, title, firstName, lastName }: ReaderListItem): string | null {
  return fullName || [title, firstName, lastName].filter(Boolean).join(' ') || null
}

export function readersCommand(cli: Cli): Command {
  return groupCommand(cli, 'readers', {
    summary: 'Search readers; show, add, edit or remove one',
    usage: '<command>',
    details:
      'One reader at a time, by its unique reference; remove also takes a whole list. To change many: subscriptions import.',
    examples: [
      ['everybody with this surname', 'subscriptions readers search --publication gardener --last-name finch'],
      ['everything about one', 'subscriptions readers show HL0012345 --publication gardener'],
      [
        'extend a subscription',
        'subscriptions readers edit HL0012345 --publication gardener --set SubExpiry=31/12/2027',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(searchCommand(cli))
    .addCommand(readersShowCommand(cli))
    .addCommand(readersAddCommand(cli))
    .addCommand(readersEditCommand(cli))
    .addCommand(deactivateReaderCommand(cli))
    .addCommand(reactivateReaderCommand(cli))
    .addCommand(readersRemoveCommand(cli))
    .addCommand(readersRestoreCommand(cli))
}

interface SearchFlags {
  publication?: string
  lastName?: string
  email?: string
  company?: string
  fullName?: string
  reference?: string
  postcode?: string
}

function searchCommand(cli: Cli): Command {
  return describe(new Command('search'), {
    summary: 'List the readers that match',
    details:
      'Each flag matches the beginning of its field; capitals, accents and punctuation do not matter. All\nmust match. When piped: one line each, tab-separated, without a header row: reference, name, company, email,\npostcode, type, end, state.',
    examples: [
      ['by name', 'subscriptions readers search --publication gardener --last-name finch'],
      ['by place', 'subscriptions readers search --publication gardener --postcode CT11'],
      ['only the references', 'subscriptions readers search --publication gardener --email ida@ | cut -f1'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .option('--last-name <text>', 'the surname')
    .option('--email <text>', 'the email')
    .option('--company <text>', 'the company')
    .option('--full-name <text>', 'the full name')
    .option('--reference <text>', 'the unique reference')
    .option('--postcode <text>', 'the postcode')
    .action(
      action<SearchFlags>(cli, async ({ as, publication, ...options }) => {
        const { cliOutput } = cli
        const input = {
          lastName: options.lastName,
          email: options.email,
          companyName: options.company,
          fullName: options.fullName,
          uniqueReference: options.reference,
          postZip: options.postcode,
        }
        if (Object.values(input).every((text) => !text?.trim())) {
          throw usageError('nothing to search for', 'specify at least one field, such as --last-name <text>')
        }
        const [
          { withSession },
          { withFlagErrors },
          { choosePublication, requireHandle },
          { ownPublication },
          { matchingReaders },
        ] = await Promise.all([
          import('../session.ts'),
          import('../field-flags.ts'),
          import('../choose-publication.ts'),
          import('#core/publications/own-publication.ts'),
          import('#core/readers/search-readers.query.ts'),
        ])
        requireHandle(cliOutput, publication)
        return withSession(cliOutput, { as }, async (session) => {
          const { ctx } = session
          const urlKey = await choosePublication(cliOutput, session, publication)
          const { id: publicationId } = await ownPublication(ctx, { urlKey })
          const matching = await withFlagErrors(searchFlags, 'subscriptions readers search', () =>
            matchingReaders(ctx, { ...input, publicationId }),
          )
          await printMatching(cliOutput, matching)
          return 0
        })
      }),
    )
}

const searchFlags = {
  lastName: '--last-name',
  email: '--email',
  companyName: '--company',
  fullName: '--full-name',
  uniqueReference: '--reference',
  postZip: '--postcode',
}

/** Prints the readers as they are read; a terminal gets the first of a long list. */
async function printMatching(
  cliOutput: CliOutput,
  { total, chunks }: { total: number; chunks: AsyncIterable<ReaderListItem[]> },
): Promise<void> {
  const { signal, stdout } = cliOutput.io
  async function* untilStopped() {
    for await (const rows of chunks) {
      signal.throwIfAborted()
      // After the reading program has closed the pipe, no further rows are read from the database.
      if (cliOutput.isClosed()) return
      yield rows
    }
  }
  if (cliOutput.flags.json) return cliOutput.jsonList(untilStopped())
  if (total === 0) return cliOutput.say('No record matches your search')
  for await (const rows of untilStopped()) {
    // Each table sets its column widths from its rows, so a terminal gets one table: the first chunk.
    if (isTerminal(stdout)) {
      await printTable(cliOutput, rows.slice(0, maxOnScreen), columns)
      break
    }
    await printTable(cliOutput, rows, columns)
  }
  if (isTerminal(stdout) && total > maxOnScreen)
    cliOutput.say(`... and ${countOf(total - maxOnScreen, 'more reader')}; a pipe or --json lists all`)
}
