import { Command } from 'commander'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { printPostcodes } from '../print-postcodes.ts'
import { postcodesImportCommand } from './postcodes-import.ts'
import { postcodesRemoveCommand } from './postcodes-remove.ts'

export function postcodesCommand(cli: Cli): Command {
  return groupCommand(cli, 'postcodes', {
    summary: 'Check readers against a file of valid postcodes',
    usage: '<command>',
    examples: [
      ['the national file', 'subscriptions postcodes import ONSPD.csv --publication gardener'],
      ['what is in use', 'subscriptions postcodes show --publication gardener'],
      ['check only the format again', 'subscriptions postcodes remove --publication gardener'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(postcodesImportCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(postcodesRemoveCommand(cli))
}

function showCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show the postcode file of a publication',
    examples: [
      ['what is in use', 'subscriptions postcodes show --publication gardener'],
      ['as JSON', 'subscriptions postcodes show --publication gardener --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication: handle }) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication, requireHandle }, { getPostcodes }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/postcode-files/get-postcodes.query.ts'),
        ])
        requireHandle(cliOutput, handle)
        const { live, latest, urlKey } = await withSession(cliOutput, { as }, async (session) =>
          getPostcodes(session.ctx, { urlKey: await choosePublication(cliOutput, session, handle) }),
        )
        if (cliOutput.flags.json) await cliOutput.json({ live, latest })
        else if (live) await printPostcodes(cliOutput, live)
        else
          cliOutput.say(
            `No postcode file yet. Import one: subscriptions postcodes import codes.csv --publication ${urlKey}`,
          )
        return 0
      }),
    )
}
