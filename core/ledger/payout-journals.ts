import type { AppContext } from '../context.ts'
import type { Day } from '../kernel/dates.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { type Journal, payoutJournalOf } from './journal.rules.ts'
import { LedgerCloses, type PayoutSums, type PostedPayouts } from './ledger-closes.rows.ts'
import { addMonthsTo, lastDayOf, type Month, monthOf, monthsFrom } from './months.rules.ts'

type PublisherMonth = { publisherId: number; month: Month }

/**
 * The journals of a month's payouts and of the charges of providers that belong to no order, from the lines of their reports: one for each provider
 * and currency of the ledger. What is unexplained at the end of the month is posted as a difference. The journal of a closed month, and of one before
 * the first closed month, never changes: a line that is read or explained later, or that moves to another payout, changes the journal of the next
 * open month.
 */
export async function payoutJournals(ctx: Pick<AppContext, 'db'>, scope: PublisherMonth): Promise<Journal[]> {
  const sums = (await postedBeforeFirstClose(ctx, scope)) ?? (await postedPayouts(ctx, scope)).own
  return sums.flatMap(
    ({ provider, currency, amount, debits, unexplained, fees, returned }) =>
      payoutJournalOf({
        month: scope.month,
        provider,
        currency,
        unexplained,
        fees,
        paid: [
          { receivable: receivableOf(provider), amount: amount - debits - unexplained - returned },
          { receivable: 'stripe-bacs', amount: debits },
        ],
      }) ?? [],
  )
}

const receivableOf = (provider: PayoutSums['provider']): PaymentProvider =>
  provider === 'stripe' ? 'stripe-card' : 'paypal'

/** What the journals of a month post: what was stored when it was closed; otherwise the totals at its end less what the months before it posted. */
async function postedPayouts(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month }: PublisherMonth,
): Promise<PostedPayouts> {
  const stored = await storedPayouts(ctx, { publisherId, month })
  if (stored) return stored
  const previousMonth = addMonthsTo(month, -1)
  const total = await payoutTotals(ctx, publisherId, lastDayOf(month))
  const previous =
    (await storedPayouts(ctx, { publisherId, month: previousMonth }))?.total ??
    (await payoutTotals(ctx, publisherId, lastDayOf(previousMonth)))
  return { own: addSums([...total, ...previous.map(negative)]), total }
}

/** What a close stores; the first close also stores what each earlier month posts. */
export async function payoutsToStore(
  ctx: Pick<AppContext, 'db'>,
  { isFirst, ...scope }: PublisherMonth & { isFirst: boolean },
): Promise<PostedPayouts> {
  const posted = await postedPayouts(ctx, scope)
  return isFirst ? { ...posted, earlier: await earlierPayouts(ctx, scope) } : posted
}

async function earlierPayouts(ctx: Pick<AppContext, 'db'>, { publisherId, month }: PublisherMonth) {
  const [row] = await ctx.db.query<{ first: Day | null }>(
    `SELECT MIN(posted_on) AS first FROM provider_lines WHERE publisher_id = :publisherId`,
    { publisherId },
  )
  const earlier: Record<Month, PayoutSums[]> = {}
  let previousTotal: PayoutSums[] = []
  for (const earlierMonth of row?.first ? monthsFrom(monthOf(row.first), addMonthsTo(month, -1)) : []) {
    const total = await payoutTotals(ctx, publisherId, lastDayOf(earlierMonth))
    earlier[earlierMonth] = addSums([...total, ...previousTotal.map(negative)])
    previousTotal = total
  }
  return earlier
}

/** What a month before the first closed month posts, as stored by the first close. Null for any other month. */
async function postedBeforeFirstClose(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month }: PublisherMonth,
): Promise<PayoutSums[] | null> {
  const [first] = await LedgerCloses.rows(
    ctx,
    `SELECT ${LedgerCloses.columns()} FROM ledger_closes WHERE publisher_id = :publisherId AND reopened_at IS NULL ORDER BY month LIMIT 1`,
    { publisherId },
  )
  if (!first?.payouts?.earlier || month >= first.month) return null
  return first.payouts.earlier[month] ?? []
}

