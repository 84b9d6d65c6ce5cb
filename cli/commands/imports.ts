import { Command } from 'commander'
import type { ImportView } from '#core/imports/upload-view.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { importsBackupCommand } from './imports-backup.ts'
import { importsCancelCommand } from './imports-cancel.ts'
import { importsRejectsCommand } from './imports-rejects.ts'
import { importsShowCommand } from './imports-show.ts'
import { importsUndoCommand } from './imports-undo.ts'
import { importsWaitCommand } from './imports-wait.ts'

const number = (header: string, countOf: (view: ImportView) => number): Column<ImportView> => ({
  header,
  show: (view) => formatCount(countOf(view)),
  raw: countOf,
  align: 'right',
})

const columns: readonly Column<ImportView>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'Status', show: ({ state }) => state },
  { header: 'Mode', show: ({ mode, target }) => (target === 'imported' ? `${mode} imported` : mode) },
  {
    header: 'Started (UTC)',
    show: ({ startedAt }) => formatUtc(startedAt),
    raw: ({ startedAt }) => startedAt.toISOString(),
  },
  number('Added', ({ added }) => added),
  number('Updated', ({ updated }) => updated),
  number('Removed', ({ removed }) => removed),
  number('Rejected', ({ failed }) => failed),
  { header: 'File', show: ({ fileName }) => fileName },
]

export function importsCommand(cli: Cli): Command {
  return groupCommand(cli, 'imports', {
    summary: 'List imports, wait for one, undo it',
    usage: '<command>',
    examples: [
      ['the imports of a publication', 'subscriptions imports list --publication gardener'],
      ['what import 12 did', 'subscriptions imports show 12'],
      ['undo it', 'subscriptions imports undo 12'],
      ['the readers as they were before it', 'subscriptions imports backup 12 --output before.csv'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(importsShowCommand(cli))
    .addCommand(importsWaitCommand(cli))
    .addCommand(importsUndoCommand(cli))
    .addCommand(importsCancelCommand(cli))
    .addCommand(importsBackupCommand(cli))
    .addCommand(importsRejectsCommand(cli))
}

const max = 100

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the imports of a publication, newest first',
    details:
      `Lists the last ${max}. When piped: one line each, tab-separated, without a header row: number,\n` +
      'state, mode, started, added, updated, removed, rejected, file.',
    examples: [
      ['the imports', 'subscriptions imports list --publication gardener'],
      ['the number of the newest import', 'subscriptions imports list --publication gardener | head -1 | cut -f1'],
      ['as JSON', 'subscriptions imports list --publication gardener --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .action(
      action<{ publication?: string }>(cli, async ({ as, publication }) => {
        const { cliOutput } = cli
        const [{ withSession }, { choosePublication, requireHandle }, { listImports }] = await Promise.all([
          import('../session.ts'),
          import('../choose-publication.ts'),
          import('#core/imports/list-imports.query.ts'),
        ])
        requireHandle(cliOutput, publication)
        const { rows, urlKey } = await withSession(cliOutput, { as }, async (session) =>
          listImports(session.ctx, { urlKey: await choosePublication(cliOutput, session, publication), size: max }),
        )
        if (cliOutput.flags.json) await cliOutput.json(rows)
        else if (rows.length === 0) cliOutput.say(`Nothing has been imported into ${urlKey} yet`)
        else await printTable(cliOutput, rows, columns)
        return 0
      }),
    )
}
