import { Command, Option } from 'commander'
import { jobStates } from '#core/jobs/job-queue.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { JobListItem } from '#core/maintenance/list-jobs.query.ts'
import { usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'

const shortMoment = (moment: string) => `${moment.slice(0, 10)} ${moment.slice(11, 16)}`

const columns: readonly Column<JobListItem>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'Job', show: ({ name }) => name },
  { header: 'Status', show: ({ state }) => state },
  { header: 'Attempts', show: ({ attempts }) => attempts, align: 'right' },
  { header: 'Due (UTC)', show: ({ runAt }) => shortMoment(runAt), raw: ({ runAt }) => runAt },
  { header: 'Problem', show: ({ problem }) => problem },
]

export function jobsCommand(cli: Cli): Command {
  return groupCommand(cli, 'jobs', {
    summary: 'List the jobs of the worker, or retry failed ones',
    usage: 'list|retry',
    examples: [
      ['what failed, and why', 'subscriptions jobs list --state failed'],
      ['retry one', 'subscriptions jobs retry 1042'],
      ['retry all of them', 'subscriptions jobs retry --all-failed'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(retryCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the newest jobs',
    details: 'When piped: one line each, tab-separated, without a header row: id, job, state,\nattempts, due, problem.',
    examples: [
      ['the newest jobs', 'subscriptions jobs list'],
      ['what failed, and why', 'subscriptions jobs list --state failed'],
      ['as JSON', 'subscriptions jobs list --state waiting --limit 1000 --json'],
    ],
    exits: ['missing'],
  })
    .addOption(
      new Option('--state <state>', 'only the jobs in this state; failed includes emails that were refused').choices(
        jobStates,
      ),
    )
    .option('--limit <number>', 'the maximum number to list, up to 1000', '50')
    .action(
      action<{ state?: string; limit: string }>(cli, async ({ as, state, limit }) => {
        const { cliOutput } = cli
        const [{ withSession }, { listJobs }] = await Promise.all([
          import('../session.ts'),
          import('#core/maintenance/list-jobs.query.ts'),
        ])
        const { jobs, total } = await withSession(cliOutput, { as }, ({ ctx }) =>
          withFlagErrors({ limit: '--limit' }, 'subscriptions jobs list', () => listJobs(ctx, { state, limit })),
        )
        if (cliOutput.flags.json) await cliOutput.json(jobs)
        else if (jobs.length === 0) cliOutput.say(state ? `No ${state} jobs` : 'No jobs')
        else await printTable(cliOutput, jobs, columns)
        if (total > jobs.length)
          cliOutput.say(`The latest ${jobs.length} of ${countOf(total, 'job')}; more with --limit`)
        return 0
      }),
    )
}

function retryCommand(cli: Cli): Command {
  return describe(new Command('retry'), {
    summary: 'Retry failed jobs now, with all their attempts again',
    details: 'A running worker picks them up within a second or two.',
    examples: [
      ['one job, or several', 'subscriptions jobs retry 1042 1043'],
      ['every failed job', 'subscriptions jobs retry --all-failed'],
      ['see which ones would be retried', 'subscriptions jobs retry --all-failed --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[id...]', 'the numbers of failed jobs')
    .option('--all-failed', 'every failed job')
    .option(...flags.dryRun)
    .action(
      action<{ allFailed?: boolean; dryRun?: boolean }>(cli, async ({ as, allFailed = false, dryRun = false }, ids) => {
        const { cliOutput } = cli
        if (allFailed === ids.length > 0) {
          throw usageError(
            allFailed ? 'specify jobs or use --all-failed, not both' : 'no job given',
            'for example: subscriptions jobs retry --all-failed',
          )
        }
        const invalidId = ids.find((id) => !/^[1-9]\d{0,15}$/.test(id))
        if (invalidId !== undefined)
          throw usageError(
            `"${invalidId}" is not the number of a job`,
            'to list the numbers: subscriptions jobs list --state failed',
          )
        const [{ withSession }, { retryJobs }] = await Promise.all([
          import('../session.ts'),
          import('#core/maintenance/retry-jobs.ts'),
        ])
        const retried = await withSession(cliOutput, { as }, ({ ctx }) =>
          retryJobs(ctx, { ids: ids.map(Number), allFailed, dryRun }),
        )
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, retried })
        else if (retried.length === 0) await cliOutput.confirm(`${cliOutput.out.done} No failed jobs`)
        else {
          const what = countOf(retried.length, 'job')
          await cliOutput.confirm(
            dryRun
              ? `Would queue ${what} again: ${retried.join(', ')}`
              : `${cliOutput.out.done} Queued ${what} again: ${retried.join(', ')}`,
          )
          if (!dryRun) cliOutput.say('Next: subscriptions jobs list')
        }
        return 0
      }),
    )
}
