import { Command } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { EffortCount } from '#core/series/preview-efforts.ts'
import { effortDay } from '#core/series/series.rules.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { type RunFlags, withRunFlags, withRunScope } from './run-flags.ts'

const flagOf = { on: '--on' }

const columns: readonly Column<EffortCount>[] = [
  { header: 'Day', show: ({ dayOffset }) => effortDay(dayOffset), raw: ({ dayOffset }) => dayOffset },
  { header: 'Kind', show: ({ kind }) => kind },
  { header: 'Channel', show: ({ channel }) => channel },
  { header: 'Readers', show: ({ readers }) => readers, align: 'right' },
  {
    header: 'Left out',
    show: ({ excluded }) => excluded.map(({ readers, text }) => `${readers} ${text}`).join('; ') || 'nobody',
  },
  { header: 'Publication', show: ({ publicationId }) => publicationId, align: 'right' },
]

export function renewalsEffortsCommand(cli: Cli): Command {
  return withRunFlags(
    describe(new Command('efforts'), {
      summary: 'Show what the renewal series would send on a day',
      details:
        'How many readers would get each effort, and why others would not, as the readers are now; also\n' +
        'of series that are not switched on yet. Nothing is sent. When piped: one line each, tab-separated,\n' +
        'without a header row: days after the end, kind, channel, readers, left out, publication id.',
      examples: [
        ['today', 'subscriptions renewals efforts'],
        ['of one title on a day', 'subscriptions renewals efforts --on 03/12/2026 --publication gardener'],
        ['as JSON', 'subscriptions renewals efforts --json'],
      ],
      exits: ['missing'],
    }),
    'the day to show, which may be in the future',
  ).action(
    action<RunFlags>(cli, async (options) => {
      const { cliOutput } = cli
      const preview = await withRunScope(cli, options, async (ctx, scope) => {
        const { previewEfforts } = await import('#core/series/preview-efforts.ts')
        return withFlagErrors(flagOf, 'subscriptions renewals efforts', () =>
          previewEfforts(ctx, { ...scope, on: options.on }),
        )
      })
      if (cliOutput.flags.json) await cliOutput.json(preview)
      else await printTable(cliOutput, preview.efforts, columns)
      const total = preview.efforts.reduce((sum, { readers }) => sum + readers, 0)
      cliOutput.say(`On ${formatDay(preview.on)}: ${countOf(total, 'effort')}`)
      if (!preview.isOn) cliOutput.say('No series is switched on: nothing is sent')
      return 0
    }),
  )
}

export function renewalsSendCommand(cli: Cli): Command {
  return withRunFlags(
    describe(new Command('send'), {
      summary: 'Plan the renewal series of a day and queue its emails, as the worker does every hour',
      details:
        'Idempotent: each effort is planned once for each reader and end of term. The worker sends the\n' +
        'emails. Of several missed efforts only the newest is sent. A future day needs --dry-run.',
      examples: [
        ['of all titles', 'subscriptions renewals send'],
        ['of one title', 'subscriptions renewals send --publication gardener'],
        ['how many it would plan', 'subscriptions renewals send --dry-run'],
      ],
      exits: ['missing'],
    }),
    'the day to plan for',
  )
    .option(...flags.dryRun)
    .action(
      action<RunFlags>(cli, async (options) => {
        const { cliOutput } = cli
        const { on, dryRun = false } = options
        const result = await withRunScope(cli, options, async (ctx, scope) => {
          const [{ sendEffortsBy }, { withDryRun }] = await Promise.all([
            import('#core/series/plan-efforts.ts'),
            import('../with-dry-run.ts'),
          ])
          return withFlagErrors(flagOf, 'subscriptions renewals send', () =>
            withDryRun(ctx, dryRun, () => sendEffortsBy(ctx, { ...scope, on, isDryRun: dryRun })),
          )
        })
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...result })
        else {
          const what = `${countOf(result.emails, 'email')} and ${countOf(result.letters, 'letter')} as of ${formatDay(result.on)}`
          await cliOutput.confirm(dryRun ? `Would plan ${what}` : `${cliOutput.out.done} Planned ${what}`)
        }
        return 0
      }),
    )
}
