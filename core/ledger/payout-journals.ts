import type { AppContext } from '../context.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { type Journal, payoutJournalOf } from './journal.rules.ts'
import { firstDayOf, lastDayOf, type Month } from './months.rules.ts'

/**
 * What providers paid out in a month and charged apart from any order, by the lines of their reports: a journal for each provider and
 * currency that the ledger keeps.
 */
export async function payoutJournals(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month }: { publisherId: number; month: Month },
): Promise<Journal[]> {
  const values = { publisherId, from: firstDayOf(month), until: lastDayOf(month) }
  // A payout without a line of its own is what its lines come to.
  const paid = await ctx.db.query<{ provider: 'stripe' | 'paypal'; currency: string; amount: number; debits: number }>(
    `SELECT p.provider, p.currency, SUM(p.amount) AS amount, SUM(p.debits) AS debits FROM (
       SELECT l.provider, l.currency,
         COALESCE(MAX(CASE WHEN l.kind = 'payout' THEN l.posted_on END), MAX(CASE WHEN l.kind <> 'fee' THEN l.posted_on END), MAX(l.posted_on)) AS posted_on,
         COALESCE(SUM(CASE WHEN l.kind = 'payout' THEN 0 - l.gross END), SUM(l.net)) AS amount,
         SUM(CASE WHEN y.provider = 'stripe-bacs' THEN l.net ELSE 0 END) AS debits
       FROM provider_lines l LEFT JOIN payments y ON y.order_id = l.order_id AND l.state = 'matched'
       WHERE l.publisher_id = :publisherId AND l.payout_reference IS NOT NULL
       GROUP BY l.provider, l.payout_reference, l.currency) p
     WHERE p.posted_on >= :from AND p.posted_on <= :until GROUP BY p.provider, p.currency`,
    values,
  )
  const apart = await ctx.db.query<{ provider: 'stripe' | 'paypal'; currency: string; fees: number; returned: number }>(
    `SELECT l.provider, l.currency,
       SUM(CASE WHEN l.kind = 'fee' THEN 0 - l.net ELSE l.fee END) AS fees,
       SUM(CASE WHEN l.kind = 'payout-returned' THEN l.gross ELSE 0 END) AS returned
     FROM provider_lines l WHERE l.publisher_id = :publisherId AND l.kind IN ('fee', 'payout', 'payout-returned', 'moved')
       AND l.posted_on >= :from AND l.posted_on <= :until GROUP BY l.provider, l.currency`,
    values,
  )
  const groups = new Map<string, Parameters<typeof payoutJournalOf>[0]>()
  const groupOf = (provider: 'stripe' | 'paypal', currency: string) => {
    const key = `${provider} ${currency}`
    const group = groups.get(key) ?? { month, provider, currency: currency as Currency, paid: [], fees: 0 }
    groups.set(key, group)
    return group
  }
  const isKept = ({ currency }: { currency: string }) => currencies.includes(currency as Currency)
  for (const { provider, currency, amount, debits } of paid.filter(isKept)) {
    const rest: PaymentProvider = provider === 'stripe' ? 'stripe-card' : 'paypal'
    groupOf(provider, currency).paid.push(
      { receivable: rest, amount: Number(amount) - Number(debits) },
      { receivable: 'stripe-bacs', amount: Number(debits) },
    )
  }
  for (const { provider, currency, fees, returned } of apart.filter(isKept)) {
    const group = groupOf(provider, currency)
    group.fees += Number(fees)
    group.paid.push({ receivable: provider === 'stripe' ? 'stripe-card' : 'paypal', amount: 0 - Number(returned) })
  }
  return [...groups.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => payoutJournalOf(group) ?? [])
}
