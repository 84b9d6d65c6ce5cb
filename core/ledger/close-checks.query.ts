import type { AppContext } from '../context.ts'
import { firstDayOf, lastDayOf, type Month } from './months.rules.ts'

interface CheckRow {
  name: string
  /** What is counted, in the plural. */
  label: string
  /** What becomes of it if the month is closed all the same. */
  meaning: string
  /** The orders it is about, as `o`, chosen by `:publisherId` and if need be `:from` and `:until`, the first and last day of the month. */
  orders: string
}

/**
 * THE list of what should be looked at before a month is closed. None of it bars the close: what comes later for a closed month is entered in
 * the open one. Another question is another row.
 */
const closeChecks: readonly CheckRow[] = [
  {
    name: 'pending-orders',
    label: 'Orders of the month that wait for their payment',
    meaning: 'Paid later, they count in the month that is open then.',
    orders: `orders o WHERE o.publisher_id = :publisherId AND o.state = 'pending' AND o.ordered_on >= :from AND o.ordered_on <= :until`,
  },
  {
    name: 'open-refunds',
    label: 'Refunds that the payment provider is still processing',
    meaning: 'One that fails later is undone in the month that is open then.',
    orders: `refunds r JOIN orders o ON o.id = r.order_id WHERE r.publisher_id = :publisherId AND r.state IN ('planned', 'pending')`,
  },
  {
    name: 'open-disputes',
    label: 'Disputes that are not decided',
    meaning: 'One that is lost is taken back in the month in which it is lost.',
    orders: `disputes d JOIN orders o ON o.id = d.order_id WHERE d.publisher_id = :publisherId AND d.state = 'open'`,
  },
  {
    name: 'vat-not-set',
    label: 'Orders of the month whose VAT is not set',
    meaning: 'It cannot be filled while the month is closed. Set rates under VAT, then fill what is not set.',
    orders: `(SELECT DISTINCT order_id FROM vat_lines WHERE publisher_id = :publisherId AND problem <> ''
              AND tax_point >= :from AND tax_point <= :until) v JOIN orders o ON o.id = v.order_id`,
  },
]

/** A question of the list with its answer. */
export interface CloseCheck extends Omit<CheckRow, 'orders'> {
  found: number
  /** The first of the orders. */
  examples: { id: number; orderNumber: string }[]
}

const maxExamples = 5

export async function closeChecksOf(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month }: { publisherId: number; month: Month },
): Promise<CloseCheck[]> {
  const values = { publisherId, from: firstDayOf(month), until: lastDayOf(month) }
  const checks: CloseCheck[] = []
  for (const { name, label, meaning, orders } of closeChecks) {
    const [count] = await ctx.db.query<{ found: number }>(`SELECT COUNT(*) AS found FROM ${orders}`, values)
    const found = Number(count?.found ?? 0)
    const examples =
      found === 0
        ? []
        : await ctx.db.query<{ id: number; orderNumber: string }>(
            `SELECT o.id, o.order_number AS "orderNumber" FROM ${orders} ORDER BY o.id LIMIT ${maxExamples}`,
            values,
          )
    checks.push({ name, label, meaning, found, examples })
  }
  return checks
}
