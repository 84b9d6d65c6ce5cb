import type { CsvCell } from '../kernel/csv-text.ts'
import { formatDay } from '../kernel/dates.ts'
import { formatMinorUnits } from '../kernel/money.ts'
import { type Journal, type JournalAccount, type JournalLine, journalAccountNames } from './journal.rules.ts'

/** The account codes in the publisher's own books; accounts without a code are missing. */
export type AccountCodes = Partial<Record<JournalAccount, string>>

interface JournalFile {
  /** The part of the file name after the month: `GBP`, or `GBP-2` for the second file of that currency. */
  fileNamePart: string
  hasByteOrderMark: boolean
  rows: CsvCell[][]
}

interface Layout {
  name: string
  /** The export is refused while an account has no code. */
  needsCodes: boolean
  header: readonly string[] | null
  /** The file begins with a UTF-8 byte order mark: spreadsheets need it, but an import into accounting software may fail on it. */
  hasByteOrderMark?: boolean
  /** The maximum number of lines in a file, not counting its header. */
  maxLines: number
  line(journal: Journal, line: JournalLine, code: string): CsvCell[]
}

const amountCell = (amount: number): CsvCell => ({ number: formatMinorUnits(amount) })
const cellIfPositive = (amount: number): CsvCell => (amount > 0 ? amountCell(amount) : '')

/**
 * The layouts a journal can be written in. Xero: manual journals, at most 300 lines per file, debits positive and credits negative. QuickBooks
 * Online: account names, debits and credits. Sage 50: no header, the type says debit or credit (JD, JC), details up to 60 and references up to 30
 * characters.
 */
export const journalLayouts = {
  xero: {
    name: 'Xero',
    needsCodes: true,
    header: [
      '*Narration',
      '*Date',
      'Description',
      '*AccountCode',
      '*TaxRate',
      '*Amount',
      'TrackingName1',
      'TrackingOption1',
      'TrackingName2',
      'TrackingOption2',
    ],
    maxLines: 300,
    line: ({ narration, date }, { description, amount }, code) => [
      narration,
      formatDay(date),
      description,
      code,
      'No VAT',
      amountCell(amount),
      '',
      '',
      '',
      '',
    ],
  },
  quickbooks: {
    name: 'QuickBooks Online',
    needsCodes: true,
    header: ['Journal No.', 'Journal Date', 'Account Name', 'Description', 'Debits', 'Credits', 'Name'],
    maxLines: 300,
    line: ({ number, date, publicationName }, { description, amount }, code) => [
      number,
      formatDay(date),
      code,
      `${publicationName}: ${description}`,
      cellIfPositive(amount),
      cellIfPositive(-amount),
      '',
    ],
  },
  sage: {
    name: 'Sage 50',
    needsCodes: true,
    header: null,
    maxLines: 1000,
    line: ({ number, date, publicationName }, { description, amount }, code) => [
      amount > 0 ? 'JD' : 'JC',
      '',
      code,
      '0',
      formatDay(date),
      number.slice(0, 30),
      `${description}: ${publicationName}`.slice(0, 60),
      amountCell(Math.abs(amount)),
      'T9',
      { number: '0.00' },
    ],
  },
  plain: {
    name: 'Plain CSV',
    hasByteOrderMark: true,
    needsCodes: false,
    header: ['Journal', 'Date', 'Publication', 'Currency', 'Account', 'Code', 'Description', 'Debit', 'Credit'],
    maxLines: Number.POSITIVE_INFINITY,
    line: ({ number, date, publicationName, currency }, { account, description, amount }, code) => [
      number,
      formatDay(date),
      publicationName,
      currency,
      journalAccountNames[account],
      code,
      description,
      cellIfPositive(amount),
      cellIfPositive(-amount),
    ],
  },
} as const satisfies Record<string, Layout>

export type JournalLayout = keyof typeof journalLayouts
export const journalLayoutNames = Object.keys(journalLayouts) as [JournalLayout, ...JournalLayout[]]

/** The accounts that these journals post to and that have no code yet; none if the layout requires no codes. */
export function missingCodes(
  layout: JournalLayout,
  journals: readonly Journal[],
  codes: AccountCodes,
): JournalAccount[] {
  if (!journalLayouts[layout].needsCodes) return []
  const used = new Set(journals.flatMap(({ lines }) => lines.map(({ account }) => account)))
  return [...used].filter((account) => !codes[account]?.trim())
}

/**
 * Journals as files: one currency per file, as only the plain layout has a currency column. A long file is split between journals, never within one.
 */
export function journalFiles(layout: JournalLayout, journals: readonly Journal[], codes: AccountCodes): JournalFile[] {
  const { header, hasByteOrderMark = false, maxLines, line } = journalLayouts[layout] as Layout
  const files: JournalFile[] = []
  for (const currency of new Set(journals.map((journal) => journal.currency))) {
    let lines: CsvCell[][] = []
    let count = 0
    const endFile = () => {
      if (lines.length === 0) return
      count += 1
      const fileNamePart = count === 1 ? currency : `${currency}-${count}`
      files.push({ fileNamePart, hasByteOrderMark, rows: [...(header ? [[...header]] : []), ...lines] })
      lines = []
    }
    for (const journal of journals.filter((candidate) => candidate.currency === currency)) {
      if (lines.length > 0 && lines.length + journal.lines.length > maxLines) endFile()
      for (const entry of journal.lines) lines.push(line(journal, entry, codes[entry.account]?.trim() ?? ''))
    }
    endFile()
  }
  return files
}

export function journalFileName(
  month: string,
  { fileNamePart }: Pick<JournalFile, 'fileNamePart'>,
  layout: JournalLayout,
): string {
  return `Journal_${month}_${fileNamePart}_${layout}.csv`
}
