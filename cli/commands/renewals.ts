import { Command } from 'commander'
import type { listDueRenewals } from '#core/charging/due-renewals.query.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { formatMinorUnits, formatMoney } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { exitCodes, interrupted, usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'
import { renewalsLettersCommand } from './renewals-letters.ts'
import { renewalsOfferCommand } from './renewals-offer.ts'
import { renewalsEffortsCommand, renewalsSendCommand } from './renewals-series.ts'
import { renewalsSimulateCommand } from './renewals-simulate.ts'
import { type RunFlags, withRunFlags, withRunScope } from './run-flags.ts'

type Due = Awaited<ReturnType<typeof listDueRenewals>>

const columns: readonly Column<Due['renewals'][number]>[] = [
  { header: 'Date', show: ({ on }) => formatDay(on), raw: ({ on }) => on },
  { header: 'Reader', show: ({ uniqueReference }) => uniqueReference },
  { header: 'Publication', show: ({ publication }) => publication },
  { header: 'Plan', show: ({ plan }) => plan },
  { header: 'Amount', show: ({ amount }) => formatMinorUnits(amount), align: 'right' },
  { header: 'Currency', show: ({ currency }) => currency },
  { header: 'Status', show: ({ state }) => state },
  { header: 'ID', show: ({ id }) => id, align: 'right' },
]

export function renewalsCommand(cli: Cli): Command {
  return groupCommand(cli, 'renewals', {
    summary: 'Automatic renewals, what is due, and the series',
    usage: '<command>',
    examples: [
      ['what is due today', 'subscriptions renewals due'],
      ['what will be due by a day', 'subscriptions renewals due --on 31/12/2026 --publication gardener'],
      ['charge what is due', 'subscriptions renewals charge --publication gardener'],
      ['retry what was declined', 'subscriptions renewals retry --publication gardener'],
    ],
    exits: ['missing'],
  })
    .addCommand(dueCommand(cli))
    .addCommand(planCommand(cli))
    .addCommand(chargeCommand(cli))
    .addCommand(retryCommand(cli))
    .addCommand(renewalsEffortsCommand(cli))
    .addCommand(renewalsSendCommand(cli))
    .addCommand(renewalsLettersCommand(cli))
    .addCommand(renewalsOfferCommand(cli))
    .addCommand(renewalsSimulateCommand(cli))
}

const flagOf = { on: '--on', limit: '--limit' }

function dueCommand(cli: Cli): Command {
  return withRunFlags(
    describe(new Command('due'), {
      summary: 'List what would be charged up to a day',
      details:
        'Earliest first, with totals per currency on stderr (in --json: totals). The state is\n' +
        'agreed (not planned yet), planned or retrying (declined before). When piped: one line each,\n' +
        'tab-separated, without a header row: date, reader reference, publication, plan, amount,\n' +
        'currency, state, id.',
      examples: [
        ['today', 'subscriptions renewals due'],
        ['until the end of the year', 'subscriptions renewals due --on 31/12/2026'],
        ['as JSON', 'subscriptions renewals due --publisher p@example.com --json'],
      ],
      exits: ['missing'],
    }),
    'up to and including this day, which may be in the future',
  )
    .option('--limit <number>', 'the maximum number to list, up to 100000', '1000')
    .action(
      action<RunFlags & { limit: string }>(cli, async (options) => {
        const { cliOutput } = cli
        const due = await withRunScope(cli, options, async (ctx, scope) => {
          const { listDueRenewals } = await import('#core/charging/due-renewals.query.ts')
          const { on, limit } = options
          return withFlagErrors(flagOf, 'subscriptions renewals due', () =>
            listDueRenewals(ctx, { ...scope, on, limit }),
          )
        })
        if (cliOutput.flags.json) await cliOutput.json(due)
        else await printTable(cliOutput, due.renewals, columns)
        cliOutput.say(`Until ${formatDay(due.on)}: ${totalOf(due)}`)
        const total = due.totals.reduce((sum, { renewals }) => sum + renewals, 0)
        if (total > due.renewals.length) {
          cliOutput.say(`The first ${due.renewals.length} of ${countOf(total, 'renewal')}; more with --limit`)
        }
        return 0
      }),
    )
}

