import { Command } from 'commander'
import type { AuditRow } from '#core/audit/audit-rows.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import { countOf, nearest, quoted } from '#core/kernel/text-format.ts'
import { usageError } from '../cli-error.ts'
import { action, type Cli } from '../command.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'

interface AuditFlags {
  publisher?: string
  user?: string
  action?: string
  from?: string
  to?: string
  limit: string
}

const factsOf = ({ facts }: AuditRow) => facts.map(({ name, value }) => `${name}: ${value}`).join('; ')

const columns: readonly Column<AuditRow>[] = [
  { header: 'When (UTC)', show: ({ at }) => formatUtc(at), raw: ({ at }) => at.toISOString() },
  { header: 'Who', show: ({ who }) => who.name, raw: ({ who }) => who.email ?? who.name },
  { header: 'Action', show: ({ what }) => what, raw: (row) => row.action },
  { header: 'Record', show: ({ subject }) => subject.text },
  { header: 'Details', show: (row) => factsOf(row) || null },
  { header: 'Via', show: ({ entryPoint, address }) => (address ? `${entryPoint}, ${address}` : entryPoint) },
]

export function auditCommand(cli: Cli): Command {
  return describe(new Command('audit'), {
    summary: 'Show who did what to which record, newest first',
    details:
      'Every change, every log-in and every download of personal data. When piped: one line\n' +
      'each, tab-separated, without a header row: when, who (email), action, record, details, via.',
    examples: [
      ['the newest events', 'subscriptions audit'],
      ['what a user did since a date', 'subscriptions audit --user ann@example.com --from 01/11/2026'],
      [
        'every download of a publisher’s readers',
        'subscriptions audit --publisher p@example.com --action export-readers',
      ],
      ['as JSON', 'subscriptions audit --limit 1000 --json'],
    ],
    exits: ['missing'],
  })
    .option('--publisher <email>', 'only the events of this publisher, by its email')
    .option('--user <email>', 'only what this user did')
    .option('--action <action>', 'only this action, such as log-in or export-readers')
    .option('--from <date>', 'from this day on, as DD/MM/YYYY')
    .option('--to <date>', 'up to and including this day')
    .option('--limit <number>', 'the maximum number to list, up to 1000', '50')
    .action(
      action<AuditFlags>(cli, async ({ as, publisher, user, limit, ...filters }) => {
        const { cliOutput } = cli
        if (!/^[1-9]\d{0,2}$|^1000$/.test(limit))
          throw usageError(`--limit ${limit} is not a number from 1 to 1000`, 'for example --limit 200')
        const [{ withSession }, { listAudit }, { findUser }, { auditActions }] = await Promise.all([
          import('../session.ts'),
          import('#core/audit/list-audit.query.ts'),
          import('#core/users/find-user.query.ts'),
          import('#core/audit/audit-actions.ts'),
        ])
        if (filters.action !== undefined && !Object.hasOwn(auditActions, filters.action))
          throw unknownAction(filters.action, Object.keys(auditActions))
        const page = await withSession(cliOutput, { as }, async ({ ctx }) => {
          const idOf = async (email: string | undefined) =>
            email === undefined ? undefined : (await findUser(ctx, { email })).id
          const filter = { ...filters, userId: await idOf(user), publisherId: await idOf(publisher), size: limit }
          return withFlagErrors({ from: '--from', to: '--to' }, 'subscriptions audit', () => listAudit(ctx, filter))
        })
        if (cliOutput.flags.json) await cliOutput.json(page.rows)
        else if (page.rows.length === 0) cliOutput.say('No event matches')
        else await printTable(cliOutput, page.rows, columns)
        if (page.total > page.rows.length || page.hasMore)
          cliOutput.say(
            `The latest ${page.rows.length} of ${page.hasMore ? 'more than ' : ''}${countOf(page.total, 'event')}; more with --limit (up to 1000), or narrow with --from and --to`,
          )
        return 0
      }),
    )
}

function unknownAction(name: string, names: string[]): Error {
  const near = nearest(name, names)
  return usageError(
    near ? `unknown action ${quoted(name)}, did you mean "${near}"?` : `unknown action ${quoted(name)}`,
    `one of ${names.join(', ')}`,
  )
}
