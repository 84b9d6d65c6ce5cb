import { countryName } from '../kernel/countries.ts'
import type { CsvCell } from '../kernel/csv-text.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { type PostalZone, postalZone, postalZoneNames, postalZones } from '../kernel/postal-zones.rules.ts'
import { recordOf } from '../kernel/record-of.ts'
import { type Band, bandNames, bandOf, bands } from '../pricing/region.rules.ts'
import { type SubType, subTypes } from '../terms/term.rules.ts'

/** How many subscriptions run: by product, by whether something was paid, and all of them. */
export type CirculationCount = Record<SubType | 'paid' | 'free' | 'all', number>

/** The columns of every table of counts, in their order. */
export const countColumns = [
  { key: 'print', label: 'Print' },
  { key: 'digital', label: 'Digital' },
  { key: 'bundle', label: 'Bundle' },
  { key: 'paid', label: 'Paid' },
  { key: 'free', label: 'Free' },
  { key: 'all', label: 'All' },
] as const satisfies readonly { key: keyof CirculationCount; label: string }[]

/** A number of readers of one country with the same product. */
export interface CountedTerms {
  country: string
  product: SubType
  isPaid: boolean
  readers: number
}

export interface PrintOrder {
  /** Readers with a print or bundle subscription: each gets one copy. */
  copies: number
  spares: number
  order: number
}

export interface CirculationCounts {
  all: CirculationCount
  zones: (CirculationCount & PrintOrder & { zone: PostalZone; label: string })[]
  bands: (CirculationCount & { band: Band; label: string })[]
  /** Only those with readers, the largest first. */
  countries: (CirculationCount & { country: string; label: string; zone: PostalZone; band: Band })[]
  printOrder: PrintOrder
}

/** Adds up the counts. Spares are per cent of a zone's copies, rounded up: a zone with copies gets at least one. */
export function circulationCounts(rows: readonly CountedTerms[], sparesPercent: number): CirculationCounts {
  const tally = (belongs: (row: CountedTerms) => boolean) => tallyOf(rows.filter(belongs))
  const zones = postalZones.map((zone) => {
    const counts = tally(({ country }) => postalZone(country) === zone)
    return { zone, label: postalZoneNames[zone], ...counts, ...printOrder(counts, sparesPercent) }
  })
  const sum = (part: keyof PrintOrder) => zones.reduce((total, zone) => total + zone[part], 0)
  return {
    all: tallyOf(rows),
    zones,
    bands: bands.map((band) => ({
      band,
      label: bandNames[band],
      ...tally(({ country }) => bandOf(country) === band),
    })),
    countries: [...new Set(rows.map(({ country }) => country))]
      .map((country) => ({
        country,
        label: countryName(country),
        zone: postalZone(country),
        band: bandOf(country),
        ...tally((row) => row.country === country),
      }))
      .sort((a, b) => b.all - a.all || (a.label < b.label ? -1 : 1)),
    printOrder: { copies: sum('copies'), spares: sum('spares'), order: sum('order') },
  }
}

function tallyOf(rows: readonly CountedTerms[]): CirculationCount {
  const counts: CirculationCount = {
    ...recordOf(
      countColumns.map(({ key }) => ({ name: key })),
      () => 0,
    ),
  }
  for (const { product, isPaid, readers } of rows) {
    counts[product] += readers
    counts[isPaid ? 'paid' : 'free'] += readers
    counts.all += readers
  }
  return counts
}

function printOrder({ print, bundle }: CirculationCount, sparesPercent: number): PrintOrder {
  const copies = print + bundle
  // In whole hundredths, so that 2.5 per cent of 40 is 1 and not 2.
  const spares = Math.ceil((copies * Math.round(sparesPercent * 100)) / 10_000)
  return { copies, spares, order: copies + spares }
}

/** Readers who began or ceased to count between two days, and why; movements between products appear on both sides. */
export interface CirculationChange {
  product: SubType
  opening: number
  /** Never counted before, as far as is known. */
  added: number
  /** Counted on an earlier day, and not on the first of the two. */
  returned: number
  movedIn: number
  movedOut: number
  removed: Record<RemovalReason, number>
  closing: number
}

/** Why a reader no longer counts. */
export const removalReasons = {
  expired: 'Expired',
  deactivated: 'Deactivated',
  removed: 'Removed',
  replaced: 'Replaced by a file',
  merged: 'Merged with another reader',
  reversed: 'Payment reversed',
  undone: 'Import or merge undone',
  changed: 'Subscription changed',
} as const
export type RemovalReason = keyof typeof removalReasons

