import { Command } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { RenewalLetters } from '#core/mailing/make-renewal-letters.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'

interface LettersFlags {
  publication?: string
  on?: string
  layout?: string
  keyLine?: string
  output?: string
  dryRun?: boolean
}

const flagOf = { on: '--on', layout: '--layout', keyLine: '--key-line' }

export function renewalsLettersCommand(cli: Cli): Command {
  return describe(new Command('letters'), {
    summary: 'Make the renewal letters of a day',
    details:
      'Everybody who gets a letter of the series, sorted for the post: the columns of a mailing layout\n' +
      'with a key line, then what each letter says: effort, plan, price, promo code, link and text. The\n' +
      'letter for a gift goes to its giver. Each letter is in the file of one day and counts as sent\n' +
      'with it; the same day always has the same letters. On a terminal the file is saved in the\n' +
      'current directory; when piped it goes to stdout. A future day needs --dry-run.',
    examples: [
      ["today's letters", 'subscriptions renewals letters --publication gardener'],
      ['the letters of an earlier day again', 'subscriptions renewals letters --publication gardener --on 01/12/2026'],
      [
        'in a layout named Acme',
        'subscriptions renewals letters --publication gardener --layout Acme --output acme.csv',
      ],
      ['how many it would make', 'subscriptions renewals letters --publication gardener --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .usage('--publication <handle> [flags]')
    .option(...flags.publication)
    .option('--on <date>', 'the day of the file, as DD/MM/YYYY (default: today)')
    .option('--layout <name>', 'one of your mailing layouts (default: Standard)')
    .option('--key-line <text>', 'such as "{publication} {reference} {effort}"')
    .option('-o, --output <file>', 'where to write: a file, or - for stdout')
    .option(...flags.dryRun)
    .action(action<LettersFlags>(cli, (options) => makeLetters(cli, options)))
}

async function makeLetters(cli: Cli, { dryRun = false, ...options }: LettersFlags & { as?: string }): Promise<number> {
  const { cliOutput } = cli
  const [{ choosePublication, requireHandle }, { makeRenewalLetters }] = await Promise.all([
    import('../choose-publication.ts'),
    import('#core/mailing/make-renewal-letters.ts'),
  ])
  requireHandle(cliOutput, options.publication)
  const { on, layout, keyLine } = options
  const command = 'subscriptions renewals letters'
  if (dryRun) {
    const [{ withSession }, { withDryRun }] = await Promise.all([import('../session.ts'), import('../with-dry-run.ts')])
    return withSession(cliOutput, options, async (session) => {
      const urlKey = await choosePublication(cliOutput, session, options.publication)
      const { ctx } = session
      const preview = await withFlagErrors(flagOf, command, () =>
        withDryRun(ctx, true, () => makeRenewalLetters(ctx, { urlKey, on, layout, keyLine, isDryRun: true })),
      )
      const { letters } = preview
      if (cliOutput.flags.json)
        await cliOutput.json({
          dryRun,
          publication: urlKey,
          on: preview.on,
          layout: preview.layout,
          letters,
          file: null,
        })
      else
        await cliOutput.confirm(`Would make ${countOf(letters, 'letter')} of ${urlKey} as of ${formatDay(preview.on)}`)
      printLettersWithoutAddress(cli, preview.withoutAddress)
      return 0
    })
  }
  const { saveDownload } = await import('../save-download.ts')
  let urlKey = ''
  const { download, file } = await saveDownload(
    cliOutput,
    { as: options.as, output: options.output },
    async (session, isPipe) => {
      urlKey = await choosePublication(cliOutput, session, options.publication)
      return withFlagErrors(flagOf, command, () =>
        makeRenewalLetters(session.ctx, { urlKey, on, layout, keyLine, ...(isPipe ? { bom: false } : {}) }),
      )
    },
  )
  const { letters } = download
  if (cliOutput.flags.json)
    await cliOutput.json({ dryRun, publication: urlKey, on: download.on, layout: download.layout, letters, file })
  else {
    const what = `${countOf(letters, 'letter')} of ${urlKey} for ${formatDay(download.on)}`
    cliOutput.summary(`${cliOutput.err.done} ${what}`)
    if (file) cliOutput.summary(labelled([['File', file]]))
    printLettersWithoutAddress(cli, download.withoutAddress)
  }
  return 0
}

/** Names the letters that cannot be made, and the giver whose address is missing. */
function printLettersWithoutAddress({ cliOutput }: Cli, { count, letters }: RenewalLetters['withoutAddress']): void {
  if (count === 0) return
  cliOutput.say(`${countOf(count, 'letter')} not made: the giver of the subscription has no address`)
  for (const { reader, giver } of letters) cliOutput.say(`  ${reader}, given by ${giver}`)
}
