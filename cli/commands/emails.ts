import { randomUUID } from 'node:crypto'
import { Command } from 'commander'
import type { LoggedMail, SentMail } from '#core/emails/mail-log.query.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import { usageError } from '../cli-error.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'
import { type Column, printTable } from '../table.ts'

const columns: readonly Column<LoggedMail>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'When (UTC)', show: ({ at }) => formatUtc(at), raw: ({ at }) => at.toISOString() },
  { header: 'Email', show: ({ title }) => title, raw: ({ mail }) => mail },
  { header: 'To', show: ({ to }) => to },
  { header: 'Reader', show: ({ reader }) => reader?.name ?? null, raw: ({ reader }) => reader?.id ?? null },
  { header: 'Status', show: ({ state }) => state },
  { header: 'Attempts', show: ({ tries }) => tries, align: 'right' },
  { header: 'Response', show: ({ answer }) => answer || null },
]

export function emailsCommand(cli: Cli): Command {
  return groupCommand(cli, 'emails', {
    summary: 'List, show and resend emails, and send to bounced addresses again',
    usage: '<command>',
    examples: [
      ['the newest emails', 'subscriptions emails list --publication gardener'],
      ['one email as it was sent', 'subscriptions emails show 1204'],
      ['send it again', 'subscriptions emails resend 1204'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(resendCommand(cli))
    .addCommand(tryAddressCommand(cli))
}

interface ListFlags {
  publication?: string
  search?: string
  reader?: string
  mail?: string
  state?: string
  from?: string
  to?: string
  before?: string
  limit: string
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the emails of a publication, newest first',
    details:
      'When piped: one line each, tab-separated, without a header row: id, time, email, address, reader,\n' +
      'state, attempts, the response of the mail server.',
    examples: [
      ['the newest emails', 'subscriptions emails list --publication gardener'],
      ['what was sent to one address', 'subscriptions emails list --publication gardener --search ann@example.com'],
      ['what was refused since a date', 'subscriptions emails list -p gardener --state refused --from 01/11/2026'],
      ['the next page', 'subscriptions emails list --publication gardener --before 1204'],
    ],
    exits: ['missing'],
  })
    .option(...flags.publication)
    .option('--search <text>', 'the beginning of the address, subject or reader; or an order number')
    .option('--reader <id>', 'only emails to this reader')
    .option('--mail <name>', 'only this email, such as order-receipt')
    .option('--state <state>', 'only this state: sent, waiting, bounced, refused, suppressed, failed or dropped')
    .option('--from <date>', 'from this day on, as DD/MM/YYYY')
    .option('--to <date>', 'up to and including this day')
    .option('--before <id>', 'only emails older than this one')
    .option('--limit <number>', 'how many to list: 10, 25, 50 or 100', '25')
    .action(
      action<ListFlags>(cli, async ({ as, publication: handle, limit, search: q, reader, ...filters }) => {
        const { cliOutput } = cli
        if (!['10', '25', '50', '100'].includes(limit))
          throw usageError(`--limit ${limit} is not an available list size`, 'one of 10, 25, 50, 100')
        const [{ withSession }, { choosePublication, requireHandle }, { listMailLog }, { ownPublication }] =
          await Promise.all([
            import('../session.ts'),
            import('../choose-publication.ts'),
            import('#core/emails/mail-log.query.ts'),
            import('#core/publications/own-publication.ts'),
          ])
        requireHandle(cliOutput, handle)
        const page = await withSession(cliOutput, { as }, async (session) => {
          const urlKey = await choosePublication(cliOutput, session, handle)
          const { id: publicationId } = await ownPublication(session.ctx, { urlKey })
          const { from, to, mail, state, before } = filters
          const filter = { publicationId, q, readerId: reader, from, to, mail, state, before, size: limit }
          const names = { q: '--search', readerId: '--reader', before: '--before', mail: '--mail' }
          const byFlag = { ...names, state: '--state', from: '--from', to: '--to' }
          return withFlagErrors(byFlag, 'subscriptions emails list', () => listMailLog(session.ctx, filter))
        })
        if (cliOutput.flags.json) await cliOutput.json(page.emails)
        else if (page.emails.length === 0) cliOutput.say('No email matches')
        else await printTable(cliOutput, page.emails, columns)
        if (page.older !== null) cliOutput.say(`Older emails: --before ${page.older}`)
        return 0
      }),
    )
}

function showCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show one email as it was sent',
    details: 'Links that gave access are masked. The body is kept for MAIL_BODY_DAYS.',
    examples: [
      ['as text', 'subscriptions emails show 1204'],
      ['as JSON', 'subscriptions emails show 1204 --json'],
      ['its HTML', 'subscriptions emails show 1204 --json | jq -r .body.html'],
    ],
    exits: ['missing'],
  })
    .argument('<id>', 'the number of the email')
    .action(
      action(cli, async ({ as }, [id]) => {
        const [{ withSession }, { getSentMail }] = await Promise.all([
          import('../session.ts'),
          import('#core/emails/mail-log.query.ts'),
        ])
        const mail = await withSession(cli.cliOutput, { as }, ({ ctx }) => getSentMail(ctx, { id }))
        if (cli.cliOutput.flags.json) await cli.cliOutput.json(mail)
        else await printMail(cli, mail)
        return 0
      }),
    )
}

