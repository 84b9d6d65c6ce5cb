import { Command, Option } from 'commander'
import type { AppContext } from '#core/context.ts'
import { formatUtc } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { ListedWebhook, ShownDelivery } from '#core/webhooks/list-webhooks.query.ts'
import { webhookEventTypes } from '#core/webhooks/webhook-events.rules.ts'
import { asPublisher, type PublisherFlags } from '../as-publisher.ts'
import { interrupted, usageError } from '../cli-error.ts'
import { labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'
import { type Column, printTable } from '../table.ts'

const publisherFlag = ['--publisher <email>', 'whose webhooks, by the email of the publisher'] as const
const numberOfWebhook = 'the number of the webhook'

const pausedLabels = { staff: 'paused', gone: 'paused (gone)', failing: 'paused (failing)' } as const

function stateOf({ state, pausedWhy, failingSince }: ListedWebhook): string {
  if (state === 'paused') return pausedLabels[pausedWhy ?? 'staff']
  return failingSince ? 'failing' : 'on'
}

const webhookColumns: readonly Column<ListedWebhook>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'Status', show: stateOf },
  { header: 'Waiting', show: ({ waiting }) => waiting, align: 'right' },
  { header: 'Last', show: ({ lastState }) => lastState },
  {
    header: 'At (UTC)',
    show: ({ lastAt }) => (lastAt ? formatUtc(lastAt) : ''),
    raw: ({ lastAt }) => lastAt?.toISOString() ?? '',
  },
  { header: 'URL', show: ({ url }) => url },
  { header: 'Events', show: ({ events }) => events.join(' ') },
  { header: 'Description', show: ({ description }) => description },
]

const deliveryColumns: readonly Column<ShownDelivery>[] = [
  { header: 'ID', show: ({ id }) => id, align: 'right' },
  { header: 'Event', show: ({ type }) => type },
  { header: 'Status', show: ({ state }) => state },
  { header: 'Attempts', show: ({ attempts }) => attempts, align: 'right' },
  { header: 'HTTP', show: ({ lastStatus }) => lastStatus, align: 'right' },
  {
    header: 'Created (UTC)',
    show: ({ createdAt }) => formatUtc(createdAt),
    raw: ({ createdAt }) => createdAt.toISOString(),
  },
  { header: 'Problem', show: ({ problem }) => problem },
]

