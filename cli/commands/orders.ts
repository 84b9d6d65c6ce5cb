import { Command, Option } from 'commander'
import { formatDay, formatUtc } from '#core/kernel/dates.ts'
import { type Currency, formatMoney } from '#core/kernel/money.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { OrderDetails } from '#core/orders/get-order.query.ts'
import {
  type ChosenRefundMethod,
  chosenRefundMethods,
  type RefundScope,
  refundMethodLabels,
  refundScopeLabels,
  refundStateLabels,
} from '#core/orders/refund.rules.ts'
import type { PlannedRefund } from '#core/orders/refund-order.ts'
import type { RefundView } from '#core/orders/refund-view.ts'
import { CliError, interrupted, usageError } from '../cli-error.ts'
import { type CliOutput, labelled } from '../cli-output.ts'
import { action, type Cli, flags } from '../command.ts'
import { groupCommand } from '../command-tree.ts'
import { withFlagErrors } from '../field-flags.ts'
import { describe } from '../help.ts'
import { confirm } from '../prompt.ts'
import { ordersAddCommand } from './orders-add.ts'
import { ordersCreditsCommand } from './orders-credits.ts'
import { ordersPostedCommand, ordersToPostCommand } from './orders-posted.ts'

export function ordersCommand(cli: Cli): Command {
  return groupCommand(cli, 'orders', {
    summary: 'Enter, show, refund or post an order',
    usage: '<command>',
    examples: [
      ['one order', 'subscriptions orders show OD-7KQ2MXA'],
      [
        'what a refund of the unserved months would be',
        'subscriptions orders refund OD-7KQ2MXA --scope months --dry-run',
      ],
      ['five pounds back', 'subscriptions orders refund OD-7KQ2MXA --scope amount --amount 5.00 --reason "Issue late"'],
    ],
    exits: ['missing', 'conflict'],
  })
    .addCommand(ordersAddCommand(cli))
    .addCommand(showCommand(cli))
    .addCommand(refundCommand(cli))
    .addCommand(ordersCreditsCommand(cli))
    .addCommand(ordersToPostCommand(cli))
    .addCommand(ordersPostedCommand(cli))
}

function requireNumber(argument: string | undefined): string {
  if (!argument) throw usageError('no order given', 'specify its number, such as OD-7KQ2MXA')
  return argument
}

function showCommand(cli: Cli): Command {
  return describe(new Command('show'), {
    summary: 'Show an order with its ledger figures, refunds and history',
    details: 'Amounts in --json are whole pence or cents.',
    examples: [
      ['one order', 'subscriptions orders show OD-7KQ2MXA'],
      ['as a publisher', 'subscriptions orders show OD-7KQ2MXA --as p@example.com'],
      ['as JSON', 'subscriptions orders show OD-7KQ2MXA --json'],
    ],
    exits: ['missing'],
  })
    .argument('[number]', 'the order number')
    .action(
      action(cli, async ({ as }, [argument]) => {
        const { cliOutput } = cli
        const orderNumber = requireNumber(argument)
        const [{ withSession }, { findOrder }, { getOrder }] = await Promise.all([
          import('../session.ts'),
          import('#core/orders/find-order.query.ts'),
          import('#core/orders/get-order.query.ts'),
        ])
        const order = await withSession(cliOutput, { as }, async ({ ctx }) =>
          getOrder(ctx, await findOrder(ctx, { orderNumber })),
        )
        if (cliOutput.flags.json) await cliOutput.json(order)
        else await cliOutput.print(labelled(factsOf(order).filter(([, value]) => value !== '')))
        return 0
      }),
    )
}

function factsOf(order: OrderDetails): [string, string][] {
  const money = (amount: number | null) => (amount === null ? '-' : formatMoney({ amount, currency: order.currency }))
  return [
    ['Order', order.orderNumber],
    ['Status', order.state],
    ['Publication', order.publicationName],
    ['Product', order.productName],
    ['Buyer', [order.title, order.firstName, order.lastName].filter(Boolean).join(' ')],
    ['Email', order.email],
    ['Ordered', formatDay(order.orderedOn)],
    [
      'Term',
      order.subStartOn && order.subEndOn ? `${formatDay(order.subStartOn)} to ${formatDay(order.subEndOn)}` : '',
    ],
    ['Payment', order.paymentType],
    ['Amount', money(order.amount)],
    ['Refunded', money(order.refunded)],
    ['Net', money(order.net)],
    ['Fulfilled', money(order.fulfilled)],
    ['Liability', money(order.liability)],
    ...order.refunds.map((refund): [string, string] => [
      refund.method === 'credit' ? 'Credit' : 'Refund',
      [money(refund.amount), refundScopeLabels[refund.scope], refundStateLabels[refund.state], refund.reason]
        .filter(Boolean)
        .join(', '),
    ]),
    ['Credit left', order.creditLeft === null ? '' : money(order.creditLeft)],
    ...order.timeline.map(({ at, what, detail, order: other }): [string, string] => [
      `${formatUtc(at)} UTC`,
      [what, [detail, other?.orderNumber].filter(Boolean).join(', ')].filter(Boolean).join(': '),
    ]),
  ]
}