function planCommand(cli: Cli): Command {
  return withRunFlags(
    describe(new Command('plan'), {
      summary: 'Plan the upcoming renewals, as the worker does every hour',
      details:
        'Idempotent: once for each agreement and cycle. A future day needs --dry-run: real renewals\n' +
        'are never planned or charged ahead of their day.',
      examples: [
        ['of all titles', 'subscriptions renewals plan'],
        ['of one title', 'subscriptions renewals plan --publication gardener'],
        ['how many it would plan on a day', 'subscriptions renewals plan --on 01/12/2026 --dry-run'],
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
          const [{ planRenewalsBy }, { withDryRun }] = await Promise.all([
            import('#core/charging/run-renewals.ts'),
            import('../with-dry-run.ts'),
          ])
          return withFlagErrors(flagOf, 'subscriptions renewals plan', () =>
            withDryRun(ctx, dryRun, () => planRenewalsBy(ctx, { ...scope, on, isDryRun: dryRun })),
          )
        })
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...result })
        else {
          const what = `${countOf(result.planned, 'renewal')} as of ${formatDay(result.on)}`
          await cliOutput.confirm(dryRun ? `Would plan ${what}` : `${cliOutput.out.done} Planned ${what}`)
        }
        return 0
      }),
    )
}

function chargeCommand(cli: Cli): Command {
  return withRunFlags(
    describe(new Command('charge'), {
      summary: 'Charge what is due, as the worker does every five minutes',
      details:
        'Each renewal is charged once, even if the worker runs at the same time. Orders are dated\n' +
        'today; with an earlier day, only what was due by that day is charged. A future day needs\n' +
        '--dry-run: nobody is charged ahead of the day that was announced.',
      examples: [
        ['of all titles', 'subscriptions renewals charge'],
        ['of one title', 'subscriptions renewals charge --publication gardener'],
        ['see what would be charged', 'subscriptions renewals charge --publication gardener --dry-run'],
      ],
      exits: ['missing'],
    }),
    'what was due by this day',
  )
    .option(...flags.dryRun)
    .action(
      action<RunFlags>(cli, async (options) => {
        const { cliOutput } = cli
        const { on, dryRun = false } = options
        return withRunScope(cli, options, async (ctx, scope) => {
          if (dryRun) {
            const { listDueRenewals } = await import('#core/charging/due-renewals.query.ts')
            const due = await withFlagErrors(flagOf, 'subscriptions renewals charge', () =>
              listDueRenewals(ctx, { ...scope, on, limit: 1 }),
            )
            if (cliOutput.flags.json) await cliOutput.json({ dryRun, on: due.on, totals: due.totals })
            else await cliOutput.confirm(`Would charge until ${formatDay(due.on)}: ${totalOf(due)}`)
            return 0
          }
          const { chargeRenewalsBy } = await import('#core/charging/run-renewals.ts')
          const { left, ...result } = await withFlagErrors(flagOf, 'subscriptions renewals charge', () =>
            chargeRenewalsBy(ctx, { ...scope, on, signal: cliOutput.io.signal }),
          )
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...result })
          else {
            await cliOutput.confirm(
              `${cliOutput.out.done} Charged ${countOf(result.charged, 'renewal')}: ${result.paid} paid, ${result.lapsed} lapsed`,
            )
          }
          if (left === 'due')
            throw interrupted('Stopped; the rest stays due', 'run the same command again to charge it')
          if (left === 'to-lapse')
            throw interrupted(
              'Stopped. Nothing stays due, but not all unpaid renewals have lapsed',
              'run the same command again to end them',
            )
          if (result.failed === 0) return 0
          cliOutput.warn(`${countOf(result.failed, 'renewal')} could not be charged; the next run tries again`)
          return exitCodes.failed.code
        })
      }),
    )
}

