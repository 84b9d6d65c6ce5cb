import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { paymentTypes } from '../payment-methods/payment-methods.rules.ts'
import type { PaymentProvider } from '../ports/payment-gateway.ts'
import type { Product } from '../pricing/plan-code.rules.ts'
import { lastDayOf, type Month } from './months.rules.ts'

/** What a journal posts to: income, what is owed to readers, what providers charge, and what each way of payment owes or is owed. */
export type JournalAccount = 'sales' | 'deferred' | 'fees' | `receivable:${PaymentProvider}`

export const journalAccountNames: Record<JournalAccount, string> = {
  sales: 'Subscription and back issue sales',
  deferred: 'Deferred revenue',
  fees: 'Payment provider fees',
  ...(Object.fromEntries(
    Object.entries(paymentTypes)
      .filter(([provider]) => provider !== 'free')
      .map(([provider, name]) => [`receivable:${provider}`, `Receivable: ${name}`]),
  ) as Record<`receivable:${PaymentProvider}`, string>),
}

/** What happened in a month to one title's money in one currency, in minor units, all of them positive but `earned` of what was given back. */
export interface JournalAmounts {
  month: Month
  currency: Currency
  publicationId: number
  publicationName: string
  moved: {
    provider: PaymentProvider
    product: Product | null
    part: 'sold' | 'returned' | 'cost'
    /** Earned over a term; what is not is income at once. */
    isDeferred: boolean
    amount: number
  }[]
  /** What was earned of terms, per product. */
  earned: { product: Product; amount: number }[]
}

export interface JournalLine {
  account: JournalAccount
  description: string
  /** Minor units, above nought for a debit and below for a credit. */
  amount: number
}

/** One currency, one title, one month; its lines add up to nought. */
export interface Journal {
  /** No other journal of the publisher has it. */
  narration: string
  /** At most 21 characters, as QuickBooks takes them. */
  number: string
  date: Day
  currency: Currency
  publicationName: string
  lines: JournalLine[]
}

const productNames: Record<Product, string> = { print: 'Print', digital: 'Digital', bundle: 'Bundle' }
const nameOf = (product: Product | null) => (product === null ? 'Back issues' : productNames[product])

/** The journal of a month; null where no money moved and nothing was earned. */
export function journalOf(amounts: JournalAmounts): Journal | null {
  const { month, currency, publicationId, publicationName, moved, earned } = amounts
  const lines = new Map<string, JournalLine>()
  const post = (account: JournalAccount, description: string, amount: number) => {
    const key = `${account} ${description}`
    const line = lines.get(key) ?? { account, description, amount: 0 }
    line.amount += amount
    lines.set(key, line)
  }
  for (const { provider, product, part, isDeferred, amount } of moved) {
    const receivable = `receivable:${provider}` as const
    if (part === 'cost') {
      post('fees', 'Fees', amount)
      post(receivable, 'Fees', -amount)
      continue
    }
    const [what, sign] = part === 'sold' ? ['sold', 1] : ['refunded', -1]
    post(receivable, `${nameOf(product)} ${what}`, sign * amount)
    post(isDeferred ? 'deferred' : 'sales', `${nameOf(product)} ${what}`, -sign * amount)
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
