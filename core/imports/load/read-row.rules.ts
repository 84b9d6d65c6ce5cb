import type { ImportMode } from '#core/imports/import-modes.rules.ts'
import { unguard } from '#core/kernel/formula-guard.rules.ts'
import type { Currency } from '#core/kernel/money.ts'
import { hasControls, oneLine } from '#core/kernel/one-line.rules.ts'
import { storableText } from '#core/kernel/storable-text.ts'
import { normalisePostCode } from '#core/postcodes/post-code.rules.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { type Amount, CellProblem, type CellRules, type CellValue, cellKinds } from '#core/readers/cell-kinds.rules.ts'
import { yesOrNo } from '#core/readers/normalise-answers.rules.ts'
import { deriveReader, type ReaderKeys } from '#core/readers/reader-keys.rules.ts'
import { normaliseReference } from '#core/readers/unique-reference.rules.ts'
import { damageOf } from '../../kernel/damaged-text.rules.ts'
import { shortened } from '../../kernel/text-format.ts'
import { endsBeforeStart } from '../../terms/term.rules.ts'

/** One valid row: its values in the order of `readerColumns` (BuyerId stays empty) and the keys computed from them. */
export interface ReaderFileRow {
  values: readonly CellValue[]
  /** Which of the values come from the file: the others are what a blank cell means for a new reader. */
  isFilled: readonly boolean[]
  /** Masthead's own number of the reader; null when the file does not name it, or when readers are only added. */
  buyerId: number | null
  keys: ReaderKeys
  currency: Currency
  /** Cells that were skipped although the row was imported. */
  skippedCells: readonly RowProblem[]
}

/** A problem of a row; `column` is empty if it does not concern a single cell. */
export interface RowProblem {
  column: string
  value: string
  reason: string
}

/** A rejected row: all of its problems, so that all can be corrected together; cells that could be skipped come first. Never empty. */
interface RejectedRow {
  problems: readonly RowProblem[]
}

export interface RowSettings {
  mode: ImportMode
  /** For each column of the file, its index in `readerColumns`, or -1. */
  columns: readonly number[]
  header: readonly string[]
  homeCountry: string
  mainCurrency: Currency
  /** A row whose only problem is its email or telephone is imported without it. */
  lenient?: boolean | undefined
}

function indexOfField(field: string): number {
  return readerColumns.findIndex((column) => column.field === field)
}

const at = {
  id: indexOfField('id'),
  uniqueReference: indexOfField('uniqueReference'),
  firstName: indexOfField('firstName'),
  lastName: indexOfField('lastName'),
  fullName: indexOfField('fullName'),
  email: indexOfField('email'),
  companyName: indexOfField('companyName'),
  addressOne: indexOfField('addressOne'),
  addressTwo: indexOfField('addressTwo'),
  addressThree: indexOfField('addressThree'),
  addressFour: indexOfField('addressFour'),
  city: indexOfField('city'),
  postCode: indexOfField('postCode'),
  country: indexOfField('country'),
  subPaid: indexOfField('subPaid'),
  telephone: indexOfField('telephone'),
  subStartOn: indexOfField('subStartOn'),
  subEndOn: indexOfField('subEndOn'),
  answerA: indexOfField('answerA'),
  answerB: indexOfField('answerB'),
}
const kinds = readerColumns.map(({ kind }) => cellKinds[kind])
const isNote = readerColumns.map(({ kind }) => kind === 'note')
const buyerId = at.id

/**
 * Returns a function that reads a row of the file: it trims and parses every cell by its kind and computes the keys. The returned object and its values
 * are reused for the next row, since a file may have millions.
 */
