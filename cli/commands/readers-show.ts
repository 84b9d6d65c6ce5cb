import { Command } from 'commander'
import { formatDay, formatUtc, openEnd } from '#core/kernel/dates.ts'
import { formatMoney } from '#core/kernel/money.ts'
import type { ReaderView } from '#core/readers/get-reader.query.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { readerNamed, requireReader } from '../require-reader.ts'

export function readersShowCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show everything about one reader',
    details: 'With --json also its history and its orders.',
    examples: [
      ['one reader', 'subscriptions readers show HL0012345 --publication gardener'],
      ['as JSON', 'subscriptions readers show HL0012345 --publication gardener --json'],
    ],
    exits: ['missing'],
  })
    .argument('[reference]', 'the unique reference')
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication }, [argument]) => {
        const { cliOutput } = cli
        const reference = requireReader(argument)
        const [{ withSession }, { requireHandle }, { getReader }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/readers/get-reader.query.ts'),
        ])
        requireHandle(cliOutput, publication)
        const reader = await withSession(cliOutput, { as }, async (session) => {
          const { id } = await readerNamed(cliOutput, session, { publication, reference })
          return getReader(session.ctx, { id })
        })
        if (cliOutput.flags.json) await cliOutput.json({ ...reader, ...groupsOf(reader) })
        else await cliOutput.print(labelled(factsOf(reader).filter(([, value]) => value !== '')))
        return 0
      }),
    )
}

/** Fields that the JSON output also has in groups. */
function groupsOf(reader: ReaderView) {
  const { addressOne: one, addressTwo: two, addressThree: three, addressFour: four } = reader
  const { city, state, postCode, country } = reader
  return {
    address: { one, two, three, four, city, state, postCode, country },
    dataSources: [reader.dataSourceOne, reader.dataSourceTwo],
    optOuts: Object.fromEntries(optOuts.map(({ field }) => [field, reader[field]])),
  }
}

function factsOf(reader: ReaderView): [string, string][] {
  const { subscription } = reader
  const { addressOne, addressTwo, addressThree, addressFour, city, state: county, postCode, country } = reader
  const address = [addressOne, addressTwo, addressThree, addressFour, city, county, postCode, country]
  const { type, startOn, endOn, renewOn, paid, state } = subscription
  return [
    ['Reference', reader.uniqueReference],
    ['Publication', reader.publicationName],
    ['Status', reader.isDeleted ? 'deactivated' : state],
    ['Name', reader.fullName || [reader.title, reader.firstName, reader.lastName].filter(Boolean).join(' ')],
    ['Company', reader.companyName],
    ['Address', address.filter(Boolean).join(', ')],
    ['Email', reader.email],
    ['Telephone', reader.telephone],
    [
      'Subscription',
      type === ''
        ? 'none'
        : `${type}, ${formatDay(startOn)} ${endOn === openEnd ? 'until further notice' : `to ${formatDay(endOn)}`}`,
    ],
    ['Renewal', type === '' ? '' : formatDay(renewOn)],
    ['Paid', paid ? formatMoney(paid) : 'free'],
    ['Orders', String(reader.orders.length)],
    ['Last modified', `${formatUtc(reader.updatedAt)} UTC`],
    ['Modified by', reader.modifiedBy ?? ''],
    ['ID', String(reader.id)],
  ]
}
