import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { Command } from 'commander'
import type { StoredLayout } from '#core/mailing/layout-row.ts'
import { interrupted, usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'
import { shellWord } from '../style.ts'
import { type Column, printTable } from '../table.ts'

interface LayoutFlags {
  publication?: string
  file?: string
  shared?: boolean
  yes?: boolean
  dryRun?: boolean
}

const columns: readonly Column<StoredLayout>[] = [
  { header: 'Layout', show: ({ name }) => name },
  { header: 'Columns', show: ({ layout }) => layout.columns.length, align: 'right' },
  { header: 'Encoding', show: ({ layout }) => layout.encoding },
  { header: 'Files', show: ({ layout }) => (layout.isSplit ? 'one for each zone' : 'one') },
  { header: 'For', show: ({ isShared }) => (isShared ? 'every publication' : 'this publication') },
]

export function mailingLayoutsCommand(cli: Cli): Command {
  return groupCommand(cli, 'mailing-layouts', {
    summary: 'List, show, save or remove layouts of mailing files',
    examples: [
      ['list them', 'subscriptions mailing-layouts list --publication gardener'],
      ['change one in a file', 'subscriptions mailing-layouts show Acme --publication gardener > acme.json'],
      ['and save it again', 'subscriptions mailing-layouts save Acme --publication gardener --file acme.json'],
    ],
    exits: ['missing'],
  })
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(saveCommand(cli))
    .addCommand(removeCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the layouts a publication may use',
    examples: [
      ['all of them', 'subscriptions mailing-layouts list --publication gardener'],
      ['only the names', 'subscriptions mailing-layouts list --publication gardener | cut -f1'],
      ['as JSON', 'subscriptions mailing-layouts list --publication gardener --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<LayoutFlags>(cli, async (options) => {
        const { cliOutput } = cli
        const { listLayouts } = await import('#core/mailing/list-layouts.query.ts')
        const layouts = await onPublication(cli, options, ({ ctx, urlKey }) => listLayouts(ctx, { urlKey }))
        if (cliOutput.flags.json)
          await cliOutput.json(layouts.map(({ name, isShared, layout }) => ({ name, isShared, layout })))
        else await printTable(cliOutput, layouts, columns)
        return 0
      }),
    )
}

function showCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Print a layout as JSON, in the format that save reads',
    examples: [
      ['on the terminal', 'subscriptions mailing-layouts show Acme --publication gardener'],
      ['into a file', 'subscriptions mailing-layouts show Acme --publication gardener > acme.json'],
      ['the built-in one, as a starting point', 'subscriptions mailing-layouts show Standard -p gardener > mine.json'],
    ],
    exits: ['missing'],
  })
    .argument('[name]', 'the name of the layout, in upper or lower case')
    .option(...flags.publication)
    .action(
      action<LayoutFlags>(cli, async (options, [name]) => {
        const layoutName = requireName(name)
        const { getLayout } = await import('#core/mailing/get-layout.query.ts')
        const { layout } = await onPublication(cli, options, ({ ctx, urlKey }) =>
          getLayout(ctx, { urlKey, name: layoutName }),
        )
        await cli.cliOutput.json(layout)
        return 0
      }),
    )
}

function saveCommand(cli: Cli): Command {
  return describe(new Command('save'), {
    summary: 'Save a layout from a JSON file, replacing one of the same name',
    details: 'The file is what show prints. What it leaves out is taken from the standard layout.',
    examples: [
      ['for one publication', 'subscriptions mailing-layouts save Acme --publication gardener --file acme.json'],
      [
        'for all of the publisher’s publications',
        'subscriptions mailing-layouts save Acme -p gardener --file acme.json --shared',
      ],
      ['as a dry run', 'subscriptions mailing-layouts save Acme -p gardener --file acme.json --dry-run'],
    ],
    exits: ['missing'],
  })
    .argument('[name]', 'the name of the layout')
    .option(...flags.publication)
    .option('--file <file>', 'the JSON file, or - for stdin')
    .option('--shared', 'for every publication of the publisher')
    .option(...flags.dryRun)
    .action(
      action<LayoutFlags>(cli, async ({ dryRun = false, ...options }, [name]) => {
        const { cliOutput } = cli
        const layoutName = requireName(name)
        const layout = await readLayoutFile(cli, options.file)
        const [{ saveLayout }, { listLayouts }, { withDryRun }] = await Promise.all([
          import('#core/transfers/save-layout.ts'),
          import('#core/mailing/list-layouts.query.ts'),
          import('../with-dry-run.ts'),
        ])
        const { urlKey, saved, existing } = await onPublication(cli, options, async ({ ctx, urlKey: key }) => {
          const layouts = await listLayouts(ctx, { urlKey: key })
          const existing = layouts.find(({ name: known }) => known.toLowerCase() === layoutName.toLowerCase())
          const isShared = options.shared ?? existing?.isShared ?? false
          const input = { urlKey: key, was: existing?.name, name: layoutName, isShared, layout }
          return { urlKey: key, existing, saved: await withDryRun(ctx, dryRun, () => saveLayout(ctx, input)) }
        })
        if (cliOutput.flags.json)
          await cliOutput.json({
            dryRun,
            name: saved.name,
            isShared: saved.isShared,
            isNew: !existing,
            layout: saved.layout,
          })
        else {
          await cliOutput.confirm(
            `${dryRun ? 'Would save' : `${cliOutput.out.done} Saved`} the layout ${saved.name}${existing ? ', replacing the existing one' : ''}`,
          )
          if (!dryRun)
            cliOutput.say(`Next: subscriptions mailing-file --publication ${urlKey} --layout ${shellWord(saved.name)}`)
        }
        return 0
      }),
    )
}

