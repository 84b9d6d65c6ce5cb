import { Command } from 'commander'
import { formatDay } from '#core/kernel/dates.ts'
import { countOf } from '#core/kernel/text-format.ts'
import type { OrderToPost } from '#core/orders/copies-to-post.query.ts'
import { usageError } from '../cli-error.ts'
import { action, type Cli, flags } from '../command.ts'
import { describe } from '../help.ts'
import { type Column, printTable } from '../table.ts'

const columns: readonly Column<OrderToPost>[] = [
  { header: 'Order', show: ({ orderNumber }) => orderNumber },
  { header: 'Ordered', show: ({ orderedOn }) => formatDay(orderedOn), raw: ({ orderedOn }) => orderedOn },
  { header: 'Publication', show: ({ publicationName }) => publicationName },
  {
    header: 'Copies',
    show: ({ copies }) =>
      copies
        .map(({ description, quantity }) => (quantity > 1 ? `${quantity} x ${description}` : description))
        .join('; '),
  },
  { header: 'To', show: ({ addressLines }) => addressLines.join(', ') },
]

export function ordersToPostCommand(cli: Cli): Command {
  return describe(new Command('to-post'), {
    summary: 'List the orders of back issues whose copies are to be posted',
    examples: [
      ['copies still to be posted, oldest first', 'subscriptions orders to-post --as p@example.com'],
      ['as JSON', 'subscriptions orders to-post --as p@example.com --json'],
    ],
    exits: [],
  }).action(
    action(cli, async (options) => {
      const { cliOutput } = cli
      const [{ withSession }, { listCopiesToPost }] = await Promise.all([
        import('../session.ts'),
        import('#core/orders/copies-to-post.query.ts'),
      ])
      return withSession(cliOutput, options, async ({ ctx }) => {
        const rows: OrderToPost[] = []
        for (let page = 1, pages = 1; page <= pages; page++) {
          const result = await listCopiesToPost(ctx, { page, size: 100 })
          rows.push(...result.rows)
          pages = result.pages
        }
        if (cliOutput.flags.json) await cliOutput.json(rows)
        else if (rows.length === 0) cliOutput.say('Nothing to post')
        else await printTable(cliOutput, rows, columns)
        return 0
      })
    }),
  )
}

interface PostedFlags {
  undo?: boolean
  dryRun?: boolean
}

export function ordersPostedCommand(cli: Cli): Command {
  return describe(new Command('posted'), {
    summary: 'Mark the back issues of orders as posted',
    details:
      'Their price then counts as earned, and the copies do not return to stock. Marking an order\n' +
      'again changes nothing. --undo marks it as not posted, until its month is closed.',
    examples: [
      ['two orders', 'subscriptions orders posted OD-7KQ2MXA OD-9XW4HTB'],
      ['what would be marked', 'subscriptions orders posted OD-7KQ2MXA --dry-run'],
      ['one that was not posted', 'subscriptions orders posted OD-7KQ2MXA --undo'],
    ],
    exits: ['missing', 'conflict'],
  })
    .argument('[numbers...]', 'the order numbers')
    .option('--undo', 'mark them as not posted')
    .option(...flags.dryRun)
    .action(
      action<PostedFlags>(cli, async (options, orderNumbers) => {
        const { cliOutput } = cli
        if (orderNumbers.length === 0)
          throw usageError('no order number given', 'specify order numbers such as OD-7KQ2MXA')
        const [{ withSession }, { findOrder }, { postCopies, unpostCopies }] = await Promise.all([
          import('../session.ts'),
          import('#core/orders/find-order.query.ts'),
          import('#core/orders/post-copies.ts'),
        ])
        return withSession(cliOutput, options, async ({ ctx }) => {
          const orderIds: number[] = []
          for (const orderNumber of orderNumbers) orderIds.push((await findOrder(ctx, { orderNumber })).id)
          const { undo = false, dryRun = false } = options
          const changed = undo
            ? (await unpostCopies(ctx, { orderIds, dryRun })).unposted
            : (await postCopies(ctx, { orderIds, dryRun })).posted
          if (cliOutput.flags.json) await cliOutput.json({ dryRun, orders: orderNumbers, changed })
          else {
            const what = `${countOf(changed, 'order')} ${undo ? 'as not posted' : 'as posted'}`
            await cliOutput.confirm(dryRun ? `Would mark ${what}` : `${cliOutput.out.done} Marked ${what}`)
          }
          return 0
        })
      }),
    )
}
