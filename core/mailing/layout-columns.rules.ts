import { readerColumns } from '../reader-files/reader.columns.ts'

/** Columns that are computed, not stored. */
const computedColumns = {
  Addressee: 'The full name, or the company where there is no name',
  Salutation: 'Dear Ms Lee; Dear Reader where there is no name',
  Line1: 'The first of the address lines, town and state that is filled in',
  Line2: 'The second',
  Line3: 'The third',
  Line4: 'The fourth',
  Line5: 'The fifth',
  Line6: 'The sixth',
  KeyLine: 'One line for the label, as defined in this layout',
  Zone: 'United Kingdom, Europe or Rest of the world',
  Publication: 'The publication’s name',
  IssueDate: 'The day the file is made for',
  Copies: 'How many copies: 1',
  Sequence: 'The position in the file’s order by zone and postcode: 1, 2, 3',
} as const

export type ComputedColumn = keyof typeof computedColumns
export type LayoutColumnKey = (typeof readerColumns)[number]['header'] | ComputedColumn

interface LayoutColumn {
  key: LayoutColumnKey
  /** What a computed column contains; blank for a reader file's own. */
  hint: string
}

/** The table of columns a layout may have: those of a reader file and the computed ones. */
export const layoutColumns: readonly LayoutColumn[] = [
  ...Object.entries(computedColumns).map(([key, hint]) => ({ key: key as ComputedColumn, hint })),
  ...readerColumns.map(({ header }) => ({ key: header, hint: '' })),
]

export const layoutColumnKeys = layoutColumns.map(({ key }) => key) as [LayoutColumnKey, ...LayoutColumnKey[]]

export function isComputed(key: LayoutColumnKey): key is ComputedColumn {
  return Object.hasOwn(computedColumns, key)
}

/** The placeholders of a key line. */
export const keyLinePlaceholders = {
  publication: 'its initials',
  reference: 'the reader’s reference',
  expiry: '12/26, or 99/99 until further notice',
  type: 'P or B',
  zone: 'UK, EU or RW',
  sequence: 'the position in the order by zone and postcode',
  issue: 'the mailing date',
  effort: '-30A: which letter of the renewal series; blank in a mailing file',
} as const
export type KeyLinePlaceholder = keyof typeof keyLinePlaceholders
