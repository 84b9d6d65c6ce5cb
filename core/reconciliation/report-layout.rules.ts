import { type ReportProvider, reportProviders } from './line-kinds.rules.ts'

/** The columns that are read, each with its names in different reports, as `normalisedName` returns them. */
const columns = {
  stripe: {
    lineKey: ['balance_transaction_id', 'id'],
    category: ['reporting_category', 'type'],
    currency: ['currency'],
    gross: ['gross', 'amount'],
    fee: ['fee'],
    net: ['net'],
    createdUtc: ['created_utc', 'effective_at_utc'],
    created: ['created', 'effective_at'],
    description: ['description'],
    payout: ['automatic_payout_id', 'transfer'],
    payoutOn: [
      'automatic_payout_effective_at_utc',
      'automatic_payout_effective_at',
      'transfer_date_utc',
      'transfer_date',
    ],
    payoutItself: ['payout_id'],
    payment: ['payment_intent_id'],
    charge: ['charge_id'],
    refund: ['refund_id'],
    dispute: ['dispute_id'],
    source: ['source_id', 'source'],
    orderNumber: ['payment_metadata_ordernumber', 'ordernumber_metadata', 'ordernumber'],
    customerAmount: ['customer_facing_amount'],
    customerCurrency: ['customer_facing_currency'],
  },
  paypal: {
    lineKey: ['transaction_id'],
    category: ['type', 'transaction_type', 'description'],
    currency: ['currency'],
    gross: ['gross'],
    fee: ['fee', 'fees'],
    net: ['net'],
    date: ['date', 'transaction_date'],
    time: ['time'],
    zone: ['timezone', 'time_zone'],
    status: ['status', 'transaction_status'],
    impact: ['balance_impact'],
    balance: ['balance'],
    reference: ['reference_txn_id', 'reference_transaction_id', 'paypal_reference_id'],
    invoice: ['invoice_number', 'invoice_id'],
    custom: ['custom_number', 'custom'],
    title: ['item_title', 'subject'],
  },
  settlement: {
    lineKey: ['transaction_id'],
    category: ['transaction_event_code'],
    begun: ['transaction_initiation_date'],
    completed: ['transaction_completion_date'],
    side: ['transaction_debit_or_credit'],
    gross: ['gross_transaction_amount'],
    currency: ['gross_transaction_currency'],
    feeSide: ['fee_debit_or_credit'],
    fee: ['fee_amount'],
    feeCurrency: ['fee_currency'],
    reference: ['paypal_reference_id'],
    referenceType: ['paypal_reference_id_type'],
    invoice: ['invoice_id'],
    custom: ['custom_field'],
  },
} as const

/** The formats of reports; PayPal has two: its activity download and its settlement report (STL). */
type Shape = keyof typeof columns
const providerOf = { stripe: 'stripe', paypal: 'paypal', settlement: 'paypal' } as const

export type Fields<Format extends Shape> = Record<keyof (typeof columns)[Format], string>

/** The required columns of a report, by the names that its provider gives them. */
const required = {
  stripe: {
    lineKey: 'balance_transaction_id',
    category: 'reporting_category',
    currency: 'currency',
    gross: 'gross',
    fee: 'fee',
    net: 'net',
  },
  paypal: {
    lineKey: 'Transaction ID',
    category: 'Type',
    date: 'Date',
    currency: 'Currency',
    gross: 'Gross',
    fee: 'Fee',
    net: 'Net',
  },
  settlement: {
    lineKey: 'Transaction ID',
    category: 'Transaction Event Code',
    begun: 'Transaction Initiation Date',
    side: 'Transaction Debit or Credit',
    gross: 'Gross Transaction Amount',
    currency: 'Gross Transaction Currency',
    feeSide: 'Fee Debit or Credit',
    fee: 'Fee Amount',
  },
} as const

export interface ReportLayout {
  provider: ReportProvider
  shape: Shape
  /** The position of each column that the file has. */
  places: Readonly<Record<string, number>>
}

function normalisedName(column: string): string {
  return column
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
}

/**
 * Detects the provider of a report by its header, and the positions of its columns, which may be in any order and among others. `problem` names the
 * missing columns, for the given provider or for the one that the header resembles most.
 */
export function layoutOf(header: readonly string[], provider?: ReportProvider): ReportLayout | { problem: string } {
  const names = header.map(normalisedName)
  const isSettlement = provider !== 'stripe' && names.includes('transaction_event_code')
  const shape = isSettlement ? 'settlement' : (provider ?? (names.includes('transaction_id') ? 'paypal' : 'stripe'))
  const places: Record<string, number> = {}
  for (const [field, possibleNames] of Object.entries(columns[shape])) {
    for (const name of possibleNames) {
      const index = names.indexOf(name)
      if (index < 0 || places[field] !== undefined) continue
      places[field] = index
    }
  }
  const missing: string[] = Object.entries(required[shape]).flatMap(([field, name]) =>
    places[field] === undefined ? [name] : [],
  )
  if (shape === 'stripe' && places.createdUtc === undefined && places.created === undefined) missing.push('created_utc')
  if (missing.length === 0) return { provider: providerOf[shape], shape, places }
  const list = missing.map((name) => `“${name}”`).join(', ')
  return {
    problem: `As a ${reportProviders[providerOf[shape]]} report it lacks the column${missing.length > 1 ? 's' : ''} ${list}`,
  }
}

/** The first cells of rows in a settlement report: of the first row, of the row with the names of the columns, and of each transaction. */
export const settlementRows = { first: 'RH', columns: 'CH', transaction: 'SB' } as const

/** The trimmed cells of a row by field; blank for a column that the file does not have. */
export function fieldsOf(cells: readonly string[], { shape, places }: ReportLayout): Record<string, string> {
  return Object.fromEntries(
    Object.keys(columns[shape]).map((name) => {
      const at = places[name]
      return [name, at === undefined ? '' : (cells[at] ?? '').trim()]
    }),
  )
}