export function makeRowReader({ mode, columns, header, homeCountry, mainCurrency, lenient }: RowSettings) {
  const rules: CellRules[] = readerColumns.map(({ max }) => ({ mainCurrency, max }))
  const blanks = readerColumns.map((_, index) => kinds[index]?.parse('', rules[index] as CellRules) as CellValue)
  const values: CellValue[] = [...blanks]
  const width = columns.length
  const isFilled = values.map(() => false)
  const row = {
    values,
    isFilled,
    buyerId: null as number | null,
    keys: undefined as unknown as ReaderKeys,
    currency: mainCurrency,
    skippedCells: noProblems as readonly RowProblem[],
  }
  const text = (index: number) => values[index] as string
  let problems: RowProblem[] = []
  const refuse = (column: string, value: string, reason: string) => {
    problems.push({ column, value: shortened(value, maxShown), reason })
  }

  const setBlank = (place: number) => {
    values[place] = blanks[place] as CellValue
    isFilled[place] = false
  }

  const refuseCell = (place: number, value: string, reason: string) => {
    setBlank(place)
    refuse(readerColumns[place]?.header ?? '', value, reason)
  }

  /** Treats a cell as blank. */
  const skipCell = (place: number, value: string, reason: string) => {
    setBlank(place)
    row.skippedCells = [
      ...row.skippedCells,
      { column: readerColumns[place]?.header ?? '', value: shortened(value, maxShown), reason },
    ]
  }

  /** Files that were joined, and lists made for print, repeat their header. */
  const repeatsHeader = (cells: readonly string[]) => cells.every((cell, index) => cell.trim() === header[index])

  /** `isDamaged`: its text contains replacement characters for invalid bytes, or signs of a wrong encoding. */
  return function readRow(cells: readonly string[], isDamaged = false): ReaderFileRow | RejectedRow {
    if (cells.length !== width && !hasOnlyBlanksBehind(cells, width))
      return { problems: [wrongCellCount(cells, width)] }
    if (repeatsHeader(cells)) return { problems: [{ column: '', value: '', reason: 'repeats the header' }] }
    if (problems.length > 0) problems = []
    if (row.skippedCells.length > 0) row.skippedCells = noProblems
    let filled = 0
    for (let index = 0; index < width; index++) {
      if (cells[index] !== '') filled++
      const place = columns[index] as number
      const raw = cells[index] as string
      if (place < 0) {
        if (header[index] === '' && raw.trim() !== '') refuse('', raw, `is in column ${index + 1}, which has no name`)
        continue
      }
      if (place === buyerId) {
        if (mode === 'add') continue
        const number = normaliseCell(storableText(raw), false)
        const isOurs = /^\d{1,15}$/.test(number)
        if (number !== '' && !isOurs) skipCell(buyerId, number, notAReaderNumber)
        row.buyerId = isOurs ? Number(number) : null
        continue
      }
      if (raw === '') {
        setBlank(place)
        continue
      }
      const storable = storableText(raw)
      const text = normaliseCell(storable, isNote[place] as boolean)
      const cell = place === at.uniqueReference ? normaliseReference(text) : text
      const damage = isDamaged ? damageOf(storable.trim()) : null
      if (damage !== null) {
        refuseCell(place, cell, damage)
        continue
      }
      const value = (kinds[place] as (typeof kinds)[number]).parse(cell, rules[place] as CellRules)
      if (value instanceof CellProblem) {
        if (lenient && (place === at.email || place === at.telephone)) skipCell(place, cell, value.reason)
        else refuseCell(place, cell, value.reason)
        continue
      }
      values[place] = value
      isFilled[place] = cell !== ''
    }
    if (filled <= 2 && isListEnd(cells)) return { problems: [{ column: '', value: '', reason: listEnd }] }
    const startOn = values[at.subStartOn] as string
    const endOn = values[at.subEndOn] as string
    // Combining keeps the stored value of a blank cell: the comparison checks that.
    const hasWholeTerm = mode !== 'combine' || (isFilled[at.subStartOn] && isFilled[at.subEndOn])
    if (hasWholeTerm && endsBeforeStart({ startOn, endOn })) refuseTerm(cells)
    if (problems.length > 0) return rejectedRow()
    if (row.buyerId === null && hasNoIdentity()) {
      refuse('', '', 'has no UniqueReference, name, company or email')
      return rejectedRow()
    }
    const country = text(at.country)
    if (values[at.postCode] !== '') values[at.postCode] = normalisePostCode(text(at.postCode), country || homeCountry)
    if (isFilled[at.answerA]) values[at.answerA] = yesOrNo(text(at.answerA))
    if (isFilled[at.answerB]) values[at.answerB] = yesOrNo(text(at.answerB))
    row.keys = deriveReader(
      {
        firstName: text(at.firstName),
        lastName: text(at.lastName),
        fullName: text(at.fullName),
        email: text(at.email),
        companyName: text(at.companyName),
        addressOne: text(at.addressOne),
        addressTwo: text(at.addressTwo),
        addressThree: text(at.addressThree),
        addressFour: text(at.addressFour),
        city: text(at.city),
        postCode: text(at.postCode),
        country,
      },
      homeCountry,
    )
    row.currency = (values[at.subPaid] as Amount | null)?.currency ?? mainCurrency
    return row
  }

  /** Reports the cell that is filled: the other one may be blank, or have no column. */
  function refuseTerm(cells: readonly string[]): void {
    const cellOf = (place: number) => (cells[columns.indexOf(place)] as string).trim()
    if (!isFilled[at.subEndOn]) refuse('SubStart', cellOf(at.subStartOn), startsLate)
    else refuse('SubExpiry', cellOf(at.subEndOn), isFilled[at.subStartOn] ? endsEarly : endsTooEarly)
  }

  /** Cells that could have been skipped are reported as well, so that all problems can be corrected together. */
  function rejectedRow(): RejectedRow {
    return { problems: [...row.skippedCells, ...problems] }
  }

  function hasNoIdentity(): boolean {
    return (
      values[at.uniqueReference] === '' &&
      values[at.lastName] === '' &&
      values[at.fullName] === '' &&
      values[at.email] === '' &&
      values[at.firstName] === '' &&
      values[at.companyName] === ''
    )
  }
}

