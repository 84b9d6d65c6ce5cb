import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { readerFieldsOf, setFlags } from '../reader-cells.ts'
import { readerNamed, requireReader } from '../require-reader.ts'
import { shellWord } from '../style.ts'

interface WriteFlags {
  publication?: string
  set?: string[]
  unlessSimilar?: boolean
  dryRun?: boolean
}

const setFlag = ['--set <column=value...>', 'a column of a reader file and its value, such as LastName=Finch'] as const

export function readersAddCommand(cli: Cli): Command {
  return describe(new Command('add'), {
    summary: 'Add one reader',
    details:
      'Columns are those of a reader file. A column that is not set is blank: the reader is opted out, and\nsubscribed until further notice. Without UniqueReference the next one is used, and printed.',
    examples: [
      [
        'a reader of the printed issue',
        'subscriptions readers add --publication gardener --set FirstName=Ida \\\n    --set LastName=Finch --set SubType=print --set SubExpiry=31/12/2027',
      ],
      [
        'only if no reader looks similar',
        'subscriptions readers add --publication gardener --set Email=ida@example.com \\\n    --unless-similar',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...flags.publication)
    .option(...setFlag)
    .option('--unless-similar', 'do not add the reader if a similar one exists')
    .option(...flags.dryRun)
    .action(
      action<WriteFlags>(cli, async ({ as, publication, set = [], unlessSimilar = false, dryRun = false }) => {
        const { cliOutput } = cli
        const fields = readerFieldsOf(set)
        const [
          { withSession },
          { choosePublication, requireHandle },
          { ownPublication },
          { addReader },
          { withDryRun },
        ] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/publications/own-publication.ts'),
          import('#core/readers/add-reader.ts'),
          import('../with-dry-run.ts'),
        ])
        requireHandle(cliOutput, publication)
        return withSession(cliOutput, { as }, async (session) => {
          const { ctx } = session
          const urlKey = await choosePublication(cliOutput, session, publication)
          const { id: publicationId } = await ownPublication(ctx, { urlKey })
          const added = await withFlagErrors(setFlags, 'subscriptions readers add', () =>
            withDryRun(ctx, dryRun, () => addReader(ctx, { ...fields, publicationId, unlessSimilar })),
          )
          const [similar] = added.similar
          if (similar) {
            const who = `${similar.uniqueReference} (${[similar.name, similar.email, similar.postCode].filter(Boolean).join(', ')})`
            throw new CliError(
              'conflict',
              'conflict',
              `${who} looks like this reader: ${similar.reasons.join(', ')}`,
              'edit it, or add the new one without --unless-similar',
            )
          }
          const { id, uniqueReference } = added
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id: dryRun ? null : id, uniqueReference })
          else
            await cliOutput.confirm(
              dryRun ? `Would add ${uniqueReference}` : `${cliOutput.out.done} Added ${uniqueReference}`,
            )
          if (!dryRun)
            cliOutput.say(`Next: subscriptions readers show ${shellWord(uniqueReference)} --publication ${urlKey}`)
          return 0
        })
      }),
    )
}

export function readersEditCommand(cli: Cli): Command {
  return describe(new Command('edit'), {
    summary: 'Change one reader',
    details: 'Columns are those of a reader file. A column that is not set stays\nunchanged; an empty value clears it.',
    examples: [
      [
        'extend a subscription',
        'subscriptions readers edit HL0012345 --publication gardener --set SubExpiry=31/12/2027',
      ],
      ['remove the fax number', 'subscriptions readers edit HL0012345 --publication gardener --set Fax='],
      [
        'see what would change',
        'subscriptions readers edit HL0012345 --publication gardener --set City=Leeds --dry-run',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[reference]', 'the unique reference')
    .option(...flags.publication)
    .option(...setFlag)
    .option(...flags.dryRun)
    .action(
      action<WriteFlags>(cli, async ({ as, publication, set = [], dryRun = false }, [argument]) => {
        const { cliOutput } = cli
        const reference = requireReader(argument)
        const fields = readerFieldsOf(set)
        const [{ withSession }, { requireHandle }, { editReader }, { withDryRun }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/readers/edit-reader.ts'),
          import('../with-dry-run.ts'),
        ])
        requireHandle(cliOutput, publication)
        return withSession(cliOutput, { as }, async (session) => {
          const { ctx } = session
          const { id, version } = await readerNamed(cliOutput, session, { publication, reference })
          const { changed } = await withFlagErrors(setFlags, 'subscriptions readers edit', () =>
            withDryRun(ctx, dryRun, () => editReader(ctx, { ...fields, id, version })),
          )
          const what = changed.map((field) => setFlags[field]?.replace('--set ', '') ?? field).join(', ')
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id, changed })
          else if (changed.length === 0)
            await cliOutput.confirm(`${cliOutput.out.done} ${reference} already has these values`)
          else
            await cliOutput.confirm(
              dryRun ? `Would change ${what} of ${reference}` : `${cliOutput.out.done} Changed ${what} of ${reference}`,
            )
          return 0
        })
      }),
    )
}
