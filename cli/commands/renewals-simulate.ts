import { Command } from 'commander'
import type { SimulatedMonth, Simulation } from '#core/charging/simulate-renewals.ts'
import type { SimulatedEffort } from '#core/charging/simulate-series.ts'
import { formatDay } from '#core/kernel/dates.ts'
import { formatMinorUnits } from '#core/kernel/money.ts'
import { action, type Cli, flags } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { makeProgress } from '../progress.ts'
import { type Column, printTable } from '../table.ts'

interface SimulateFlags {
  publication?: string
  years?: string
  from?: string
  declines?: string
  declinesAgain?: string
  answers?: string
  efforts?: boolean
  seed?: string
}

const flagOf = {
  years: '--years',
  from: '--from',
  declines: '--declines',
  declinesAgain: '--declines-again',
  responseRate: '--answers',
  seed: '--seed',
}

export function renewalsSimulateCommand(cli: Cli): Command {
  return describe(new Command('simulate'), {
    summary: 'Show what would happen in the coming years, by month',
    details:
      'Runs the renewals day by day on a copy of the title that is deleted afterwards: no\n' +
      'reader is charged, no email is sent, and the data does not change. A simulated bank declines\n' +
      'as often as this title was declined in the last year, unless a flag says otherwise. Nobody\n' +
      'joins, stops or changes their card. The same data, day and seed give the same table. When\n' +
      'piped: a line for each month and currency, tab-separated, without a header row: month, planned,\n' +
      'notices, other emails, charged, retried, declined, paid, lapsed, readers, currency, taken,\n' +
      'earned, owed. Counts are of all currencies. With --efforts a line for each effort of the renewal\n' +
      'series and currency: effort, kind, channel, sent, renewed, currency, taken.',
    examples: [
      ['three years from today', 'subscriptions renewals simulate --publication gardener'],
      [
        'if every tenth card is declined',
        'subscriptions renewals simulate --publication gardener --declines 10 --declines-again 60',
      ],
      [
        'what the renewal series would bring',
        'subscriptions renewals simulate --publication gardener --years 1 --efforts',
      ],
      ['as JSON', 'subscriptions renewals simulate --publication gardener --years 1 --json'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .option('--years <number>', 'how many years, up to 10', '3')
    .option('--from <date>', 'the first day to show, as DD/MM/YYYY (default: today)')
    .option('--declines <percent>', 'how many first charges are declined (default: as in the last year, else 0)')
    .option('--declines-again <percent>', 'how many retries are declined (default: as in the last year, else 50)')
    .option('--answers <percent>', 'how many readers renew by the link of an effort', '10')
    .option('--efforts', 'show the efforts of the renewal series instead of the months')
    .option('--seed <number>', 'the seed of the random choice of who is declined and who renews', '1')
    .action(
      action<SimulateFlags>(
        cli,
        async ({ as, publication, years, from, declines, declinesAgain, answers, efforts, seed }) => {
          const { cliOutput } = cli
          const [{ withSession }, { choosePublication, requireHandle }, { ownPublication }, { simulateRenewals }] =
            await Promise.all([
              import('../session.ts'),
              import('../choose-publication.ts'),
              import('#core/publications/own-publication.ts'),
              import('#core/charging/simulate-renewals.ts'),
            ])
          requireHandle(cliOutput, publication)
          const result = await withSession(cliOutput, { as }, async (session) => {
            const urlKey = await choosePublication(cliOutput, session, publication)
            const { id } = await ownPublication(session.ctx, { urlKey })
            const progress = makeProgress(cliOutput, 'Simulating', 'days')
            const input = {
              publicationId: id,
              years,
              from,
              declines,
              declinesAgain,
              responseRate: answers,
              seed,
              signal: cliOutput.io.signal,
              onDay: (day: number, days: number) => progress.update(day, days),
            }
            return withFlagErrors(flagOf, 'subscriptions renewals simulate', () =>
              simulateRenewals(session.ctx, input),
            ).finally(() => progress.end())
          })
          if (cliOutput.flags.json) await cliOutput.json(result)
          else if (efforts) await printTable(cliOutput, result.efforts.flatMap(effortLines), effortColumns)
          else await printTable(cliOutput, result.months.flatMap(linesOf), monthColumns)
          printRates(cli, result)
          return 0
        },
      ),
    )
}

function printRates({ cliOutput }: Cli, { rates, responseRate, ended, seed, until }: Simulation): void {
  cliOutput.say(
    `Until ${formatDay(until)}, ${rates.declines}% of first charges and ${rates.declinesAgain}% of retries declined, ${responseRate}% renew by each effort, seed ${seed}; ${ended} subscriptions ended without a renewal`,
  )
}

type Money = SimulatedMonth['money'][number]
type MonthLine = SimulatedMonth & { amounts: Money | null; isFirst: boolean }

/** A line for each currency, or a single line if there are no amounts. */
function linesOf(month: SimulatedMonth): MonthLine[] {
  const money: (Money | null)[] = month.money.length === 0 ? [null] : month.money
  return money.map((amounts, index) => ({ ...month, amounts, isFirst: index === 0 }))
}

const countColumn = (
  header: string,
  name: 'planned' | 'notices' | 'emails' | 'charged' | 'retried' | 'declined' | 'paid' | 'lapsed' | 'readers',
): Column<MonthLine> => ({
  header,
  show: (line) => (line.isFirst ? line[name] : ''),
  raw: (line) => line[name],
  align: 'right',
})

const moneyColumn = (header: string, name: 'taken' | 'earned' | 'owed'): Column<MonthLine> => ({
  header,
  show: ({ amounts }) => (amounts ? formatMinorUnits(amounts[name]) : ''),
  align: 'right',
})

const monthColumns: readonly Column<MonthLine>[] = [
  { header: 'Month', show: ({ month }) => month },
  countColumn('Planned', 'planned'),
  countColumn('Notices', 'notices'),
  countColumn('Emails', 'emails'),
  countColumn('Charged', 'charged'),
  countColumn('Retried', 'retried'),
  countColumn('Declined', 'declined'),
  countColumn('Paid', 'paid'),
  countColumn('Lapsed', 'lapsed'),
  countColumn('Readers', 'readers'),
  { header: 'Cur', show: ({ amounts }) => amounts?.currency ?? '' },
  moneyColumn('Taken', 'taken'),
  moneyColumn('Earned', 'earned'),
  moneyColumn('Owed', 'owed'),
]

type EffortLine = SimulatedEffort & { amounts: SimulatedEffort['money'][number] | null; isFirst: boolean }

function effortLines(effort: SimulatedEffort): EffortLine[] {
  const money: EffortLine['amounts'][] = effort.money.length === 0 ? [null] : effort.money
  return money.map((amounts, index) => ({ ...effort, amounts, isFirst: index === 0 }))
}

const effortColumns: readonly Column<EffortLine>[] = [
  { header: 'Effort', show: ({ dayOffset }) => (dayOffset > 0 ? `+${dayOffset}` : dayOffset), align: 'right' },
  { header: 'Kind', show: ({ kind }) => kind },
  { header: 'Channel', show: ({ channel }) => channel },
  { header: 'Sent', show: (line) => (line.isFirst ? line.sent : ''), raw: ({ sent }) => sent, align: 'right' },
  {
    header: 'Renewed',
    show: (line) => (line.isFirst ? line.renewed : ''),
    raw: ({ renewed }) => renewed,
    align: 'right',
  },
  { header: 'Cur', show: ({ amounts }) => amounts?.currency ?? '' },
  { header: 'Taken', show: ({ amounts }) => (amounts ? formatMinorUnits(amounts.taken) : ''), align: 'right' },
]
