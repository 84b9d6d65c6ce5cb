import { Command } from 'commander'
import { CliError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { byFlags } from '../field-flags.ts'
import { describe } from '../help.ts'
import { readerFieldsOf, setFlags } from '../reader-cells.ts'
import { readerNamed, requireReader } from '../which-reader.ts'

interface WriteFlags {
  publication?: string
  set?: string[]
  unlessAlike?: boolean
  dryRun?: boolean
}

const setFlag = ['--set <column=value...>', 'a column of a reader file and its value, such as LastName=Finch'] as const

export function readersAddCommand(cli: Cli): Command {
  return describe(new Command('add'), {
    summary: 'Add one reader',
    details:
      'Columns are those of a reader file. What is not said is blank, opted out and until further\nnotice; without UniqueReference the reader gets the next one, which is printed.',
    examples: [
      [
        'a reader of the printed issue',
        'subscriptions readers add --publication gardener --set FirstName=Ida \\\n    --set LastName=Finch --set SubType=print --set SubExpiry=31/12/2027',
      ],
      [
        'only when nobody looks alike',
        'subscriptions readers add --publication gardener --set Email=ida@example.com \\\n    --unless-alike',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...flags.publication)
    .option(...setFlag)
    .option('--unless-alike', 'add nobody when a reader looks like the new one')
    .option(...flags.dryRun)
    .action(
      action<WriteFlags>(cli, async ({ as, publication, set = [], unlessAlike = false, dryRun = false }) => {
        const { talk } = cli
        const fields = readerFieldsOf(set)
        const [{ withSession }, { choosePublication, requireHandle }, { ownPublication }, { addReader }, { rehearse }] =
          await Promise.all([
            import('../session.ts'),
            import('../choose-publication.ts'),
            import('#core/publications/own-publication.ts'),
            import('#core/readers/add-reader.ts'),
            import('../rehearse.ts'),
          ])
        requireHandle(talk, publication)
        return withSession(talk, { as }, async (session) => {
          const { ctx } = session
          const urlKey = await choosePublication(talk, session, publication)
          const { id: publicationId } = await ownPublication(ctx, { urlKey })
          const added = await byFlags(setFlags, 'subscriptions readers add', () =>
            rehearse(ctx, dryRun, () => addReader(ctx, { ...fields, publicationId, unlessAlike })),
          )
          const [alike] = added.alike
          if (alike) {
            const who = `${alike.uniqueReference} (${[alike.name, alike.email, alike.postCode].filter(Boolean).join(', ')})`
            throw new CliError(
              'conflict',
              'conflict',
              `${who} looks like this reader: ${alike.reasons.join(', ')}`,
              `edit it, or add all the same by leaving out --unless-alike`,
            )
          }
          const { id, uniqueReference } = added
          if (talk.flags.json) await talk.json({ dryRun, id: dryRun ? null : id, uniqueReference })
          else await talk.print(dryRun ? `Would add ${uniqueReference}` : `${talk.out.done} Added ${uniqueReference}`)
          if (!dryRun) talk.say(`Next: subscriptions readers show ${uniqueReference} --publication ${urlKey}`)
          return 0
        })
      }),
    )
}

export function readersEditCommand(cli: Cli): Command {
  return describe(new Command('edit'), {
    summary: 'Change one reader',
    details: 'Columns are those of a reader file. What is not said stays; an empty value clears the column.',
    examples: [
      ['carry on', 'subscriptions readers edit HL0012345 --publication gardener --set SubExpiry=31/12/2027'],
      ['forget the fax', 'subscriptions readers edit HL0012345 --publication gardener --set Fax='],
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
        const { talk } = cli
        const reference = requireReader(argument)
        const fields = readerFieldsOf(set)
        const [{ withSession }, { requireHandle }, { editReader }, { rehearse }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/readers/edit-reader.ts'),
          import('../rehearse.ts'),
        ])
        requireHandle(talk, publication)
        return withSession(talk, { as }, async (session) => {
          const { ctx } = session
          const { id, version } = await readerNamed(talk, session, { publication, reference })
          const { changed } = await byFlags(setFlags, 'subscriptions readers edit', () =>
            rehearse(ctx, dryRun, () => editReader(ctx, { ...fields, id, version })),
          )
          const what = changed.map((field) => setFlags[field]?.replace('--set ', '') ?? field).join(', ')
          if (talk.flags.json) await talk.json({ dryRun, id, changed })
          else if (changed.length === 0) await talk.print(`${talk.out.done} ${reference} is so already`)
          else
            await talk.print(
              dryRun ? `Would change ${what} of ${reference}` : `${talk.out.done} Changed ${what} of ${reference}`,
            )
          return 0
        })
      }),
    )
}
