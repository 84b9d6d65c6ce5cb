import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'

/** The type of the values in a column of each kind; amounts in minor units. */
interface ValueOf {
  text: string
  day: Day
  /** Back issues have no term. */
  dayOrNone: Day | null
  money: number
  /** A sum of the ledger; null for a free order: it has none. */
  earned: number | null
  currency: Currency
  yesNo: boolean
}
export type LedgerKind = keyof ValueOf

export interface LedgerColumn {
  /** Its name in the code, and in the address for sorting the list: `sort=-amount`. */
  name: string
  kind: LedgerKind
  /** Its SQL: `o` is the order, `p` its publication. Null: the ledger's sum of that name (`moneySql` in earned-sql.ts). */
  from: string | null
  /** The SQL to sort the list by, if it is not the value itself. */
  sortBy?: string
  /** Its heading on the page. */
  title: string
  /** Its heading in the file, if it differs. */
  header?: string
  /** On phones an order is a card: the column is its heading, a labelled line, or hidden. */
  onCard: 'title' | 'line' | 'hidden'
  /** Its name in the API, if it differs, and its description there. */
  wire?: string
  about?: string
}

/**
 * The columns of the sales ledger, in the order of the page and of the file. The row's type, the query, the sort orders, the page, the CSV and the
 * API are derived from this list: a new column is a new row (docs/how-to/ledger-column.md).
 */
// biome-ignore format: a table
export const ledgerColumns = [
  { name: 'orderedOn', kind: 'day', from: 'o.ordered_on', title: 'Order date', onCard: 'line', wire: 'orderDate' },
  { name: 'orderNumber', kind: 'text', from: 'o.order_number', title: 'Order number', onCard: 'title' },
  { name: 'title', kind: 'text', from: 'o.title', title: 'Title', onCard: 'hidden' },
  { name: 'firstName', kind: 'text', from: 'o.first_name', sortBy: 'LOWER(o.first_name)', title: 'First name', onCard: 'hidden' },
  { name: 'lastName', kind: 'text', from: 'o.last_name', sortBy: 'LOWER(o.last_name)', title: 'Last name', onCard: 'line' },
  {
    name: 'publicationName', kind: 'text', from: 'p.publication_name', sortBy: 'LOWER(p.publication_name)', title: 'Publication',
    onCard: 'hidden', wire: 'publication',
  },
  { name: 'productName', kind: 'text', from: 'o.product_name', title: 'Product', header: 'Product name', onCard: 'line' },
  { name: 'paymentType', kind: 'text', from: 'o.payment_type', title: 'Payment', header: 'Payment type', onCard: 'hidden' },
  {
    name: 'amount', kind: 'money', from: 'o.amount', title: 'Amount', onCard: 'line',
    about: 'What was sold, before refunds and reversals',
  },
  { name: 'currency', kind: 'currency', from: 'o.currency', title: 'Currency', onCard: 'hidden' },
  {
    name: 'subStartOn', kind: 'dayOrNone', from: 'o.sub_start_on', title: 'Start', header: 'Start date', onCard: 'hidden',
    wire: 'subStartDate',
  },
  { name: 'subEndOn', kind: 'dayOrNone', from: 'o.sub_end_on', title: 'End', header: 'End date', onCard: 'line', wire: 'subEndDate' },
  { name: 'isGift', kind: 'yesNo', from: 'o.is_gift', title: 'Gift', onCard: 'hidden', wire: 'gift' },
  {
    name: 'fulfilled', kind: 'earned', from: null, title: 'Fulfilled', onCard: 'hidden',
    about: 'The part of the net amount that was delivered; null for a free order',
  },
  {
    name: 'liability', kind: 'earned', from: null, title: 'Liability', onCard: 'hidden',
    about: 'The part of it still owed; null for a free order',
  },
  {
    name: 'refunded', kind: 'earned', from: null, title: 'Refunded', onCard: 'hidden',
    about: 'What was refunded or reversed of it; null for a free order',
  },
  {
    name: 'net', kind: 'earned', from: null, title: 'Net', onCard: 'line',
    about: 'The amount less what was refunded: fulfilled and liability add up to it; null for a free order',
  },
] as const satisfies readonly LedgerColumn[]

export type LedgerColumnRow = (typeof ledgerColumns)[number]

/** The values of the columns, each by its kind. */
export type LedgerValues = { [Column in LedgerColumnRow as Column['name']]: ValueOf[Column['kind']] }