interface RefundFlags {
  scope?: RefundScope
  amount?: string
  reason?: string
  method?: ChosenRefundMethod
  byHand?: boolean
  key?: string
  yes?: boolean
  dryRun?: boolean
}

function refundCommand(cli: Cli): Command {
  return describe(new Command('refund'), {
    summary: 'Refund an order: in full, its unserved months, or an amount',
    details:
      '--method provider: the payment provider sends the money back. hand: you have sent it yourself.\n' +
      'credit: it is kept for a later order. If the provider does not respond, the worker tries again\n' +
      'with the same key. A second run with the same --key does not refund again. Without --scope and\n' +
      '--method the refund policy of the publication applies.',
    examples: [
      ['what would be refunded', 'subscriptions orders refund OD-7KQ2MXA --scope months --dry-run'],
      ['the whole order, without confirming', 'subscriptions orders refund OD-7KQ2MXA --scope whole --yes'],
      ['five pounds as credit', 'subscriptions orders refund OD-7KQ2MXA --scope amount --amount 5.00 --method credit'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[number]', 'the order number')
    .addOption(new Option('--scope <what>', 'what to refund').choices(['whole', 'months', 'amount']))
    .option('--amount <amount>', 'how much, such as 5.00, with --scope amount')
    .option('--reason <text>', 'the reason, which the buyer sees')
    .addOption(new Option('--method <method>', 'how the money is refunded').choices(chosenRefundMethods))
    .addOption(new Option('--by-hand', 'the same as --method hand').conflicts('method'))
    .option('--key <key>', 'an idempotency key, to run the command again safely')
    .option(...flags.yes)
    .option(...flags.dryRun)
    .action(
      action<RefundFlags>(cli, async (options, [argument]) => {
        const { cliOutput } = cli
        const orderNumber = requireNumber(argument)
        const {
          scope,
          amount = '',
          reason = '',
          byHand = false,
          method = byHand ? 'hand' : '',
          dryRun = false,
        } = options
        const [{ withSession }, { findOrder }, { planRefund, refundOrder }] = await Promise.all([
          import('../session.ts'),
          import('#core/orders/find-order.query.ts'),
          import('#core/orders/refund-order.ts'),
        ])
        const fieldFlags = {
          scope: '--scope',
          amount: '--amount',
          reason: '--reason',
          method: '--method',
          key: '--key',
        }
        return withSession(cliOutput, options, async ({ ctx }) => {
          const { id } = await findOrder(ctx, { orderNumber })
          const input = { id, scope, amount, reason, method, ...(options.key ? { key: options.key } : {}) } as const
          const plan = await withFlagErrors(fieldFlags, 'subscriptions orders refund', () => planRefund(ctx, input))
          const what = `${describeRefund(plan)} of ${plan.orderNumber}, ${refundMethodLabels[plan.method].toLowerCase()}`
          if (dryRun) {
            await printPlannedRefund(cliOutput, plan, what)
            return 0
          }
          if (!plan.isMade && !(await confirm(cliOutput, `Refund ${what}?`, options.yes)))
            throw interrupted('Nothing was refunded')
          // From here on Ctrl-C waits for the provider's answer.
          cliOutput.io.signal.throwIfAborted()
          const refund = await withFlagErrors(fieldFlags, 'subscriptions orders refund', () =>
            refundOrder(ctx, { ...input, scope: plan.scope, method: plan.method, expected: plan.amount }),
          )
          await printRefund(cliOutput, plan, refund, what)
          return 0
        })
      }),
    )
}

async function printPlannedRefund(cliOutput: CliOutput, plan: PlannedRefund, what: string): Promise<void> {
  if (cliOutput.flags.json) await cliOutput.json({ dryRun: true, ...plan })
  else if (plan.isMade) await cliOutput.confirm(`Already refunded under this key: ${what}`)
  else await cliOutput.confirm(`Would refund ${what}; ${money(plan.netAfter, plan.currency)} would remain`)
}

/** Prints the outcome of a refund; throws where no money was refunded. */
async function printRefund(cliOutput: CliOutput, plan: PlannedRefund, refund: RefundView, what: string): Promise<void> {
  const { json } = cliOutput.flags
  if (json) await cliOutput.json({ dryRun: false, orderNumber: plan.orderNumber, ...refund })
  if (refund.state === 'failed' || refund.state === 'cancelled') {
    throw new CliError(
      'conflict',
      'conflict',
      `Not refunded: ${refund.problem ?? ''}`,
      'send the money yourself and record it with --by-hand',
    )
  }
  if (json) return
  await cliOutput.confirm(
    refund.state === 'planned'
      ? `The refund of ${what} is pending: the provider did not respond; the worker tries again`
      : `${cliOutput.out.done} ${plan.isMade ? 'Already refunded under this key:' : 'Refunded'} ${what}`,
  )
}

const money = (amount: number, currency: Currency) => formatMoney({ amount, currency })

function describeRefund({ amount, currency, monthCount, fromOn, untilOn }: PlannedRefund): string {
  const months =
    monthCount !== null && fromOn && untilOn
      ? ` (${countOf(monthCount, 'month')}, ${formatDay(fromOn)} to ${formatDay(untilOn)})`
      : ''
  return `${money(amount, currency)}${months}`
}