function removeCommand(cli: Cli): Command {
  return describe(new Command('remove'), {
    summary: 'Remove a layout',
    details: 'The records of past mailing files keep its name.',
    examples: [
      ['after confirming', 'subscriptions mailing-layouts remove Acme --publication gardener'],
      ['without confirming', 'subscriptions mailing-layouts remove Acme --publication gardener --yes'],
      ['see what would change', 'subscriptions mailing-layouts remove Acme --publication gardener --dry-run'],
    ],
    exits: ['missing'],
  })
    .argument('[name]', 'the name of the layout, in upper or lower case')
    .option(...flags.publication)
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<LayoutFlags>(cli, async ({ dryRun = false, ...options }, [name]) => {
        const { cliOutput } = cli
        const layoutName = requireName(name)
        const [{ removeLayout }, { getLayout }, { withDryRun }] = await Promise.all([
          import('#core/transfers/remove-layout.ts'),
          import('#core/mailing/get-layout.query.ts'),
          import('../with-dry-run.ts'),
        ])
        const removed = await onPublication(cli, options, async ({ ctx, urlKey }) => {
          const layout = await getLayout(ctx, { urlKey, name: layoutName })
          if (!dryRun && !(await confirm(cliOutput, `Remove the layout ${layout.name}?`, options.yes)))
            throw interrupted('Nothing was changed')
          return withDryRun(ctx, dryRun, () => removeLayout(ctx, { urlKey, name: layout.name }))
        })
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, name: removed.name })
        else
          await cliOutput.confirm(
            `${dryRun ? 'Would remove' : `${cliOutput.out.done} Removed`} the layout ${removed.name}`,
          )
        return 0
      }),
    )
}

type Ctx = Parameters<Parameters<typeof import('../session.ts').withSession>[2]>[0]['ctx']

async function onPublication<Done>(
  { cliOutput }: Cli,
  options: LayoutFlags & { as?: string },
  work: (on: { ctx: Ctx; urlKey: string }) => Promise<Done>,
): Promise<Done> {
  const [{ withSession }, { choosePublication, requireHandle }] = await Promise.all([
    import('../session.ts'),
    import('../choose-publication.ts'),
  ])
  requireHandle(cliOutput, options.publication)
  return withSession(cliOutput, options, async (session) =>
    work({ ctx: session.ctx, urlKey: await choosePublication(cliOutput, session, options.publication) }),
  )
}

function requireName(name: string | undefined): string {
  if (name === undefined || name.trim() === '')
    throw usageError('no layout given', 'specify it; to list them: subscriptions mailing-layouts list')
  return name.trim()
}

async function readLayoutFile({ cliOutput }: Cli, file: string | undefined): Promise<unknown> {
  if (file === undefined) throw usageError('no file given', 'specify it: --file <file>, or --file - for stdin')
  const { findInput } = await import('../input-file.ts')
  const input = await findInput(cliOutput, file)
  const json = input === 'stdin' ? await text(cliOutput.io.stdin) : await readFile(input.path, 'utf8')
  try {
    return JSON.parse(json)
  } catch (error) {
    throw usageError(
      `${file} is not JSON: ${(error as Error).message}`,
      'start from: subscriptions mailing-layouts show Standard',
    )
  }
}