export interface CountedMoves {
  /** Null where they do not count on that day. */
  before: SubType | null
  after: SubType | null
  isReturn: boolean
  why: RemovalReason
  readers: number
}

/** One row for each product: closing = opening + added + returned + moved in - moved out - removed. */
export function circulationChanges(
  opening: CirculationCount,
  closing: CirculationCount,
  moves: readonly CountedMoves[],
): CirculationChange[] {
  return subTypes.map((product) => {
    const sum = (belongs: (move: CountedMoves) => boolean) =>
      moves.filter(belongs).reduce((total, { readers }) => total + readers, 0)
    const arrivals = moves.filter(({ before, after }) => before === null && after === product)
    return {
      product,
      opening: opening[product],
      added: arrivals.filter(({ isReturn }) => !isReturn).reduce((total, { readers }) => total + readers, 0),
      returned: arrivals.filter(({ isReturn }) => isReturn).reduce((total, { readers }) => total + readers, 0),
      movedIn: sum(({ before, after }) => before !== null && before !== product && after === product),
      movedOut: sum(({ before, after }) => before === product && after !== null && after !== product),
      removed: recordOf(
        (Object.keys(removalReasons) as RemovalReason[]).map((name) => ({ name })),
        ({ name }) => sum(({ before, after, why }) => before === product && after === null && why === name),
      ),
      closing: closing[product],
    }
  })
}

/** A figure for each product of a change, with its name; reductions are negative. */
export function changeLines({ from, to, products }: { from: Day; to: Day; products: readonly CirculationChange[] }) {
  const lines: [string, (row: CirculationChange) => number][] = [
    [`On ${formatDay(from)}`, ({ opening }) => opening],
    ['Added', ({ added }) => added],
    ['Returned', ({ returned }) => returned],
    ['From another product', ({ movedIn }) => movedIn],
    ['To another product', ({ movedOut }) => 0 - movedOut],
    ...Object.entries(removalReasons).map(([why, name]): [string, (row: CirculationChange) => number] => [
      name,
      ({ removed }) => 0 - removed[why as RemovalReason],
    ]),
    [`On ${formatDay(to)}`, ({ closing }) => closing],
  ]
  return lines.map(([label, figure]) => {
    const figures = products.map((row) => figure(row))
    return { label, figures, all: figures.reduce((sum, n) => sum + n, 0) }
  })
}

/**
 * The rows of a file of circulation: the header, all, the postal zones with their print order, the price bands, the countries, and, where two
 * days are compared, what changed between them. `Part` says which of these a row belongs to; zones, bands and countries each add up to the row
 * of all.
 */
export function circulationRows(
  title: string,
  on: Day,
  { all, zones, bands, countries, printOrder: ordered }: CirculationCounts,
  change: { from: Day; to: Day; products: readonly CirculationChange[] } | null,
): CsvCell[][] {
  const headings = ['Part', 'Publication', 'Day', 'Name', 'Country', 'Zone', 'Price band']
  const row = (
    part: string,
    name: string,
    { country = '', zone = '', band = '' }: { country?: string; zone?: string; band?: string },
    counts: CirculationCount,
    ordered?: PrintOrder,
  ): CsvCell[] => [
    ...[part, title, formatDay(on), name, country, zone, band],
    ...countColumns.map(({ key }) => numberCell(counts[key])),
    numberCell(counts.print + counts.bundle),
    // Spares are rounded up for each zone, so only the zones and the row of all have any.
    ...(ordered ? [numberCell(ordered.spares), numberCell(ordered.order)] : ['', '']),
  ]
  return [
    [...headings, ...countColumns.map(({ label }) => label), 'Copies', 'Spares', 'Print order'],
    row('All', 'All', {}, all, ordered),
    ...zones.map((zone) => row('Zone', zone.label, { zone: zone.label }, zone, zone)),
    ...bands.map((band) => row('Price band', band.label, { band: band.band }, band)),
    ...countries.map((one) =>
      row('Country', one.label, { country: one.country, zone: postalZoneNames[one.zone], band: one.band }, one),
    ),
    ...(change
      ? changeLines(change).map(({ label, figures, all: sum }) => [
          ...['Change', title, formatDay(change.to), label, '', '', ''],
          ...subTypes.map((product) =>
            numberCell(figures[change.products.findIndex((one) => one.product === product)]),
          ),
          ...['', '', numberCell(sum), '', '', ''],
        ])
      : []),
  ]
}

function numberCell(n: number | undefined): CsvCell {
  return { number: String(n) }
}
