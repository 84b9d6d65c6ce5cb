import { countryName } from '../kernel/countries.ts'
import { type Day, formatDay, openEnd } from '../kernel/dates.ts'
import { guard } from '../kernel/formula-guard.rules.ts'
import { type PostalZone, postalZoneNames } from '../kernel/postal-zones.rules.ts'
import { delimiters, type MailingLayout } from './layout.rules.ts'
import {
  type ComputedColumn,
  isComputed,
  type KeyLinePlaceholder,
  type LayoutColumnKey,
} from './layout-columns.rules.ts'
import type { ReaderHeader } from './mailing-file.rules.ts'
import { type LetterLosses, withWindows1252 } from './windows-1252.rules.ts'

/** Settings shared by all lines of a file. */
export interface LineSettings {
  publicationName: string
  /** The publication's name in a key line. */
  initials: string
  on: Day
  homeCountry: string
}

/** The losses in the cells of a file, reported together with the file. */
export interface LineLosses extends LetterLosses {
  /** Cells that were longer than the layout's width. */
  shortened: number
}

interface Place {
  zone: PostalZone
  sequence: number
  /** Which letter of the renewal series. */
  effort?: string
  /** The cells of the columns that follow those of the layout. */
  extraCells?: readonly string[]
}

type Cell = (cells: readonly string[], place: Place) => string

export interface LineFormatter {
  /** The reader columns it needs, in the order of their printed cells. */
  neededColumns: ReaderHeader[]
  /** The first line, with its line end; empty where the layout has none. */
  header(): string
  /** The cells of a reader's line; `row` is the zone's digit and then the needed columns. */
  cells(row: readonly string[], place: Place): string[]
  /** The cells as one line of text, with its line end. */
  line(row: readonly string[], place: Place): string
}

const zoneCodes: Record<PostalZone, string> = { uk: 'UK', europe: 'EU', world: 'RW' }
/** Names and addresses: the columns that must fit on a label. */
const labelColumns = new Set<LayoutColumnKey>([
  'Title',
  'FirstName',
  'LastName',
  'FullName',
  'JobTitle',
  'CompanyName',
  'City',
  'State',
  'Country',
  'Address1',
  'Address2',
  'Address3',
  'Address4',
  'Addressee',
  'Salutation',
  'Line1',
  'Line2',
  'Line3',
  'Line4',
  'Line5',
  'Line6',
])

/**
 * Compiles a layout for a million lines: each column becomes a function that knows the position of its cells. `extraHeaders` are the names of
 * the columns after those of the layout.
 */
export function lineFormatter(
  layout: MailingLayout,
  settings: LineSettings,
  losses: LineLosses,
  extraHeaders: readonly string[] = [],
): LineFormatter {
  const neededColumns: ReaderHeader[] = []
  const cellOf = (header: ReaderHeader): Cell => {
    const existing = neededColumns.indexOf(header)
    const index = existing < 0 ? neededColumns.push(header) - 1 : existing
    return (cells) => cells[index + 1] ?? ''
  }
  const { maxWidth } = layout
  // Replaced before the cell is measured or quoted: Щ becomes four letters, and a full-width comma may become the delimiter.
  const encodable = (text: string) => (layout.encoding === 'windows-1252' ? withWindows1252(text, losses) : text)
  const columns = layout.columns.map(({ column }) => {
    const cell = columnCell(column, cellOf, layout, settings)
    if (maxWidth === null || !labelColumns.has(column))
      return (cells: readonly string[], place: Place) => encodable(cell(cells, place))
    return (cells: readonly string[], place: Place) => shorten(encodable(cell(cells, place)), maxWidth, losses)
  })
  const cells = (row: readonly string[], place: Place) => columns.map((cell) => cell(row, place))
  const write = csvWriter(layout)
  return {
    neededColumns,
    header: () =>
      layout.namesColumns ? write([...layout.columns.map(({ header }) => header), ...extraHeaders].map(encodable)) : '',
    cells,
    line: (row, place) =>
      write(place.extraCells ? [...cells(row, place), ...place.extraCells.map(encodable)] : cells(row, place)),
  }
}

