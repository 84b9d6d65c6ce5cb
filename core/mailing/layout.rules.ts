import type { LayoutColumnKey } from './layout-columns.rules.ts'
import { mailingColumns } from './mailing-file.rules.ts'

export const delimiters = { comma: ',', semicolon: ';', tab: '\t', bar: '|' } as const
export const encodings = ['utf-8-bom', 'utf-8', 'windows-1252'] as const
export const encodingNames: Record<LayoutEncoding, string> = {
  'utf-8-bom': 'UTF-8 with BOM (for Excel)',
  'utf-8': 'UTF-8',
  'windows-1252': 'Windows-1252 (Western European)',
}
export type LayoutEncoding = (typeof encodings)[number]

/** The format in which a mailing house needs its file. */
export interface MailingLayout {
  /** The columns in the order of the file; `header` is a column's name in the first line. */
  columns: { column: LayoutColumnKey; header: string }[]
  delimiter: keyof typeof delimiters
  encoding: LayoutEncoding
  /** Whether the first line contains the names of the columns. */
  namesColumns: boolean
  /** Which cells are quoted. */
  quotes: 'needed' | 'all'
  /** Towns in capitals, which sorting machines read best. */
  isTownUpper: boolean
  /** Whether each zone gets its own file. */
  isSplit: boolean
  /** Placeholders in braces are filled in: `{publication} {reference} {expiry}`. */
  keyLine: string
  /** Cells of names and addresses are cut to this many characters; null: never. */
  maxWidth: number | null
}

export const defaultKeyLine = '{publication} {reference} {expiry}'

/** The name of the standard layout, which is not stored and cannot be changed. */
export const standardName = 'Standard'

/** The default layout: the columns that most mailing houses accept. */
export const standardLayout: MailingLayout = {
  columns: mailingColumns.map((column) => ({ column, header: column })),
  delimiter: 'comma',
  encoding: 'utf-8-bom',
  namesColumns: true,
  quotes: 'needed',
  isTownUpper: false,
  isSplit: false,
  keyLine: defaultKeyLine,
  maxWidth: null,
}