async function printMail({ cliOutput }: Cli, mail: SentMail): Promise<void> {
  await cliOutput.print(cliOutput.out.bold(printable(mail.subject || mail.title)))
  await cliOutput.print(
    labelled([
      ['Publication', mail.publicationName],
      ['Email', `${mail.title} (${mail.mail})`],
      ['When', `${formatUtc(mail.at)} UTC`],
      ['To', mail.to],
      ['Reader', mail.reader && `${mail.reader.name} (${mail.reader.id})`],
      ['Status', `${mail.state}, ${mail.tries === 1 ? '1 attempt' : `${mail.tries} attempts`}`],
      ['Response', mail.answer],
    ]),
  )
  await cliOutput.print(
    mail.body ? `\n${mail.body.text.split(/\r?\n/).map(printable).join('\n')}` : '\nIts body is not stored.',
  )
}

function resendCommand(cli: Cli): Command {
  return describe(new Command('resend'), {
    summary: 'Send an email again, rendered with current data',
    details:
      'Refused if the email would be empty or has no recipient, and for emails with links that work once,\nsuch as those to set a password.',
    examples: [
      ['send it again', 'subscriptions emails resend 1204'],
      ['see who would get it', 'subscriptions emails resend 1204 --dry-run'],
      ['as JSON', 'subscriptions emails resend 1204 --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('<id>', 'the number of the email')
    .option(...flags.dryRun)
    .action(
      action<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }, [id]) => {
        const { cliOutput } = cli
        const [{ withSession }, { withDryRun }, { resendMail }] = await Promise.all([
          import('../session.ts'),
          import('../with-dry-run.ts'),
          import('#core/emails/resend-mail.ts'),
        ])
        const sent = await withSession(cliOutput, { as }, ({ ctx }) =>
          withDryRun(ctx, dryRun, () => resendMail(ctx, { id, key: randomUUID() })),
        )
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, ...sent })
        else {
          const what = `${sent.title} to ${printable(sent.to)}`
          await cliOutput.confirm(
            dryRun ? `Would send ${what} again; nothing was sent` : `${cliOutput.out.done} Sent ${what} again`,
          )
        }
        return 0
      }),
    )
}

function tryAddressCommand(cli: Cli): Command {
  return describe(new Command('try-address'), {
    summary: 'Allow emails again to an address that bounced',
    details:
      'Takes the number of an email to that address; or the address, for emails of the installation\n' +
      'itself, such as those to CONTACT_EMAIL. This sends no email: to send those\n' +
      'that were not sent, use emails resend or jobs retry.',
    examples: [
      ['the address of one email', 'subscriptions emails try-address 1204'],
      ['an address of the installation', 'subscriptions emails try-address desk@example.com'],
      ['see whether anything would change', 'subscriptions emails try-address 1204 --dry-run'],
    ],
    exits: ['missing'],
  })
    .argument('<id or address>', 'the number of the email, or an address')
    .option(...flags.dryRun)
    .action(
      action<{ dryRun?: boolean }>(cli, async ({ as, dryRun = false }, [what = '']) => {
        const { cliOutput } = cli
        const [{ withSession }, { withDryRun }, { tryMailAddress }, { tryInstallationAddress }] = await Promise.all([
          import('../session.ts'),
          import('../with-dry-run.ts'),
          import('#core/emails/try-mail-address.ts'),
          import('#core/bounces/try-address-again.ts'),
        ])
        const { to, changed } = await withSession(cliOutput, { as }, ({ ctx }) =>
          withDryRun(ctx, dryRun, async () =>
            what.includes('@')
              ? { to: what, ...(await tryInstallationAddress(ctx, { address: what })) }
              : tryMailAddress(ctx, { id: what }),
          ),
        )
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, to, changed })
        else if (!changed) cliOutput.say(`Emails to ${printable(to)} are not blocked`)
        else {
          const text = `send emails to ${printable(to)} again`
          await cliOutput.confirm(dryRun ? `Would ${text}; nothing was changed` : `${cliOutput.out.done} Will ${text}`)
        }
        return 0
      }),
    )
}
