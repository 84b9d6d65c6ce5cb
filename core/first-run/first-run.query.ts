import { z } from 'zod'
import { actingPublisherId } from '../access/actor.ts'
import { can } from '../access/permissions.ts'
import type { AppContext } from '../context.ts'
import { asBoolean } from '../database.ts'
import { denied } from '../kernel/errors.ts'
import { useCase } from '../use-case.ts'
import { type FirstRunItem, firstRunItems } from './first-run.rules.ts'

export interface FirstRun {
  /**
   * `open`: the list is shown. `hidden`: it was hidden, and can be shown again. `done`: all steps are done, and the last line has not been read.
   * `over`: it is no longer shown, because it was read or because the publisher sells.
   */
  state: 'open' | 'hidden' | 'done' | 'over'
  items: FirstRunItem[]
  doneCount: number
  /** The estimated time for the remaining steps, in minutes. */
  minutesLeft: number
  /** The publisher's storefront, once it exists. */
  storefront: { urlKey: string; publicationName: string } | null
  example: { id: number; publicationName: string } | null
}

/** The acting publisher's progress towards the first sale, from stored data alone. */
export const firstRun = useCase({
  permission: 'dashboard:read',
  input: z.object({}),
  transaction: 'none',
  async run(ctx): Promise<FirstRun> {
    const publisherId = actingPublisherId(ctx.actor)
    if (publisherId === null) throw denied()
    const row = await readFacts(ctx, publisherId)
    const title =
      row.title_id === null
        ? null
        : { id: row.title_id, urlKey: row.url_key ?? '', publicationName: row.publication_name ?? '' }
    const items = firstRunItems({
      title,
      hasDraft: asBoolean(row.has_draft),
      isPriced: asBoolean(row.has_price) || asBoolean(row.has_free),
      isFree: asBoolean(row.has_free) && !asBoolean(row.has_price),
      takesPayments: asBoolean(row.takes_keys) || (asBoolean(row.takes_demo) && ctx.payments.demo !== undefined),
      isPreviewed: asBoolean(row.is_previewed),
      isTestOrdered: asBoolean(row.is_test_ordered),
      isShared: asBoolean(row.is_shared),
      mayEnterKeys: can(ctx.actor, 'payee:write'),
      publisherName: `${row.first_name} ${row.last_name}`.trim() || row.email,
    })
    const open = items.filter(({ isDone }) => !isDone)
    const isOver = asBoolean(row.has_sold) || row.finished_at !== null
    return {
      state: isOver ? 'over' : open.length === 0 ? 'done' : row.hidden_at !== null ? 'hidden' : 'open',
      items,
      doneCount: items.length - open.length,
      minutesLeft: open.reduce((sum, { minutes }) => sum + minutes, 0),
      storefront: title && { urlKey: title.urlKey, publicationName: title.publicationName },
      example:
        row.example_id === null ? null : { id: row.example_id, publicationName: row.example_name ?? 'Example title' },
    }
  },
})

interface Row extends Record<'hidden_at' | 'finished_at', Date | string | null> {
  first_name: string
  last_name: string
  email: string
  title_id: number | null
  publication_name: string | null
  url_key: string | null
  has_free: unknown
  has_price: unknown
  has_draft: unknown
  takes_keys: unknown
  takes_demo: unknown
  has_sold: unknown
  is_previewed: unknown
  is_test_ordered: unknown
  is_shared: unknown
  example_id: number | null
  example_name: string | null
}

async function readFacts(ctx: AppContext, publisherId: number): Promise<Row> {
  const [row] = await ctx.db.query<Row>(
    `SELECT u.first_name, u.last_name, u.email, p.id AS title_id, p.publication_name, p.url_key,
            COALESCE(p.digital_is_free OR p.print_is_free OR p.bundle_is_free, :no) AS has_free,
            EXISTS (SELECT 1 FROM publication_prices x WHERE x.publication_id = p.id AND x.amount > 0) AS has_price,
            EXISTS (SELECT 1 FROM publication_drafts d WHERE d.user_id = :userId AND d.publication_id = 0) AS has_draft,
            COALESCE((a.stripe_secret_key IS NOT NULL AND COALESCE(a.stripe_publishable_key, '') <> '')
                     OR (a.paypal_secret IS NOT NULL AND COALESCE(a.paypal_client_id, '') <> '')
                     OR (a.secure_trading_password IS NOT NULL AND COALESCE(a.secure_trading_reference, '') <> ''), :no) AS takes_keys,
            COALESCE(a.takes_demo_payments, :no) AS takes_demo,
            EXISTS (SELECT 1 FROM orders o WHERE o.publisher_id = u.id AND o.state IN ('paid', 'refunded', 'reversed')) AS has_sold,
            ${doneForTitle('previewed_at')} AS is_previewed, ${doneForTitle('test_ordered_at')} AS is_test_ordered,
            ${doneForTitle('shared_at')} AS is_shared, f.hidden_at, f.finished_at,
            e.id AS example_id, e.publication_name AS example_name
     FROM users u
     LEFT JOIN accounts a ON a.user_id = u.id
     LEFT JOIN first_runs f ON f.publisher_id = u.id
     LEFT JOIN publications p ON p.id = (SELECT MIN(t.id) FROM publications t
                                         WHERE t.publisher_id = u.id AND t.removed_at IS NULL AND NOT t.is_example)
     LEFT JOIN publications e ON e.publisher_id = u.id AND e.is_example
     WHERE u.id = :publisherId`,
    { publisherId, userId: ctx.actor.kind === 'staff' ? ctx.actor.userId : null, no: false },
  )
  if (!row) throw denied()
  return row
}

/** Not before the title was added: then the step was done for one that has been removed. */
function doneForTitle(column: 'previewed_at' | 'test_ordered_at' | 'shared_at'): string {
  return `CASE WHEN f.${column} >= p.created_at THEN 1 ELSE 0 END`
}
