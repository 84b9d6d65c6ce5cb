import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import {
  inPounds,
  opposite,
  refundVat,
  saleVat,
  type VatItem,
  type VatLine,
  type VatPlace,
  type VatTerms,
} from './vat.rules.ts'

/**
 * The kinds of ledger entries that change what VAT is due. A fee is the provider's, a write-off does not decrease the price, and nor does a credit
 * until it is used.
 */
export const vatKinds = [
  'sale',
  'refund',
  'refund-failed',
  'debit-failed',
  'dispute',
  'dispute-won',
  'credit-used',
] as const
export type VatKind = (typeof vatKinds)[number]

/** One event of an order in the ledger: all entries of a cause together. */
export interface VatCause {
  kind: VatKind
  cause: string
  /** The tax point: the day it was entered. */
  on: Day
  /** Minor units, negative for refunds. */
  amount: number
}

export interface VatOrder {
  items: readonly VatItem[]
  currency: Currency
  place: VatPlace
}

export interface CauseVat {
  cause: VatCause
  lines: VatLine[]
  isChanged: boolean
}

/** The cause that an entry belongs to: the ledger numbers the second and later entries of a cause, `refund:12#2`. */
export function wholeCause(cause: string): string {
  return cause.replace(/#\d+$/, '')
}

export const causeKey = ({ kind, cause }: Pick<VatCause, 'kind' | 'cause'>) => `${kind} ${cause}`

/**
 * The VAT lines of an order, cause by cause in the order they were entered. Stored lines are unchanged; those that were "not set"
 * are filled if requested. For a closed month nothing is worked out or filled: its figures have been reported.
 */
export function orderVat(
  order: VatOrder,
  causes: readonly VatCause[],
  stored: ReadonlyMap<string, readonly VatLine[]>,
  terms: VatTerms,
  { isFilling = false, isClosed = () => false }: { isFilling?: boolean; isClosed?: (on: Day) => boolean } = {},
): CauseVat[] {
  const results: CauseVat[] = []
  for (const cause of causes) {
    const storedLines = stored.get(causeKey(cause))
    if (!storedLines && isClosed(cause.on)) continue
    const isFillable = isFilling && storedLines?.some(({ problem }) => problem !== '') && !isClosed(cause.on)
    if (storedLines && !isFillable) {
      results.push({ cause, lines: [...storedLines], isChanged: false })
      continue
    }
    const calculated = linesOf(order, cause, results, terms)
    const lines = storedLines
      ? filled(storedLines, calculated, { currency: order.currency, on: cause.on }, terms)
      : calculated
    results.push({ cause, lines, isChanged: true })
  }
  return results
}

function linesOf(order: VatOrder, cause: VatCause, earlier: readonly CauseVat[], terms: VatTerms): VatLine[] {
  const { items, currency, place } = order
  if (cause.kind === 'sale') return saleVat({ items, amount: cause.amount, on: cause.on, currency, place }, terms)
  if (cause.amount > 0) return opposite(linesToUndo(cause, earlier))
  const [sale, ...later] = earlier
  if (sale?.cause.kind !== 'sale') return []
  return refundVat(
    sale.lines,
    later.flatMap(({ lines }) => lines),
    0 - cause.amount,
  )
}

/** The lines that had been reversed under the same cause. */
function linesToUndo({ cause }: VatCause, earlier: readonly CauseVat[]): VatLine[] {
  return earlier.findLast((result) => result.cause.cause === cause && result.cause.amount < 0)?.lines ?? []
}

/** The lines with missing values filled; a line that has its VAT keeps it, and its amount in pounds. */
function filled(
  storedLines: readonly VatLine[],
  calculated: readonly VatLine[],
  at: { currency: Currency; on: Day },
  terms: VatTerms,
): VatLine[] {
  return storedLines.flatMap((line) => {
    const matching = calculated.filter(
      ({ itemId, supply }) => itemId === line.itemId && (supply === line.supply || line.supply === 'bundle'),
    )
    if (line.problem === '') return [line]
    if (line.vat === null) return matching.length > 0 ? matching : [line]
    const [recalculated] = matching
    if (line.gross >= 0 && recalculated) return [inPounds(line, at, terms)]
    if (!recalculated || recalculated.vatGbp === null) return [line]
    const { netGbp, vatGbp, exchangeRate, problem } = recalculated
    return [{ ...line, netGbp, vatGbp, exchangeRate, problem }]
  })
}
