import type { AppContext } from '../context.ts'
import { type Currency, currencies } from '../kernel/money.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import { type Journal, payoutJournalOf } from './journal.rules.ts'
import { firstDayOf, lastDayOf, type Month } from './months.rules.ts'

/**
 * The payouts of a month and the charges of providers that belong to no order, from the lines of their reports: one journal for each provider
 * and currency of the ledger. What is unexplained at the end of the month is posted as a difference; a line that is explained in a later month
 * reduces it in that month's journal, so that the journal of a closed month never changes.
 */
export async function payoutJournals(
  ctx: Pick<AppContext, 'db'>,
  { publisherId, month }: { publisherId: number; month: Month },
): Promise<Journal[]> {
  const values = { publisherId, from: firstDayOf(month), until: lastDayOf(month) }
  const firstLine = `SELECT f.balance - f.net FROM provider_lines f WHERE f.publisher_id = :publisherId AND f.provider = l.provider
    AND f.payout_reference = l.payout_reference AND f.currency = l.currency ORDER BY f.occurred_at, f.id LIMIT 1`
  const explained = (until: string) =>
    `SUM(CASE WHEN l.explained_on ${until} THEN CASE WHEN l.kind = 'payout' THEN 0 - l.fee ELSE l.net END ELSE 0 END)`
  const debits = (until: string) =>
    `SUM(CASE WHEN y.provider = 'stripe-bacs' AND l.explained_on ${until} THEN l.net ELSE 0 END)`
  const isPaid = (until: string, sum: string) => `SUM(CASE WHEN p.posted_on ${until} THEN ${sum} ELSE 0 END)`
  const [before, now] = ['< :from', '<= :until'] as const
  // A payout without its own line is the sum of its lines.
  const paid = await ctx.db.query<{
    provider: 'stripe' | 'paypal'
    currency: string
    amount: number
    debits: number
    unexplained: number
  }>(
    `SELECT p.provider, p.currency, ${isPaid('>= :from', 'p.amount')} AS amount,
       ${isPaid(now, 'p.debits')} - ${isPaid(before, 'p.debits_before')} AS debits,
       ${isPaid(now, 'p.amount - p.drawn - p.explained')} - ${isPaid(before, 'p.amount - p.drawn - p.explained_before')} AS unexplained
     FROM (
       SELECT l.provider, l.currency,
         COALESCE(MAX(CASE WHEN l.kind = 'payout' THEN l.posted_on END), MAX(CASE WHEN l.kind <> 'fee' THEN l.posted_on END), MAX(l.posted_on)) AS posted_on,
         COALESCE(SUM(CASE WHEN l.kind = 'payout' THEN 0 - l.gross END), SUM(l.net)) AS amount,
         CASE WHEN l.provider = 'paypal' THEN COALESCE((${firstLine}) - MAX(CASE WHEN l.kind = 'payout' THEN l.balance END), 0) ELSE 0 END AS drawn,
         ${explained(now)} AS explained, ${explained(before)} AS explained_before,
         ${debits(now)} AS debits, ${debits(before)} AS debits_before
       FROM provider_lines l LEFT JOIN payments y ON y.order_id = l.order_id AND l.state = 'matched'
       WHERE l.publisher_id = :publisherId AND l.payout_reference IS NOT NULL
       GROUP BY l.provider, l.payout_reference, l.currency) p
     WHERE p.posted_on <= :until GROUP BY p.provider, p.currency`,
    values,
  )
  const charges = await ctx.db.query<{
    provider: 'stripe' | 'paypal'
    currency: string
    fees: number
    returned: number
  }>(
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
    const group = groups.get(key) ?? {
      month,
      provider,
      currency: currency as Currency,
      paid: [],
      unexplained: 0,
      fees: 0,
    }
    groups.set(key, group)
    return group
  }
  const isLedgerCurrency = ({ currency }: { currency: string }) => currencies.includes(currency as Currency)
  for (const { provider, currency, amount, debits, unexplained } of paid.filter(isLedgerCurrency)) {
    const receivable: PaymentProvider = provider === 'stripe' ? 'stripe-card' : 'paypal'
    const group = groupOf(provider, currency)
    group.unexplained += Number(unexplained)
    group.paid.push(
      { receivable, amount: Number(amount) - Number(debits) - Number(unexplained) },
      { receivable: 'stripe-bacs', amount: Number(debits) },
    )
  }
  for (const { provider, currency, fees, returned } of charges.filter(isLedgerCurrency)) {
    const group = groupOf(provider, currency)
    group.fees += Number(fees)
    group.paid.push({ receivable: provider === 'stripe' ? 'stripe-card' : 'paypal', amount: 0 - Number(returned) })
  }
  return [...groups.entries()]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, group]) => payoutJournalOf(group) ?? [])
}