async function storedPayouts(ctx: Pick<AppContext, 'db'>, scope: PublisherMonth): Promise<PostedPayouts | null> {
  return (await LedgerCloses.find(ctx, { ...scope, reopenedAt: null }))?.payouts ?? null
}

/** What all months until a day post in total, computed from the current lines of the reports. */
async function payoutTotals(ctx: Pick<AppContext, 'db'>, publisherId: number, until: Day): Promise<PayoutSums[]> {
  const values = { publisherId, until }
  const firstLine = `SELECT f.balance - f.net FROM provider_lines f WHERE f.publisher_id = :publisherId AND f.provider = l.provider
    AND f.payout_reference = l.payout_reference AND f.currency = l.currency ORDER BY f.occurred_at, f.id LIMIT 1`
  // A payout without its own line is the sum of its lines.
  const paid = await ctx.db.query<Key & Record<'amount' | 'debits' | 'unexplained', unknown>>(
    `SELECT p.provider, p.currency, SUM(p.amount) AS amount, SUM(p.debits) AS debits, SUM(p.amount - p.drawn - p.explained) AS unexplained
     FROM (
       SELECT l.provider, l.currency,
         COALESCE(MAX(CASE WHEN l.kind = 'payout' THEN l.posted_on END), MAX(CASE WHEN l.kind <> 'fee' THEN l.posted_on END), MAX(l.posted_on)) AS posted_on,
         COALESCE(SUM(CASE WHEN l.kind = 'payout' THEN 0 - l.gross END), SUM(l.net)) AS amount,
         CASE WHEN l.provider = 'paypal' THEN COALESCE((${firstLine}) - MAX(CASE WHEN l.kind = 'payout' THEN l.balance END), 0) ELSE 0 END AS drawn,
         SUM(CASE WHEN l.explained_on <= :until THEN CASE WHEN l.kind = 'payout' THEN 0 - l.fee ELSE l.net END ELSE 0 END) AS explained,
         SUM(CASE WHEN y.provider = 'stripe-bacs' AND l.explained_on <= :until THEN l.net ELSE 0 END) AS debits
       FROM provider_lines l LEFT JOIN payments y ON y.order_id = l.order_id AND l.state = 'matched'
       WHERE l.publisher_id = :publisherId AND l.payout_reference IS NOT NULL
       GROUP BY l.provider, l.payout_reference, l.currency) p
     WHERE p.posted_on <= :until GROUP BY p.provider, p.currency`,
    values,
  )
  const charges = await ctx.db.query<Key & Record<'fees' | 'returned', unknown>>(
    `SELECT l.provider, l.currency,
       SUM(CASE WHEN l.kind = 'fee' THEN 0 - l.net ELSE l.fee END) AS fees,
       SUM(CASE WHEN l.kind = 'payout-returned' THEN l.gross ELSE 0 END) AS returned
     FROM provider_lines l WHERE l.publisher_id = :publisherId AND l.kind IN ('fee', 'payout', 'payout-returned', 'moved')
       AND l.posted_on <= :until GROUP BY l.provider, l.currency`,
    values,
  )
  return addSums([...paid, ...charges])
}

type Key = Pick<PayoutSums, 'provider' | 'currency'>
const zeroAmounts = { amount: 0, debits: 0, unexplained: 0, fees: 0, returned: 0 }
const names = Object.keys(zeroAmounts) as (keyof typeof zeroAmounts)[]

/** One row for each provider and currency, in this order; lines in a currency that the ledger does not have are left out. */
function addSums(rows: readonly (Key & Partial<Record<keyof typeof zeroAmounts, unknown>>)[]): PayoutSums[] {
  const sums = new Map<string, PayoutSums>()
  for (const row of rows) {
    const { provider, currency } = row
    if (!currencies.includes(currency as Currency)) continue
    const sum = sums.get(`${provider} ${currency}`) ?? { provider, currency, ...zeroAmounts }
    for (const name of names) sum[name] += Number(row[name] ?? 0)
    sums.set(`${provider} ${currency}`, sum)
  }
  return [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, sum]) => sum)
}

function negative(row: PayoutSums): PayoutSums {
  const negated = { ...row }
  for (const name of names) negated[name] = 0 - row[name]
  return negated
}
