import type { AppContext } from '../context.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { firstDayOf, lastDayOf, type Month } from './months.rules.ts'
import { unreconciledPayouts } from './payouts.query.ts'

interface CheckResult {
  found: number
  /** The first items found: their labels, and the page of each, or null. */
  examples: { label: string; to: string | null }[]
}

/** A check of the list, with its result. */
export interface CloseCheck extends CheckResult {
  name: string
  /** What is counted, in the plural. */
  label: string
  /** What happens to it if the month is closed anyway. */
  meaning: string
  /** The page where staff can fix it; null if the examples link to it. */
  page: { label: string; to: string } | null
}

interface CheckRow extends Omit<CloseCheck, keyof CheckResult> {
  find(ctx: Pick<AppContext, 'db'>, range: { publisherId: number; from: Day; until: Day }): Promise<CheckResult>
}

const maxExamples = 5

/**
 * What should be checked before a month is closed. No check blocks the close: what is reported later for a closed month is entered in the open
 * month. A new check is a new row.
 */
const closeChecks: readonly CheckRow[] = [
  {
    name: 'pending-orders',
    label: 'Orders of the month awaiting payment',
    meaning: 'If they are paid later, they count in the month that is open then.',
    page: null,
    find: ordersIn(
      `orders o WHERE o.publisher_id = :publisherId AND o.state = 'pending' AND o.ordered_on >= :from AND o.ordered_on <= :until`,
    ),
  },
  {
    name: 'open-refunds',
    label: 'Orders with a refund that the payment provider is still processing',
    meaning: 'A refund that fails later is undone in the month that is open then.',
    page: null,
    find: ordersIn(
      `(SELECT DISTINCT order_id FROM refunds WHERE publisher_id = :publisherId AND state IN ('planned', 'pending')) r
       JOIN orders o ON o.id = r.order_id`,
    ),
  },
  {
    name: 'open-disputes',
    label: 'Orders with an open dispute',
    meaning: 'A dispute that is lost is entered in the month in which it is lost.',
    page: null,
    find: ordersIn(
      `(SELECT DISTINCT order_id FROM disputes WHERE publisher_id = :publisherId AND state = 'open') d
       JOIN orders o ON o.id = d.order_id`,
    ),
  },
  {
    name: 'vat-not-set',
    label: 'Orders of the month whose VAT is not set',
    meaning: 'It cannot be worked out while the month is closed. Set rates under VAT, then work out what is missing.',
    page: { label: 'VAT settings', to: '/payments/vat/settings' },
    find: ordersIn(
      `(SELECT DISTINCT order_id FROM vat_lines WHERE publisher_id = :publisherId AND problem <> ''
        AND tax_point >= :from AND tax_point <= :until) v JOIN orders o ON o.id = v.order_id`,
    ),
  },
  {
    name: 'unreconciled-payouts',
    label: 'Unreconciled payouts',
    meaning: 'Paid out in the month or before it. Fees in a later report are entered in the month that is open then.',
    page: { label: 'Reconciliation', to: '/payments/reconcile' },
    async find(ctx, { publisherId, until }) {
      const payouts = await unreconciledPayouts(ctx, { publisherId, until })
      const examples = payouts
        .slice(0, maxExamples)
        .map(({ reference, paidOn }) => ({ label: `${reference} of ${formatDay(paidOn)}`, to: null }))
      return { found: payouts.length, examples }
    },
  },
]

/** Finds orders. `tables` is SQL from FROM on: it selects each order `o` once, by `:publisherId` and, if needed, `:from` and `:until`. */
function ordersIn(tables: string): CheckRow['find'] {
  return async (ctx, values) => {
    const [count] = await ctx.db.query<{ found: number }>(`SELECT COUNT(*) AS found FROM ${tables}`, values)
    const found = Number(count?.found ?? 0)
    if (found === 0) return { found, examples: [] }
    const orders = await ctx.db.query<{ id: number; label: string }>(
      `SELECT o.id, o.order_number AS label FROM ${tables} ORDER BY o.id LIMIT ${maxExamples}`,
      values,
    )
    return { found, examples: orders.map(({ id, label }) => ({ label, to: `/orderDetails/${id}` })) }
  }
}

export async function closeChecksOf(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month }: { publisherId: number; month: Month },
): Promise<CloseCheck[]> {
  const checks: CloseCheck[] = []
  for (const { find, ...check } of closeChecks)
    checks.push({
      ...check,
      ...(await find(ctx, { publisherId, from: firstDayOf(month), until: lastDayOf(month) })),
    })
  return checks
}
