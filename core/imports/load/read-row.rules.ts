import type { ImportMode } from '#core/imports/import-modes.rules.ts'
import { unguard } from '#core/kernel/formula-guard.rules.ts'
import type { Currency } from '#core/kernel/money.ts'
import { tidyPostCode } from '#core/postcodes/post-code.rules.ts'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { type Amount, CellProblem, type CellRules, type CellValue, cellKinds } from '#core/readers/cell-kinds.rules.ts'
import { deriveReader, type ReaderKeys } from '#core/readers/reader-keys.rules.ts'

/** One good row: its values in the order of `readerColumns` (BuyerId stays empty) and the keys computed from them. */
export interface ReaderFileRow {
  values: readonly CellValue[]
  /** Which of the values stand in the file: the others are what a blank cell means for a new reader. */
  given: readonly boolean[]
  /** Masthead's own number of the reader; null when the file does not name it, or when readers are only added. */
  buyerId: number | null
  keys: ReaderKeys
  currency: Currency
}

/** One bad row's first problem. */
export interface RowProblem {
  column: string
  value: string
  reason: string
}

export interface RowSettings {
  mode: ImportMode
  /** For each column of the file, its place in `readerColumns`, or -1. */
  columns: readonly number[]
  header: readonly string[]
  homeCountry: string
  mainCurrency: Currency
}

function placeOf(field: string): number {
  return readerColumns.findIndex((column) => column.field === field)
}

const at = {
  id: placeOf('id'),
  uniqueReference: placeOf('uniqueReference'),
  firstName: placeOf('firstName'),
  lastName: placeOf('lastName'),
  fullName: placeOf('fullName'),
  email: placeOf('email'),
  companyName: placeOf('companyName'),
  addressOne: placeOf('addressOne'),
  addressTwo: placeOf('addressTwo'),
  addressThree: placeOf('addressThree'),
  addressFour: placeOf('addressFour'),
  city: placeOf('city'),
  postCode: placeOf('postCode'),
  country: placeOf('country'),
  subPaid: placeOf('subPaid'),
}
const kinds = readerColumns.map(({ kind }) => cellKinds[kind])
const isNote = readerColumns.map(({ kind }) => kind === 'note')
const buyerId = at.id

/**
 * Makes the reader of a file's rows: trims, reads every cell by its kind, computes the keys. One plain function per row, since a file has
 * millions. The values array is used again for the next row.
 */
export function makeRowReader({ mode, columns, header, homeCountry, mainCurrency }: RowSettings) {
  const rules: CellRules[] = readerColumns.map(({ max }) => ({ mainCurrency, max }))
  const blanks = readerColumns.map((_, index) => kinds[index]?.parse('', rules[index] as CellRules) as CellValue)
  const values: CellValue[] = [...blanks]
  const width = columns.length
  const given = values.map(() => false)
  const row = {
    values,
    given,
    buyerId: null as number | null,
    keys: undefined as unknown as ReaderKeys,
    currency: mainCurrency,
  }
  const text = (index: number) => values[index] as string

  return function readRow(cells: readonly string[]): ReaderFileRow | RowProblem {
    if (cells.length !== width) return ragged(cells, width)
    for (let index = 0; index < width; index++) {
      const place = columns[index] as number
      const raw = cells[index] as string
      if (place < 0) {
        if (header[index] === '' && raw.trim() !== '')
          return { column: '', value: clip(raw), reason: `stands in column ${index + 1}, which has no name` }
        continue
      }
      if (place === buyerId) {
        if (mode === 'add') continue
        const number = tidyCell(raw, false)
        if (number !== '' && !/^\d{1,15}$/.test(number))
          return { column: 'BuyerId', value: clip(number), reason: 'is not a number' }
        row.buyerId = number === '' ? null : Number(number)
        continue
      }
      if (raw === '') {
        values[place] = blanks[place] as CellValue
        given[place] = false
        continue
      }
      const cell = tidyCell(raw, isNote[place] as boolean)
      if (cell.includes('\0'))
        return { column: readerColumns[place]?.header ?? '', value: '', reason: 'holds a NUL character' }
      const value = (kinds[place] as (typeof kinds)[number]).parse(cell, rules[place] as CellRules)
      if (value instanceof CellProblem)
        return { column: readerColumns[place]?.header ?? '', value: clip(cell), reason: value.reason }
      values[place] = value
      given[place] = cell !== ''
    }
    if (row.buyerId === null && isNobody())
      return { column: '', value: '', reason: 'has no UniqueReference, name, company or email' }
    const country = text(at.country)
    if (values[at.postCode] !== '') values[at.postCode] = tidyPostCode(text(at.postCode), country || homeCountry)
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

  function isNobody(): boolean {
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

export function isRowProblem(result: ReaderFileRow | RowProblem): result is RowProblem {
  return 'reason' in result
}

/** The places of a row's reference and of its BuyerId among its values. */
export const referencePlace = at.uniqueReference
export const buyerIdPlace = at.id

const lineBreaks = /\s*[\r\n\u2028\u2029\v\f]+\s*/g

/** A cell as it is read: trimmed, on one line unless it is a note, without the formula guard. */
export function tidyCell(raw: string, keepsLines: boolean): string {
  const first = raw.charCodeAt(0)
  const last = raw.charCodeAt(raw.length - 1)
  const trimmed = first > 32 && first < 127 && last > 32 && last < 127 ? raw : raw.trim()
  if (trimmed.includes('\n') || trimmed.includes('\r')) {
    return unguard(keepsLines ? trimmed.replaceAll(/\r\n?/g, '\n') : trimmed.replaceAll(lineBreaks, ' '))
  }
  return unguard(trimmed)
}

function ragged(cells: readonly string[], width: number): RowProblem {
  return { column: '', value: '', reason: `has ${cells.length} cells where the header has ${width}` }
}

function clip(value: string): string {
  return value.length > 200 ? `${value.slice(0, 200)}…` : value
}