function retryCommand(cli: Cli): Command {
  return withRunFlags(
    describe(new Command('retry'), {
      summary: 'Retry declined renewals now, before their next retry day',
      details:
        'One by its id, or all that were declined before a day and may be retried. Not retried: a card\n' +
        'reported lost or stolen, a renewal that waits for the reader or their bank, after 12 attempts or\n' +
        'the grace period, a direct debit before its notice has passed, and renewals tried on that day,\n' +
        'so that a second run charges nobody twice. Orders are dated today. A future day needs --dry-run.',
      examples: [
        ['see what would be charged', 'subscriptions renewals retry --publication gardener --dry-run'],
        ['of one title', 'subscriptions renewals retry --publication gardener'],
        ['of all titles', 'subscriptions renewals retry --all'],
        ['one renewal, as the button does', 'subscriptions renewals retry 1042'],
      ],
      exits: ['missing', 'conflict'],
    }),
    'what was declined before this day',
  )
    .argument('[id]', 'the id of one renewal')
    .option('--all', 'of all titles')
    .option(...flags.dryRun)
    .action(
      action<RunFlags & { all?: boolean }>(cli, async (options, [id]) => {
        const { all = false, publication, publisher, on } = options
        const isNarrowed = publication !== undefined || publisher !== undefined
        if (Number(id !== undefined) + Number(all) + Number(isNarrowed) !== 1) {
          const hint = 'for example: subscriptions renewals retry --publication gardener --dry-run'
          throw usageError('specify one: an id, --publication, --publisher or --all', hint)
        }
        if (id === undefined) return retryRun(cli, options)
        if (!/^[1-9]\d{0,14}$/.test(id)) {
          const hint = 'to list the ids: subscriptions renewals due --json'
          throw usageError(`"${id}" is not the id of a renewal`, hint)
        }
        if (on !== undefined) throw usageError('--on goes with --publication, --publisher or --all')
        return retryOne(cli, options, Number(id))
      }),
    )
}

function retryRun(cli: Cli, options: RunFlags): Promise<number> {
  const { cliOutput } = cli
  const { on, dryRun = false } = options
  return withRunScope(cli, options, async (ctx, scope) => {
    const { retriableTotals, retryRenewals } = await import('#core/charging/retry-renewals.ts')
    const command = 'subscriptions renewals retry'
    if (dryRun) {
      const totals = await withFlagErrors(flagOf, command, () => retriableTotals(ctx, { ...scope, on }))
      if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...totals })
      else
        await cliOutput.confirm(
          `Would charge again what was declined before ${formatDay(totals.on)}: ${totalOf(totals)}`,
        )
      return 0
    }
    const result = await withFlagErrors(flagOf, command, () =>
      retryRenewals(ctx, { ...scope, on, signal: cliOutput.io.signal }),
    )
    if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...result })
    else {
      const what = countOf(result.retried, 'renewal')
      await cliOutput.confirm(`${cliOutput.out.done} Charged ${what} again: ${result.paid} paid`)
    }
    if (cliOutput.io.signal.aborted)
      throw interrupted('Stopped; the rest was not retried', 'run the same command again to retry it')
    if (result.failed === 0) return 0
    cliOutput.warn(`${countOf(result.failed, 'renewal')} could not be retried`)
    return exitCodes.failed.code
  })
}

function retryOne(cli: Cli, options: RunFlags, id: number): Promise<number> {
  const { cliOutput } = cli
  const { dryRun = false } = options
  return withRunScope(cli, options, async (ctx) => {
    const { retryRenewal } = await import('#core/charging/retry-renewal.ts')
    // From here on Ctrl-C waits for the end of the charge.
    cliOutput.io.signal.throwIfAborted()
    const result = await retryRenewal(ctx, { id, isDryRun: dryRun })
    if (cliOutput.flags.json) {
      await cliOutput.json({ dryRun, id, ...result })
      return 0
    }
    const next = result.nextTryOn === null ? '' : `; next on ${formatDay(result.nextTryOn)}`
    const isPaid = result.state === 'paid'
    const outcome = isPaid ? 'paid' : `not paid${result.reason && `: ${result.reason}`}${next}`
    await cliOutput.confirm(
      dryRun
        ? `Would charge renewal ${id} again`
        : `${isPaid ? `${cliOutput.out.done} ` : ''}Charged renewal ${id} again: ${outcome}`,
    )
    return 0
  })
}

function totalOf({ totals }: Pick<Due, 'totals'>): string {
  if (totals.length === 0) return 'nothing'
  return totals
    .map(({ renewals, amount, currency }) => `${countOf(renewals, 'renewal')}, ${formatMoney({ amount, currency })}`)
    .join('; ')
}
