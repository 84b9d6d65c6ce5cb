import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import type { Product, TermMonths } from '../pricing/plan-code.rules.ts'
import type { RenewalSummary } from './renewal-summary.rules.ts'

interface Row {
  reader_id: number | null
  product: Product
  term_months: TermMonths
  amount: number
  currency: Currency
  due_on: Day
}

const columns = `a.reader_id, a.product, a.term_months, COALESCE(r.amount, a.price) AS amount, a.currency,
  COALESCE(r.charge_on, a.renews_on) AS due_on`
const tables = `payment_agreements a LEFT JOIN renewals r ON r.agreement_id = a.id AND r.cycle_on = a.renews_on`

/** A buyer's active automatic renewals, by the id of the reader. */
export async function renewalsOfBuyer(
  ctx: Pick<AppContext, 'db'>,
  { id, publicationId }: { id: number; publicationId: number },
): Promise<Map<number | null, RenewalSummary>> {
  const rows = await ctx.db.query<Row>(
    `SELECT ${columns} FROM ${tables}
     WHERE a.buyer_id = :id AND a.publication_id = :publicationId AND a.state = 'active' ORDER BY a.id`,
    { id, publicationId },
  )
  return new Map(rows.map((row) => [row.reader_id, summaryOf(row)]))
}

/** The automatic renewal that an order replaced; null if there is none, or if it belonged to another buyer. */
export async function renewalReplacedBy(ctx: Pick<AppContext, 'db'>, orderId: number): Promise<RenewalSummary | null> {
  const [row] = await ctx.db.query<Row>(
    `SELECT ${columns} FROM ${tables} JOIN orders o ON o.id = a.replaced_by AND o.buyer_id = a.buyer_id
     WHERE a.replaced_by = :orderId`,
    { orderId },
  )
  return row ? summaryOf(row) : null
}

function summaryOf({ product, term_months: termMonths, amount, currency, due_on }: Row): RenewalSummary {
  return { plan: { product, termMonths, isRecurring: false }, price: { amount, currency }, on: due_on }
}
