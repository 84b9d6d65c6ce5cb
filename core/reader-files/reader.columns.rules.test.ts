import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normaliseCell } from '#core/imports/load/read-row.rules.ts'
import { countryCodes } from '../kernel/countries.ts'
import { csvCell } from '../kernel/csv-line.rules.ts'
import { guard, unguard } from '../kernel/formula-guard.rules.ts'
import { currencies } from '../kernel/money.ts'
import { CellProblem, type CellValue, cellKinds } from '../readers/cell-kinds.rules.ts'
import { type FieldKind, readerFields } from '../readers/reader-fields.rules.ts'
import { readerColumns, readerFileHeader } from './reader.columns.ts'

const rules = { mainCurrency: 'GBP', max: 60 } as const

const line = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll(/[\r\n\u2028\u2029\v\f\0]/g, '').trim())
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** Any value a column of a kind can hold. */
const valuesOf: Record<FieldKind, fc.Arbitrary<CellValue>> = {
  text: line,
  note: fc.array(line, { maxLength: 3 }).map((lines) => lines.join('\n').trim()),
  email: fc.oneof(fc.constant(''), fc.emailAddress()),
  country: fc.constantFrom('', ...countryCodes),
  flag: fc.boolean(),
  startDay: day,
  endDay: day,
  subType: fc.constantFrom('', 'print', 'digital', 'bundle'),
  money: fc.option(
    fc.record({ amount: fc.integer({ min: 0, max: 99_999_999 }), currency: fc.constantFrom(...currencies) }),
  ),
}

describe('the reader columns', () => {
  it('are in the order of the template', () => {
    expect(readerColumns.map(({ field }) => field)).toEqual(['id', ...readerFields.map(({ name }) => name)])
    expect(readerFileHeader).toMatch(/^BuyerId,UniqueReference,Title,FirstName,.*,CustomQuestionD,CustomQuestionE/)
    expect(new Set(readerColumns.map(({ column }) => column)).size).toBe(readerColumns.length)
  })

  it.each(readerColumns.map((column) => [column.header, column] as const))(
    '%s parses what it printed',
    (_, { kind }) => {
      fc.assert(
        fc.property(valuesOf[kind], (value) => {
          const cell = guard(cellKinds[kind].print(value, rules))
          const parsed = cellKinds[kind].parse(normaliseCell(cell, kind === 'note'), { ...rules, max: 1000 })
          expect(parsed).toEqual(value)
        }),
      )
    },
  )

  it('guards cells that a spreadsheet would run, and removes exactly what it added', () => {
    for (const cell of ['=1', '+1', '-1', '@a', '\tb', '\rc', "'=1", "''@"]) expect(guard(cell)).toBe(`'${cell}`)
    for (const cell of ['', 'a=1', "'tis", "'", "''", '1-1']) expect(guard(cell)).toBe(cell)
    fc.assert(fc.property(fc.string(), (cell) => unguard(guard(cell)) === cell))
    fc.assert(fc.property(fc.string(), (cell) => !/^[=+\-@\t\r]/.test(guard(cell))))
    expect(csvCell('=a,"b"')).toBe(`"'=a,""b"""`)
  })
})

describe('cells', () => {
  it.each([
    ['startDay', '1/2/2026', '2026-02-01'],
    ['startDay', '01/02/26', '2026-02-01'],
    ['startDay', '2026-02-01', '2026-02-01'],
    ['startDay', '29/02/2024', '2024-02-29'],
    ['startDay', '', '1970-01-01'],
    ['endDay', '', '2100-01-01'],
    ['flag', 'Y', true],
    ['flag', 'no', false],
    ['flag', '0', false],
    ['flag', 'tRuE', true],
    ['flag', '', true],
    ['subType', 'Bundle', 'bundle'],
    ['country', 'holland', 'NL'],
    ['money', '10.5', { amount: 1050, currency: 'GBP' }],
    ['money', '€1,234.50', { amount: 123_450, currency: 'EUR' }],
    ['money', '0', { amount: 0, currency: 'GBP' }],
    ['money', '', null],
  ] as const)('%s %s', (kind, cell, value) => {
    expect(cellKinds[kind].parse(cell, rules)).toEqual(value)
  })

  it.each([
    ['startDay', '31/02/2026'],
    ['startDay', '29/02/2026'],
    ['startDay', '00/01/2026'],
    ['startDay', '13/13/2026'],
    ['startDay', 'soon'],
    ['startDay', '1//2//2026'],
    ['flag', 'maybe'],
    ['flag', '__proto__'],
    ['subType', 'paper'],
    ['country', 'Atlantis'],
    ['money', '10.505'],
    ['money', '-1'],
    ['money', '1e3'],
    ['email', 'a b@example.org'],
    ['email', 'a@b@example.org'],
    ['email', 'a@example'],
    ['text', 'x'.repeat(61)],
  ] as const)('%s refuses %s', (kind, cell) => {
    expect(cellKinds[kind].parse(cell, rules)).toBeInstanceOf(CellProblem)
  })
})
