import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { type LedgerProduct, ledgerProductName } from './ledger-products.rules.ts'
import { lastDayOf, type Month } from './months.rules.ts'

/**
 * The accounts that a journal posts to: income, deferred revenue, credit owed to readers, opening balances, VAT, provider fees, payouts to the bank,
 * unexplained payouts, and a receivable for each payment method.
 */
export type JournalAccount =
  | 'sales'
  | 'deferred'
  | 'credits'
  | 'opening'
  | 'vat'
  | 'fees'
  | 'bank'
  | 'differences'
  | `receivable:${Exclude<PaymentProvider, 'credit'>}`

export const journalAccountNames: Record<JournalAccount, string> = {
  sales: 'Subscription and back issue sales',
  deferred: 'Deferred revenue',
  credits: 'Credits owed to readers',
  opening: 'Opening balances of deferred revenue',
  vat: 'VAT',
  fees: 'Payment provider fees',
  bank: 'Bank: payouts of providers',
  differences: 'Differences: unexplained payouts',
  ...(Object.fromEntries(
    Object.entries(paymentTypes)
      .filter(([provider]) => provider !== 'free' && provider !== 'credit')
      .map(([provider, name]) => [`receivable:${provider}`, `Receivable: ${name}`]),
  ) as Record<`receivable:${Exclude<PaymentProvider, 'credit'>}`, string>),
}

/** The account that a payment is posted to. A payment by credit uses up money that is owed to the reader, so it has no receivable. */
function accountOf(provider: PaymentProvider): JournalAccount {
  return provider === 'credit' ? 'credits' : `receivable:${provider}`
}

/**
 * The movements of one title's money in a month in one currency, in minor units. A refund is above zero, and the reversal of a refund below;
 * `earned` may be below zero, since refunds reduce it.
 */
export interface JournalAmounts {
  month: Month
  currency: Currency
  publicationId: number
  publicationName: string
  movements: {
    /** How the amount was paid or refunded. */
    provider: PaymentProvider
    product: LedgerProduct
    part: 'sold' | 'returned' | 'cost'
    /** True: earned over a term. False: income immediately. */
    isDeferred: boolean
    amount: number
    /** The VAT in it: owed immediately, even if the amount is deferred. */
    vat: number
  }[]
  /** The amount of the title's invoices that was paid from credit. */
  paidByCredit: number
  /** What was owed for terms that another system had sold, per product. */
  takenOver: { product: Product; amount: number }[]
  /** What was earned of terms, excluding VAT, per product. */
  earned: { product: LedgerProduct; amount: number }[]
}

export interface JournalLine {
  account: JournalAccount
  description: string
  /** Minor units, above zero for a debit and below for a credit. */
  amount: number
}

/** One currency, one title, one month; its lines add up to zero. */
export interface Journal {
  /** Unique among the publisher's journals. */
  narration: string
  /** At most 21 characters, the limit of QuickBooks. */
  number: string
  date: Day
  currency: Currency
  publicationName: string
  lines: JournalLine[]
}

const nameOf = (product: LedgerProduct) => (product === 'bundle' ? 'Bundle' : ledgerProductName(product))

/** The journal of a month; null if there were no movements and nothing was earned. */
export function journalOf(amounts: JournalAmounts): Journal | null {
  const { month, currency, publicationId, publicationName, movements, paidByCredit, takenOver, earned } = amounts
  const lines = new Map<string, JournalLine>()
  const post = (account: JournalAccount, description: string, amount: number) => {
    const key = `${account} ${description}`
    const line = lines.get(key) ?? { account, description, amount: 0 }
    line.amount += amount
    lines.set(key, line)
  }
  for (const { provider, product, part, isDeferred, amount, vat } of movements) {
    const receivable = accountOf(provider)
    if (part === 'cost') {
      post('fees', 'Fees', amount)
      post(receivable, 'Fees', -amount)
      continue
    }
    const [movement, sign] = part === 'sold' ? ['sold', 1] : ['refunded', -1]
    post(receivable, `${nameOf(product)} ${movement}`, sign * amount)
    post(isDeferred ? 'deferred' : 'sales', `${nameOf(product)} ${movement}`, -sign * (amount - vat))
    post('vat', `VAT on ${nameOf(product)} ${movement}`, -sign * vat)
  }
  post('credits', 'Invoices paid', paidByCredit)
  post('receivable:invoice', 'Paid by credit', -paidByCredit)
  for (const { product, amount } of takenOver) {
    post('opening', `${nameOf(product)} taken over`, amount)
    post('deferred', `${nameOf(product)} taken over`, -amount)
  }
  for (const { product, amount } of earned) {
    post('deferred', `${nameOf(product)} earned`, amount)
    post('sales', `${nameOf(product)} earned`, -amount)
  }
  const posted = [...lines.values()].filter(({ amount }) => amount !== 0)
  if (posted.length === 0) return null
  return {
    narration: `Masthead ${month} ${currency} ${publicationName} (${publicationId})`,
    number: `${month}-${currency}-${publicationId}`.slice(0, 21),
    date: lastDayOf(month),
    currency,
    publicationName,
    lines: posted,
  }
}

/** What a provider paid out in a month in one currency, and its charges that belong to no order: minor units, above zero. */
export interface PayoutAmounts {
  month: Month
  provider: 'stripe' | 'paypal'
  currency: Currency
  /** The part of the payouts that is explained by payments, by payment method. */
  paid: { receivable: PaymentProvider; amount: number }[]
  /** The rest of the payouts; below zero if too little was paid out, or if an unexplained amount of an earlier month is now explained. */
  unexplained: number
  fees: number
}

/**
 * The journal of a month's payouts: what the provider owed goes to the bank, and unexplained amounts are posted to the differences. Null if
 * nothing was paid out or charged.
 */
export function payoutJournalOf({ month, provider, currency, paid, unexplained, fees }: PayoutAmounts): Journal | null {
  const publicationName = `${provider === 'stripe' ? 'Stripe' : 'PayPal'} payouts`
  const sums = new Map<PaymentProvider, number>()
  for (const { receivable, amount } of paid) sums.set(receivable, (sums.get(receivable) ?? 0) + amount)
  const total = [...sums.values()].reduce((sum, amount) => sum + amount, unexplained)
  const lines: JournalLine[] = [
    { account: 'bank', description: 'Paid out', amount: total },
    ...[...sums].map(([receivable, amount]) => ({
      account: `receivable:${receivable}` as JournalAccount,
      description: 'Paid out',
      amount: 0 - amount,
    })),
    { account: 'differences', description: 'Unexplained', amount: 0 - unexplained },
    { account: 'fees', description: 'Fees without an order', amount: fees },
    {
      account: `receivable:${provider === 'stripe' ? 'stripe-card' : 'paypal'}`,
      description: 'Fees without an order',
      amount: 0 - fees,
    },
  ]
  const posted = lines.filter(({ amount }) => amount !== 0)
  if (posted.length === 0) return null
  return {
    narration: `Masthead ${month} ${currency} ${publicationName}`,
    number: `${month}-${currency}-${provider}`,
    date: lastDayOf(month),
    currency,
    publicationName,
    lines: posted,
  }
}
