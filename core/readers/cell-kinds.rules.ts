import { countriesCalled, countryCodes, countryName, findCountry } from '../kernel/countries.ts'
import { type Day, dayFromParts, formatDay, hasZonedTime, parseDay } from '../kernel/dates.ts'
import { isEmailAddress, normalEmail } from '../kernel/email.rules.ts'
import { type Currency, currencySymbol, formatMinorUnits, parseMinorUnits } from '../kernel/money.ts'
import { nearest } from '../kernel/text-format.ts'
import type { FieldKind } from './reader-fields.rules.ts'

/** The value of a cell: text, a flag, a day, a country code, or an amount. */
export type CellValue = string | boolean | Amount | null

/** Minor units in a currency; a blank SubPaid cell (a free reader) is null. */
export interface Amount {
  amount: number
  currency: Currency
}

/** Why a cell is rejected, as text that follows the column and the value. */
export class CellProblem {
  readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
}

/** What a cell's meaning depends on besides its text. */
export interface CellRules {
  mainCurrency: Currency
  max: number
}

export interface CellKind {
  /** The value of a cell that is trimmed, on one line, and without its formula guard. */
  parse(text: string, rules: CellRules): CellValue | CellProblem
  print(value: CellValue, rules: Pick<CellRules, 'mainCurrency'>): string
}

const flags = new Map<string, boolean>()
for (const word of ['true', 'TRUE', 'True', 'yes', 'YES', 'Yes', 'y', 'Y', '1', 't', 'T']) flags.set(word, true)
for (const word of ['false', 'FALSE', 'False', 'no', 'NO', 'No', 'n', 'N', '0', 'f', 'F']) flags.set(word, false)

const text: CellKind = {
  parse: (cell, { max }) => (cell.length > max ? tooLong(max) : cell),
  print: (value) => value as string,
}

function tooLong(max: number): CellProblem {
  return new CellProblem(`is longer than ${max} characters`)
}

function dayKind(blank: Day): CellKind {
  return {
    parse(cell) {
      if (cell === '') return blank
      return parseStandardDay(cell) ?? parseDay(cell) ?? notADay(cell)
    },
    print: (value) => formatDay(value as string),
  }
}

/** DD/MM/YYYY parsed by character codes: every row has three of these. */
function parseStandardDay(cell: string): Day | null {
  if (cell.length !== 10 || cell.charCodeAt(2) !== 47 || cell.charCodeAt(5) !== 47) return null
  const date = twoDigits(cell, 0)
  const month = twoDigits(cell, 3)
  const century = twoDigits(cell, 6)
  const decade = twoDigits(cell, 8)
  const year = century * 100 + decade
  // PostgreSQL has no year 0.
  if (date < 1 || month < 1 || month > 12 || century < 0 || decade < 0 || year < 1) return null
  if (date > 28 && dayFromParts(year, month, date) === null) return null
  return `${cell.slice(6)}-${cell.slice(3, 5)}-${cell.slice(0, 2)}`
}

function twoDigits(cell: string, at: number): number {
  const tens = cell.charCodeAt(at) - 48
  const ones = cell.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : -1
}

function notADay(cell: string): CellProblem {
  if (hasZonedTime(cell))
    return new CellProblem('has a time in a time zone, which may be another day here; write DD/MM/YYYY')
  return /^\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}$/.test(cell)
    ? new CellProblem('is not a day of the calendar; write DD/MM/YYYY')
    : new CellProblem('is not a date; write DD/MM/YYYY')
}

const symbolCurrency: Record<string, Currency> = { '£': 'GBP', $: 'USD', '€': 'EUR' }

let countryNames: string[] | undefined
const unknownCountries = new Map<string, string>()

/** Finding the nearest of 250 names is slow, and a file repeats its typing errors: the first few hundred are cached. */
function unknownCountry(cell: string): string {
  const cached = unknownCountries.get(cell)
  if (cached) return cached
  countryNames ??= countryCodes.map((code) => countryName(code))
  const several = countriesCalled(cell).map((code) => `${countryName(code)} (${code})`)
  const suggestion = several.length > 0 ? undefined : nearest(cell, countryNames)
  const reason =
    several.length > 0
      ? `is two countries; write ${several.join(' or ')}`
      : suggestion
        ? `is not a country; did you mean ${suggestion}?`
        : 'is not a country; write its English name or its two-letter code'
  if (unknownCountries.size < 500) unknownCountries.set(cell, reason)
  return reason
}

/** The kinds of cell a reader file has: one parse and one print each, exact inverses. */
export const cellKinds = {
  text,
  /** Free text that keeps its line breaks. */
  note: text,
  email: {
    parse(cell, { max }) {
      if (cell === '') return ''
      if (cell.length > max) return tooLong(max)
      if (isEmailAddress(cell)) return cell
      const email = normalEmail(cell)
      return isEmailAddress(email) ? email : new CellProblem('is not an email address')
    },
    print: (value) => value as string,
  },
  country: {
    parse(cell) {
      if (cell === '') return ''
      const code = findCountry(cell)
      if (code) return code
      return new CellProblem(unknownCountry(cell))
    },
    print: (value) => value as string,
  },
  flag: {
    parse(cell) {
      // No answer is an opt-out.
      if (cell === '') return true
      return flags.get(cell) ?? flags.get(cell.toLowerCase()) ?? new CellProblem('is not TRUE or FALSE')
    },
    print: (value) => (value ? 'TRUE' : 'FALSE'),
  },
  startDay: dayKind('1970-01-01'),
  endDay: dayKind('2100-01-01'),
  subType: {
    parse(cell) {
      if (cell === '' || cell === 'print' || cell === 'digital' || cell === 'bundle') return cell
      const lower = cell.toLowerCase()
      if (lower === 'print' || lower === 'digital' || lower === 'bundle') return lower
      return new CellProblem('is not print, digital or bundle')
    },
    print: (value) => value as string,
  },
  money: {
    parse(cell, { mainCurrency }) {
      if (cell === '') return null
      const amount = parseMinorUnits(cell)
      if (amount === null) return new CellProblem('is not an amount; write it as 10.50')
      return { amount, currency: symbolCurrency[cell.charAt(0)] ?? mainCurrency }
    },
    print(value, { mainCurrency }) {
      if (value === null) return ''
      const { amount, currency } = value as Amount
      return (currency === mainCurrency ? '' : currencySymbol(currency)) + formatMinorUnits(amount)
    },
  },
} as const satisfies Record<FieldKind, CellKind>
