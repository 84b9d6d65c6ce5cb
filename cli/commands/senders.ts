import { Command } from 'commander'
import { formatUtc } from '#core/kernel/dates.ts'
import type { ListedSender, SenderView } from '#core/senders/get-sender.query.ts'
import { asPublisher, type PublisherFlags } from '../as-publisher.ts'
import { usageError } from '../cli-error.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { printable } from '../style.ts'
import { type Column, printTable } from '../table.ts'

const publisherFlag = ['--publisher <email>', 'whose sender, by the email of the publisher'] as const

const columns: readonly Column<ListedSender>[] = [
  { header: 'Publisher', show: ({ publisher }) => publisher },
  { header: 'Company', show: ({ company }) => printable(company) },
  { header: 'Address', show: ({ address }) => address },
  { header: 'Status', show: ({ state }) => state },
  {
    header: 'Checked (UTC)',
    show: ({ checkedAt }) => (checkedAt ? formatUtc(checkedAt) : ''),
    raw: ({ checkedAt }) => checkedAt?.toISOString() ?? '',
  },
  { header: 'Problems', show: ({ problems }) => printable(problems.join('; ')) },
]

export function sendersCommand(cli: Cli): Command {
  return groupCommand(cli, 'senders', {
    summary: 'Show, set and check the senders of publishers’ emails',
    details: 'A publisher’s own address is used once it is confirmed and its DKIM record is found (docs/senders.md).',
    usage: '<command>',
    examples: [
      ['every publisher’s own address, with its problems', 'subscriptions senders list'],
      ['one, with its DNS records', 'subscriptions senders show --publisher p@example.com'],
      ['look up its records now', 'subscriptions senders check --publisher p@example.com'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(setCommand(cli))
    .addCommand(checkCommand(cli))
    .addCommand(sendLinkCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List every publisher with its own sender address',
    details:
      'A state is unverified, no-key, lost, refused or active. When piped: one line each, tab-separated,\n' +
      'without a header row: publisher, company, address, state, last check, problems.',
    examples: [
      ['all of them', 'subscriptions senders list'],
      ['as JSON', 'subscriptions senders list --json'],
      ['senders with problems', "subscriptions senders list --json | jq '.[] | select(.problems != [])'"],
    ],
  }).action(
    action(cli, async ({ as }) => {
      const { cliOutput } = cli
      const [{ withSession }, { listSenders }] = await Promise.all([
        import('../session.ts'),
        import('#core/senders/get-sender.query.ts'),
      ])
      const senders = await withSession(cliOutput, { as }, ({ ctx }) => listSenders(ctx, {}))
      if (cliOutput.flags.json) await cliOutput.json(senders)
      else if (senders.length === 0) cliOutput.say('No publisher has its own sender address')
      else await printTable(cliOutput, senders, columns)
      return 0
    }),
  )
}

function showCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show the sender of a publisher, with the DNS records it needs',
    examples: [
      ['by the email of the publisher', 'subscriptions senders show --publisher p@example.com'],
      ['as a user of that publisher', 'subscriptions senders show --as p@example.com'],
      ['the records alone', 'subscriptions senders show --publisher p@example.com --json | jq .records'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .action(
      action<PublisherFlags>(cli, async (options) => {
        const { getSender } = await import('#core/senders/get-sender.query.ts')
        await printSender(cli, await asPublisher(cli, options, 'sender', (ctx) => getSender(ctx, {})))
        return 0
      }),
    )
}

async function printSender({ cliOutput }: Cli, sender: SenderView): Promise<void> {
  if (cliOutput.flags.json) return cliOutput.json(sender)
  const { senderName, address, replyTo, state, refusedAnswer, records, checkedAt, dnsProblem } = sender
  await cliOutput.print(
    labelled([
      ['Name', printable(senderName) || 'of each publication'],
      ['Address', address || 'the installation’s'],
      ['Reply to', replyTo || 'of each publication'],
      ['Status', state],
      ['Refused', printable(refusedAnswer)],
      ['Checked', checkedAt && `${formatUtc(checkedAt)} UTC`],
      ['DNS', dnsProblem],
    ]),
  )
  for (const { kind, name, value, state: recordState, problem } of records)
    await cliOutput.print(
      `\n${labelled([
        [kind, `${recordState}${problem && `: ${printable(problem)}`}`],
        ['Name', name],
        ['Value', value],
      ])}`,
    )
}

function setCommand(cli: Cli): Command {
  return describe(new Command('set'), {
    summary: 'Set the name, the address and the reply-to address of a publisher',
    details:
      'Values that are not given are left unchanged; an empty text restores each publication’s name\n' +
      'and address, or the installation’s address. A new address is sent a link, which staff open to\n' +
      'confirm it.',
    examples: [
      [
        'the publisher’s own address',
        'subscriptions senders set --publisher p@example.com --name Quayside \\\n    --address readers@quayside.example',
      ],
      ['back to the installation’s', "subscriptions senders set --publisher p@example.com --address ''"],
      [
        'as a dry run',
        'subscriptions senders set --publisher p@example.com --reply-to help@quayside.example --dry-run',
      ],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .option('--name <text>', 'what readers see in their inbox')
    .option('--address <email>', 'the sender address, in a domain whose DNS the publisher manages')
    .option('--reply-to <email>', 'where replies go')
    .option(...flags.dryRun)
    .action(
      action<PublisherFlags & { name?: string; address?: string; replyTo?: string; dryRun?: boolean }>(
        cli,
        async (options) => {
          const { cliOutput } = cli
          const { name, address, replyTo, dryRun = false } = options
          if (name === undefined && address === undefined && replyTo === undefined)
            throw usageError('no change given', 'give --name, --address or --reply-to')
          const [{ getSender }, { saveSender }, { withDryRun }] = await Promise.all([
            import('#core/senders/get-sender.query.ts'),
            import('#core/senders/save-sender.ts'),
            import('../with-dry-run.ts'),
          ])
          const flagOf = { senderName: '--name', address: '--address', replyTo: '--reply-to' }
          const [sender, isLinkSent] = await asPublisher(cli, options, 'sender', (ctx) =>
            withFlagErrors(flagOf, 'subscriptions senders set', () =>
              withDryRun(ctx, dryRun, async () => {
                const stored = await getSender(ctx, {})
                const saved = await saveSender(ctx, {
                  senderName: name ?? stored.senderName,
                  address: address ?? stored.address,
                  replyTo: replyTo ?? stored.replyTo,
                })
                return [await getSender(ctx, {}), saved.isLinkSent] as const
              }),
            ),
          )
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, isLinkSent, ...sender })
          else {
            const to = sender.address || 'the installation’s address'
            await cliOutput.confirm(
              dryRun ? `Would send from ${to}` : `${cliOutput.out.done} Saved. The address is ${to}, ${sender.state}`,
            )
            if (isLinkSent && !dryRun) cliOutput.say(`A link to confirm it is on its way to ${sender.address}`)
          }
          return 0
        },
      ),
    )
}

function checkCommand(cli: Cli): Command {
  return describe(new Command('check'), {
    summary: 'Look up the DNS records of a publisher now',
    details: 'The worker checks every hour. After a check, an address that the mail server refused is tried again.',
    examples: [
      ['by the email of the publisher', 'subscriptions senders check --publisher p@example.com'],
      ['see what would be looked up', 'subscriptions senders check --publisher p@example.com --dry-run'],
      ['as JSON', 'subscriptions senders check --publisher p@example.com --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .option(...flags.dryRun)
    .action(
      action<PublisherFlags & { dryRun?: boolean }>(cli, async (options) => {
        const { cliOutput } = cli
        const [{ getSender }, { checkSender }] = await Promise.all([
          import('#core/senders/get-sender.query.ts'),
          import('#core/senders/check-sender.ts'),
        ])
        return asPublisher(cli, options, 'sender', async (ctx) => {
          const stored = await getSender(ctx, {})
          if (options.dryRun) {
            if (cliOutput.flags.json) await cliOutput.json({ dryRun: true, ...stored })
            else await cliOutput.confirm(`Would look up ${stored.records.map(({ name }) => name).join(', ')}`)
            return 0
          }
          const { isAnswered } = await checkSender(ctx, {})
          if (!isAnswered) cliOutput.say('DNS did not respond: the last result is kept')
          await printSender(cli, await getSender(ctx, {}))
          return 0
        })
      }),
    )
}

function sendLinkCommand(cli: Cli): Command {
  return describe(new Command('send-link'), {
    summary: 'Email a new link to an address that is not confirmed yet',
    details: 'It works once, for a day, for staff of the publisher; at most five a day go to one address.',
    examples: [
      ['by the email of the publisher', 'subscriptions senders send-link --publisher p@example.com'],
      ['see where it would go', 'subscriptions senders send-link --publisher p@example.com --dry-run'],
      ['as JSON', 'subscriptions senders send-link --publisher p@example.com --json'],
    ],
    exits: ['missing', 'conflict'],
  })
    .option(...publisherFlag)
    .option(...flags.dryRun)
    .action(
      action<PublisherFlags & { dryRun?: boolean }>(cli, async (options) => {
        const { cliOutput } = cli
        const { dryRun = false } = options
        const [{ sendSenderLink }, { withDryRun }] = await Promise.all([
          import('#core/senders/save-sender.ts'),
          import('../with-dry-run.ts'),
        ])
        const { to } = await asPublisher(cli, options, 'sender', (ctx) =>
          withDryRun(ctx, dryRun, () => sendSenderLink(ctx, {})),
        )
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, to })
        else
          await cliOutput.confirm(
            dryRun ? `Would email a link to ${to}` : `${cliOutput.out.done} A link is on its way to ${to}`,
          )
        return 0
      }),
    )
}