export function webhooksCommand(cli: Cli): Command {
  return groupCommand(cli, 'webhooks', {
    summary: 'List, add, pause and remove webhooks, and list their deliveries',
    details: 'A webhook notifies a publisher’s system of events (docs/webhooks.md).',
    usage: '<command>',
    examples: [
      ['the webhooks of a publisher', 'subscriptions webhooks list --publisher p@example.com'],
      [
        'send events to a URL',
        'subscriptions webhooks add https://hooks.example.com/in --publisher p@example.com \\\n    --events order.paid subscription.ended',
      ],
      ['failed deliveries', 'subscriptions webhooks deliveries 3 --publisher p@example.com --state failed'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(listCommand(cli))
    .addCommand(addCommand(cli))
    .addCommand(pauseCommand(cli))
    .addCommand(resumeCommand(cli))
    .addCommand(removeCommand(cli))
    .addCommand(rotateSecretCommand(cli))
    .addCommand(deliveriesCommand(cli))
    .addCommand(replayCommand(cli))
}

function listCommand(cli: Cli): Command {
  return describe(new Command('list'), {
    summary: 'List the webhooks of a publisher, with the state of each',
    examples: [
      ['all of them', 'subscriptions webhooks list --publisher p@example.com'],
      ['as JSON', 'subscriptions webhooks list --publisher p@example.com --json'],
      ['as a user of that publisher', 'subscriptions webhooks list --as p@example.com'],
    ],
    exits: ['missing'],
  })
    .option(...publisherFlag)
    .action(
      action<PublisherFlags>(cli, async (options) => {
        const { cliOutput } = cli
        const { listWebhooks } = await import('#core/webhooks/list-webhooks.query.ts')
        const webhooks = await asPublisher(cli, options, 'webhooks', (ctx) => listWebhooks(ctx, {}))
        if (cliOutput.flags.json) await cliOutput.json(webhooks)
        else if (webhooks.length === 0) cliOutput.say('There are no webhooks yet. Add one: subscriptions webhooks add')
        else await printTable(cliOutput, webhooks, webhookColumns)
        return 0
      }),
    )
}

function addCommand(cli: Cli): Command {
  return describe(new Command('add'), {
    summary: 'Add a URL that events are sent to',
    details:
      'Prints the secret with which the receiver verifies deliveries. It can be seen again on\n' +
      'the page of the webhook. The events are listed in docs/webhooks.md.',
    examples: [
      [
        'two events',
        'subscriptions webhooks add https://hooks.example.com/in --publisher p@example.com \\\n    --events order.paid subscription.ended',
      ],
      ['every event', 'subscriptions webhooks add https://hooks.example.com/in --publisher p@example.com'],
      ['as a dry run', 'subscriptions webhooks add https://hooks.example.com/in --publisher p@example.com --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[url]', 'where events are sent: https://')
    .option(...publisherFlag)
    .addOption(new Option('--events <event...>', 'the events (default: all)').choices(webhookEventTypes))
    .option('--description <text>', 'a description, up to 60 characters')
    .option(...flags.dryRun)
    .action(
      action<PublisherFlags & { events?: string[]; description?: string; dryRun?: boolean }>(
        cli,
        async (options, [url]) => {
          const { cliOutput } = cli
          const { dryRun = false, description } = options
          if (url === undefined) throw usageError('no URL given', 'specify it: subscriptions webhooks add https://...')
          const [{ addWebhook }, { withDryRun }] = await Promise.all([
            import('#core/webhooks/change-webhooks.ts'),
            import('../with-dry-run.ts'),
          ])
          const events = options.events ?? [...webhookEventTypes]
          const flagOf = { url: 'the URL', description: '--description' }
          const webhook = await asPublisher(cli, options, 'webhooks', (ctx) =>
            withFlagErrors(flagOf, 'subscriptions webhooks add', () =>
              withDryRun(ctx, dryRun, () => addWebhook(ctx, { url, events, description })),
            ),
          )
          const [id, secret] = dryRun ? [null, null] : [webhook.id, webhook.secret]
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id, url, events, secret })
          else {
            const addedText = `${cliOutput.out.done} Added webhook ${id}`
            await cliOutput.confirm(dryRun ? `Would send ${countOf(events.length, 'event')} to ${url}` : addedText)
            if (secret !== null) await cliOutput.print(labelled([['Secret', secret]]))
          }
          return 0
        },
      ),
    )
}

const pauseCommand = (cli: Cli) =>
  changeCommand(cli, {
    name: 'pause',
    summary: 'Pause a webhook; each event waits up to three days',
    verbs: ['pause', 'Paused'],
    change: async (ctx, webhookId) =>
      (await import('#core/webhooks/change-webhooks.ts')).pauseWebhook(ctx, { webhookId }),
  })

const resumeCommand = (cli: Cli) =>
  changeCommand(cli, {
    name: 'resume',
    summary: 'Resume a paused webhook; waiting events are sent at once',
    verbs: ['resume', 'Resumed'],
    change: async (ctx, webhookId) =>
      (await import('#core/webhooks/change-webhooks.ts')).resumeWebhook(ctx, { webhookId }),
  })

const removeCommand = (cli: Cli) =>
  changeCommand(cli, {
    name: 'remove',
    summary: 'Remove a webhook with its log: nothing more is sent to it',
    verbs: ['remove', 'Removed'],
    needsConfirmation: true,
    change: async (ctx, webhookId) =>
      (await import('#core/webhooks/change-webhooks.ts')).removeWebhook(ctx, { webhookId }),
  })

interface Change {
  name: string
  summary: string
  verbs: readonly [would: string, did: string]
  /** Asks for confirmation, as the change cannot be undone. */
  needsConfirmation?: boolean
  change(ctx: AppContext, webhookId: number): Promise<void>
}

/** A command that changes one webhook. */
function changeCommand(
  cli: Cli,
  { name, summary, verbs: [would, did], needsConfirmation = false, change }: Change,
): Command {
  const commandLine = `subscriptions webhooks ${name} 3`
  const command = describe(new Command(name), {
    summary,
    examples: [
      ['by its number', `${commandLine} --publisher p@example.com`],
      ['see which one that is', `${commandLine} --publisher p@example.com --dry-run`],
      ['as a user of that publisher', `${commandLine} --as p@example.com${needsConfirmation ? ' --yes' : ''}`],
    ],
    exits: ['missing'],
  })
    .argument('[number]', numberOfWebhook)
    .option(...publisherFlag)
    .option(...flags.dryRun)
  if (needsConfirmation) command.option(...flags.yes)
  return command.action(
    action<PublisherFlags & { dryRun?: boolean; yes?: boolean }>(cli, async (options, [number]) => {
      const { cliOutput } = cli
      const { dryRun = false } = options
      const webhookId = toNumber(number)
      const [{ getWebhook }, { withDryRun }] = await Promise.all([
        import('#core/webhooks/list-webhooks.query.ts'),
        import('../with-dry-run.ts'),
      ])
      return asPublisher(cli, options, 'webhooks', async (ctx) => {
        const { url } = await getWebhook(ctx, { webhookId })
        const what = `webhook ${webhookId} (${url})`
        if (
          needsConfirmation &&
          !dryRun &&
          !(await confirm(cliOutput, `Remove ${what}? This cannot be undone.`, options.yes))
        )
          throw interrupted('Nothing was changed')
        await withDryRun(ctx, dryRun, () => change(ctx, webhookId))
        if (cliOutput.flags.json) await cliOutput.json({ dryRun, id: webhookId, url })
        else await cliOutput.confirm(dryRun ? `Would ${would} ${what}` : `${cliOutput.out.done} ${did} ${what}`)
        return 0
      })
    }),
  )
}

function rotateSecretCommand(cli: Cli): Command {
  return describe(new Command('rotate-secret'), {
    summary: 'Create a new secret for a webhook, and print it',
    details:
      'For 24 hours deliveries are signed with both. If it is run again within that time,\nthe oldest secret becomes invalid at once.',
    examples: [
      ['by its number', 'subscriptions webhooks rotate-secret 3 --publisher p@example.com'],
      ['as a dry run', 'subscriptions webhooks rotate-secret 3 --publisher p@example.com --dry-run'],
      ['the secret alone', 'subscriptions webhooks rotate-secret 3 --publisher p@example.com --json | jq -r .secret'],
    ],
    exits: ['missing'],
  })
    .argument('[number]', numberOfWebhook)
    .option(...publisherFlag)
    .option(...flags.dryRun)
    .action(
      action<PublisherFlags & { dryRun?: boolean }>(cli, async (options, [number]) => {
        const { cliOutput } = cli
        const { dryRun = false } = options
        const webhookId = toNumber(number)
        const [{ replaceWebhookSecret }, { withDryRun }] = await Promise.all([
          import('#core/webhooks/change-webhooks.ts'),
          import('../with-dry-run.ts'),
        ])
        const { secret, previousEndsAt } = await asPublisher(cli, options, 'webhooks', (ctx) =>
          withDryRun(ctx, dryRun, () => replaceWebhookSecret(ctx, { webhookId })),
        )
        if (cliOutput.flags.json)
          await cliOutput.json({ dryRun, id: webhookId, secret: dryRun ? null : secret, previousEndsAt })
        else if (dryRun) await cliOutput.confirm(`Would create a new secret for webhook ${webhookId}`)
        else {
          await cliOutput.confirm(`${cliOutput.out.done} Created a new secret for webhook ${webhookId}`)
          await cliOutput.print(labelled([['Secret', secret]]))
          await cliOutput.confirm(labelled([['Previous secret valid until', `${formatUtc(previousEndsAt)} UTC`]]))
        }
        return 0
      }),
    )
}

function deliveriesCommand(cli: Cli): Command {
  return describe(new Command('deliveries'), {
    summary: 'List the deliveries of a webhook, newest first, 25 at a time',
    details: 'Deliveries that ended more than 30 days ago are deleted.',
    examples: [
      ['the newest deliveries', 'subscriptions webhooks deliveries 3 --publisher p@example.com'],
      ['failed deliveries', 'subscriptions webhooks deliveries 3 --publisher p@example.com --state failed'],
      [
        'each attempt with its response, before number 812',
        'subscriptions webhooks deliveries 3 --publisher p@example.com --before 812 --json',
      ],
    ],
    exits: ['missing'],
  })
    .argument('[number]', numberOfWebhook)
    .option(...publisherFlag)
    .addOption(new Option('--state <state>', 'only deliveries in this state').choices(['waiting', 'done', 'failed']))
    .option('--before <number>', 'only deliveries before this one')
    .action(
      action<PublisherFlags & { state?: string; before?: string }>(cli, async (options, [number]) => {
        const { cliOutput } = cli
        const webhookId = toNumber(number)
        const before = options.before === undefined ? undefined : toDeliveryNumber('--before', options.before)
        const { getWebhook } = await import('#core/webhooks/list-webhooks.query.ts')
        const { deliveries, next } = await asPublisher(cli, options, 'webhooks', (ctx) =>
          getWebhook(ctx, { webhookId, state: options.state, before }),
        )
        if (cliOutput.flags.json) await cliOutput.json(deliveries)
        else if (deliveries.length === 0) cliOutput.say('No delivery matches')
        else await printTable(cliOutput, deliveries, deliveryColumns)
        if (next !== null) cliOutput.say(`There are more: --before ${next}`)
        return 0
      }),
    )
}

function replayCommand(cli: Cli): Command {
  return describe(new Command('replay'), {
    summary: 'Send a delivery again, or all that failed in the last 30 days',
    details: 'They keep their message ids, and are sent after the deliveries that are waiting.',
    examples: [
      ['one delivery', 'subscriptions webhooks replay 3 --delivery 812 --publisher p@example.com'],
      ['all that failed', 'subscriptions webhooks replay 3 --all-failed --publisher p@example.com'],
      ['how many would be sent', 'subscriptions webhooks replay 3 --all-failed --publisher p@example.com --dry-run'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', numberOfWebhook)
    .option(...publisherFlag)
    .option('--delivery <number>', 'the delivery to send again')
    .option('--all-failed', 'all that failed in the last 30 days')
    .option(...flags.dryRun)
    .action(
      action<PublisherFlags & { delivery?: string; allFailed?: boolean; dryRun?: boolean }>(
        cli,
        async (options, [number]) => {
          const { cliOutput } = cli
          const { dryRun = false, delivery, allFailed = false } = options
          const webhookId = toNumber(number)
          if (allFailed === (delivery !== undefined))
            throw usageError(
              allFailed ? '--delivery and --all-failed are both given' : 'no delivery given',
              'specify one with --delivery <number>, or use --all-failed',
            )
          const deliveryId = delivery === undefined ? undefined : toDeliveryNumber('--delivery', delivery)
          const [{ replayWebhooks }, { withDryRun }] = await Promise.all([
            import('#core/webhooks/change-webhooks.ts'),
            import('../with-dry-run.ts'),
          ])
          const { replayed } = await asPublisher(cli, options, 'webhooks', (ctx) =>
            withDryRun(ctx, dryRun, () => replayWebhooks(ctx, { webhookId, deliveryId })),
          )
          const what = `${countOf(replayed, 'delivery', 'deliveries')} again`
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, id: webhookId, replayed })
          else await cliOutput.confirm(dryRun ? `Would send ${what}` : `${cliOutput.out.done} Sending ${what}`)
          return 0
        },
      ),
    )
}

const numberPattern = /^\d{1,15}$/

function toDeliveryNumber(flag: string, number: string): number {
  if (numberPattern.test(number)) return Number(number)
  throw usageError(
    `${flag} "${number}" is not a number`,
    'specify the number of a delivery; to list them: subscriptions webhooks deliveries <number> --publisher <email>',
  )
}

function toNumber(number: string | undefined): number {
  if (number !== undefined && numberPattern.test(number)) return Number(number)
  throw usageError(
    number === undefined ? 'no webhook given' : `"${number}" is not a number`,
    'specify its number; to list them: subscriptions webhooks list --publisher <email>',
  )
}