function columnCell(
  key: LayoutColumnKey,
  cellOf: (header: ReaderHeader) => Cell,
  layout: MailingLayout,
  settings: LineSettings,
): Cell {
  const town = (): Cell => {
    const city = cellOf('City')
    return layout.isTownUpper ? (cells) => city(cells, noPlace).toUpperCase() : city
  }
  const name = (): Cell => {
    const [full, ...parts] = (['FullName', 'Title', 'FirstName', 'LastName'] as const).map(cellOf) as [Cell, ...Cell[]]
    return (cells, place) => full(cells, place) || joined(parts.map((part) => part(cells, place)))
  }
  const makers: Record<ComputedColumn, () => Cell> = {
    Addressee() {
      const person = name()
      const company = cellOf('CompanyName')
      return (cells, place) => person(cells, place) || company(cells, place)
    },
    Salutation() {
      const title = cellOf('Title')
      const last = cellOf('LastName')
      const person = name()
      return (cells, place) => {
        const honorific = title(cells, place)
        const surname = last(cells, place)
        return `Dear ${honorific && surname ? `${honorific} ${surname}` : person(cells, place) || 'Reader'}`
      }
    },
    Line1: () => packed(0),
    Line2: () => packed(1),
    Line3: () => packed(2),
    Line4: () => packed(3),
    Line5: () => packed(4),
    Line6: () => packed(5),
    KeyLine: () => keyLine(layout.keyLine, cellOf, settings),
    Zone:
      () =>
      (_, { zone }) =>
        postalZoneNames[zone],
    Publication: () => () => settings.publicationName,
    IssueDate: () => () => formatDay(settings.on),
    Copies: () => () => '1',
    Sequence:
      () =>
      (_, { sequence }) =>
        String(sequence),
  }
  const packed = (index: number): Cell => {
    const lines = [...(['Address1', 'Address2', 'Address3', 'Address4'] as const).map(cellOf), town(), cellOf('State')]
    return (cells, place) => lines.map((line) => line(cells, place)).filter((line) => line !== '')[index] ?? ''
  }
  if (isComputed(key)) return makers[key]()
  if (key === 'FullName') return name()
  if (key === 'City') return town()
  const cell = cellOf(key)
  // Domestic mail needs no country; abroad its English name is printed.
  if (key === 'Country')
    return (cells, place) => {
      const code = cell(cells, place)
      return code === '' || code === settings.homeCountry ? '' : countryName(code)
    }
  return cell
}

const noPlace: Place = { zone: 'uk', sequence: 0 }

function joined(parts: string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

function keyLine(text: string, cellOf: (header: ReaderHeader) => Cell, settings: LineSettings): Cell {
  const reference = cellOf('UniqueReference')
  const expiry = cellOf('SubExpiry')
  const type = cellOf('SubType')
  const openEndText = formatDay(openEnd)
  const values: Record<KeyLinePlaceholder, Cell> = {
    publication: () => settings.initials,
    reference,
    expiry(cells, place) {
      const day = expiry(cells, place)
      return day === openEndText ? '99/99' : `${day.slice(3, 5)}/${day.slice(8, 10)}`
    },
    type: (cells, place) => type(cells, place).charAt(0).toUpperCase(),
    zone: (_, { zone }) => zoneCodes[zone],
    sequence: (_, { sequence }) => String(sequence),
    issue: () => formatDay(settings.on),
    effort: (_, { effort = '' }) => effort,
  }
  return (cells, place) =>
    text.replaceAll(
      /\{(\w+)\}/g,
      (placeholder, name: string) => values[name as KeyLinePlaceholder]?.(cells, place) ?? placeholder,
    )
}

/** Cuts at the last space if that keeps more than half of the text, else in the middle of a word. */
function shorten(text: string, width: number, losses: LineLosses): string {
  const letters = [...text]
  if (letters.length <= width) return text
  losses.shortened++
  const truncated = letters.slice(0, width).join('')
  const space = truncated.lastIndexOf(' ')
  return (space > truncated.length / 2 && letters[width] !== ' ' ? truncated.slice(0, space) : truncated).trimEnd()
}

/** Writes lines by RFC 4180 with the layout's delimiter, in which no cell can be run as a formula by a spreadsheet. */
function csvWriter({ delimiter, quotes }: MailingLayout): (cells: string[]) => string {
  const separator = delimiters[delimiter]
  const special = new RegExp(`["${separator}\\r\\n]`)
  const cellText = (text: string) => {
    const cell = guard(text)
    return quotes === 'all' || special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  }
  return (cells) => `${cells.map(cellText).join(separator)}\r\n`
}