export function isRejectedRow(result: ReaderFileRow | RejectedRow): result is RejectedRow {
  return 'problems' in result
}

/** "Total: 2 records", "(2 rows affected)", "Page 1 of 3": what old systems write below a list. */
function isListEnd(cells: readonly string[]): boolean {
  const [text = '', ...others] = cells.map((cell) => cell.trim()).filter((cell) => cell !== '')
  if (others.length === 0) return wholeListEnd.test(text)
  return totalLabel.test(text) && others.every((other) => /^[\d.,\s]+$/.test(other))
}

const things = '(?:records?|rows?|readers|subscribers|contacts|members|customers|entries|items|copies|labels)'
const totalLabel = new RegExp(
  `^(?:(?:grand |sub-?)?totals?(?: (?:number of )?${things})?|(?:number of ${things}|${things} count|count))\\s*[:=]?$`,
  'i',
)
const wholeListEnd = new RegExp(
  `^(?:(?:(?:grand |sub-?)?totals?(?: (?:number of )?${things})?|number of ${things}|${things} count|count)\\s*[:=]?\\s*[\\d.,]+(?:\\s+${things})?|` +
    `\\(?[\\d.,]+ ${things}(?: (?:selected|affected|exported|printed|found|in set|in total))?\\.?\\)?|` +
    `[*-]*\\s*end of (?:report|file|list|export|data)\\s*[*-]*|page \\d+(?: of \\d+)?)$`,
  'i',
)

const noProblems: readonly RowProblem[] = []
const listEnd = 'is a total or the end of a list, not a reader'
export const endsEarly = 'is before SubStart'
export const endsTooEarly = 'is before 01/01/1970, which stands for a blank SubStart'
export const startsLate = 'is after 01/01/2100, which stands for a blank SubExpiry'
/** The cell may contain the number of another system. */
const notAReaderNumber = 'is not a reader number of Masthead'

/** The indexes of a row's reference and of its BuyerId among its values. */
export const referenceIndex = at.uniqueReference
export const buyerIdIndex = at.id

/** A cell as it is read: trimmed, on one line unless it is a note, without the formula guard. */
export function normaliseCell(raw: string, keepsLines: boolean): string {
  const first = raw.charCodeAt(0)
  const last = raw.charCodeAt(raw.length - 1)
  const cell = first > 32 && first < 127 && last > 32 && last < 127 ? raw : raw.trim()
  const trimmed = first === 61 ? textOfFormula(cell) : cell
  if (!hasControls(trimmed)) return unguard(trimmed)
  return unguard(keepsLines ? trimmed.replaceAll(/\r\n?/g, '\n') : oneLine(trimmed).trim())
}

/** `="00123"`: Excel and others protect leading zeros in this way. */
function textOfFormula(cell: string): string {
  return /^= ?"([^"]*)"$/.exec(cell)?.[1]?.trim() ?? cell
}

/** Old systems end each line with a delimiter. */
function hasOnlyBlanksBehind(cells: readonly string[], width: number): boolean {
  return cells.length > width && cells.slice(width).every((cell) => cell.trim() === '')
}

/** The characters of an invalid cell that are shown in the report. */
const maxShown = 200

function wrongCellCount(cells: readonly string[], width: number): RowProblem {
  return { column: '', value: '', reason: `has ${cells.length} cells where the header has ${width}` }
}
