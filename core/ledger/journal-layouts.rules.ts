import type { CsvCell } from '../kernel/csv-text.ts'
import { formatDay } from '../kernel/dates.ts'
import { formatMinorUnits } from '../kernel/money.ts'
import { type Journal, type JournalAccount, type JournalLine, journalAccountNames } from './journal.rules.ts'

/** The codes of accounts in the publisher's own books, as far as the publisher has set them. */
export type AccountCodes = Partial<Record<JournalAccount, string>>

interface JournalFile {
  /** Without the month: `GBP`, or `GBP-2` for a second one. */
  part: string
  hasMark: boolean
  rows: CsvCell[][]
}

interface Layout {
  name: string
  /** Refused where an account has no code. */
  needsCodes: boolean
  head: readonly string[] | null
  /** Begins with the UTF-8 byte order mark, which spreadsheets need and an import into accounting software may fail on. */
  hasMark?: boolean
  /** Maximum lines of a file, without its header. */
  maxLines: number
  line(journal: Journal, line: JournalLine, code: string): CsvCell[]
}

const amountCell = (amount: number): CsvCell => ({ number: formatMinorUnits(amount) })
const side = (amount: number): CsvCell => (amount > 0 ? amountCell(amount) : '')

/**
 * The layouts a journal can be written in. Xero: manual journals, at most 300 lines a file, debits above zero. QuickBooks Online: account names,
 * debits and credits. Sage 50: no header, the side is in the type, details of 60 and references of 30 characters.
 */
export const journalLayouts = {
  xero: {
    name: 'Xero',
    needsCodes: true,
    head: [
      ...['*Narration', '*Date', 'Description', '*AccountCode', '*TaxRate', '*Amount'],
      ...['TrackingName1', 'TrackingOption1', 'TrackingName2', 'TrackingOption2'],
    ],
    maxLines: 300,
    line: ({ narration, date }, { description, amount }, code) => [
      ...[narration, formatDay(date), description, code, 'No VAT', amountCell(amount)],
      ...['', '', '', ''],
    ],
  },
  quickbooks: {
    name: 'QuickBooks Online',
    needsCodes: true,
    head: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits', 'Name'],
    maxLines: 300,
    line: ({ number, date, publicationName }, { description, amount }, code) => [
      ...[number, formatDay(date), code, `${publicationName}: ${description}`, side(amount), side(-amount), ''],
    ],
  },
  sage: {
    name: 'Sage 50',
    needsCodes: true,
    head: null,
    maxLines: 1000,
    line: ({ number, date, publicationName }, { description, amount }, code) => [
      ...[amount > 0 ? 'JD' : 'JC', '', code, '0', formatDay(date), number.slice(0, 30)],
      ...[`${description}: ${publicationName}`.slice(0, 60), amountCell(Math.abs(amount)), 'T9', { number: '0.00' }],
    ],
  },
  plain: {
    name: 'Plain CSV',
    hasMark: true,
    needsCodes: false,
    head: ['Journal', 'Date', 'Publication', 'Currency', 'Account', 'Code', 'Description', 'Debit', 'Credit'],
    maxLines: Number.POSITIVE_INFINITY,
    line: ({ number, date, publicationName, currency }, { account, description, amount }, code) => [
      ...[number, formatDay(date), publicationName, currency, journalAccountNames[account], code, description],
      ...[side(amount), side(-amount)],
    ],
  },
} as const satisfies Record<string, Layout>

export type JournalLayout = keyof typeof journalLayouts
export const journalLayoutNames = Object.keys(journalLayouts) as [JournalLayout, ...JournalLayout[]]

/** The accounts that these journals post to and that have no code yet, where the layout requires codes. */
export function missingCodes(
  layout: JournalLayout,
  journals: readonly Journal[],
  codes: AccountCodes,
): JournalAccount[] {
  if (!journalLayouts[layout].needsCodes) return []
  const used = new Set(journals.flatMap(({ lines }) => lines.map(({ account }) => account)))
  return [...used].filter((account) => !codes[account]?.trim())
}

/** Journals as files: one currency each, because only the plain layout has a column for it; divided between journals, never within. */
export function journalFiles(layout: JournalLayout, journals: readonly Journal[], codes: AccountCodes): JournalFile[] {
  const { head, hasMark = false, maxLines, line } = journalLayouts[layout] as Layout
  const files: JournalFile[] = []
  for (const currency of new Set(journals.map((journal) => journal.currency))) {
    let lines: CsvCell[][] = []
    let count = 0
    const end = () => {
      if (lines.length === 0) return
      count += 1
      const part = count === 1 ? currency : `${currency}-${count}`
      files.push({ part, hasMark, rows: [...(head ? [[...head]] : []), ...lines] })
      lines = []
    }
    for (const journal of journals.filter((one) => one.currency === currency)) {
      if (lines.length > 0 && lines.length + journal.lines.length > maxLines) end()
      for (const one of journal.lines) lines.push(line(journal, one, codes[one.account]?.trim() ?? ''))
    }
    end()
  }
  return files
}

export function journalFileName(month: string, { part }: Pick<JournalFile, 'part'>, layout: JournalLayout): string {
  return `Journal_${month}_${part}_${layout}.csv`
}
