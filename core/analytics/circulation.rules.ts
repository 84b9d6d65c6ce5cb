import { countryName } from '../kernel/countries.ts'
import type { CsvCell } from '../kernel/csv-text.ts'
import { type Day, formatDay } from '../kernel/dates.ts'
import { type PostalZone, postalZone, postalZoneNames, postalZones } from '../kernel/postal-zones.rules.ts'
import { recordOf } from '../kernel/record-of.ts'
import { type Band, bandNames, bandOf, bands } from '../pricing/region.rules.ts'
import { type SubType, subTypes } from '../terms/term.rules.ts'

/** How many subscriptions run: by product, paid and free, and in total. */
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

/** How many readers of one country have the same product. */
export interface CountedTerms {
  country: string
  product: SubType
  isPaid: boolean
  readers: number
}

export interface PrintOrder {
  /** One copy for each reader with a print or bundle subscription. */
  copies: number
  spares: number
  order: number
}

export interface CirculationCounts {
  all: CirculationCount
  zones: (CirculationCount & PrintOrder & { zone: PostalZone; label: string })[]
  bands: (CirculationCount & { band: Band; label: string })[]
  /** Only countries with readers, the largest first. */
  countries: (CirculationCount & { country: string; label: string; zone: PostalZone; band: Band })[]
  printOrder: PrintOrder
}

/** Adds up the counts. Spares are a percentage of a zone's copies, rounded up: a zone with copies gets at least one, unless the percentage is 0. */
export function circulationCounts(rows: readonly CountedTerms[], sparesPercent: number): CirculationCounts {
  const tally = (matches: (row: CountedTerms) => boolean) => tallyOf(rows.filter(matches))
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
  // In whole hundredths of a per cent: a rounding error could otherwise make 2.5 per cent of 40 two instead of one.
  const spares = Math.ceil((copies * Math.round(sparesPercent * 100)) / 10_000)
  return { copies, spares, order: copies + spares }
}

/** How many readers of a product were added or removed between two days, and why. A move between products counts in both of them. */
export interface CirculationChange {
  product: SubType
  opening: number
  /** Had no earlier subscription, as far as is known. */
  added: number
  /** Had an earlier subscription, but none on the first of the two days. */
  returned: number
  movedIn: number
  movedOut: number
  removed: Record<RemovalReason, number>
  closing: number
}

/** Why a reader's subscription no longer runs. */
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
  /** The product on the first and on the second day; null: no running subscription. */
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
    const sum = (matches: (move: CountedMoves) => boolean) =>
      moves.filter(matches).reduce((total, { readers }) => total + readers, 0)
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

/** The lines of a change: each has a label and a figure for each product; reductions are negative. */
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
 * The rows of a circulation file: the header, the total, the postal zones with their print orders, the price bands, the countries and, if two days
 * are compared, the changes. The column `Part` says which of these a row belongs to; zones, bands and countries each add up to the total.
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
    part,
    title,
    formatDay(on),
    name,
    country,
    zone,
    band,
    ...countColumns.map(({ key }) => numberCell(counts[key])),
    numberCell(counts.print + counts.bundle),
    // Spares are computed for each zone, so only the zones and the total have any.
    ...(ordered ? [numberCell(ordered.spares), numberCell(ordered.order)] : ['', '']),
  ]
  return [
    [...headings, ...countColumns.map(({ label }) => label), 'Copies', 'Spares', 'Print order'],
    row('All', 'All', {}, all, ordered),
    ...zones.map((zone) => row('Zone', zone.label, { zone: zone.label }, zone, zone)),
    ...bands.map((band) => row('Price band', band.label, { band: band.band }, band)),
    ...countries.map((counts) => {
      const { label, country, zone, band } = counts
      return row('Country', label, { country, zone: postalZoneNames[zone], band }, counts)
    }),
    ...(change
      ? changeLines(change).map(({ label, figures, all: sum }) => [
          'Change',
          title,
          formatDay(change.to),
          label,
          '',
          '',
          '',
          ...subTypes.map((product) =>
            numberCell(figures[change.products.findIndex((row) => row.product === product)]),
          ),
          '',
          '',
          numberCell(sum),
          '',
          '',
          '',
        ])
      : []),
  ]
}

function numberCell(n: number | undefined): CsvCell {
  return { number: String(n) }
}
