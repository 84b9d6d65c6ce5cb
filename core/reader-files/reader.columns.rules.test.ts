import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countryCodes } from '../kernel/countries.ts'
import { currencies } from '../kernel/money.ts'
import { type CellKindName, CellProblem, type CellValue, cellKinds } from './cell-kinds.rules.ts'
import { csvCell } from './csv-line.rules.ts'
import { guard, unguard } from './formula-guard.rules.ts'
import { isRowProblem, makeRowReader, tidyCell } from './read-reader-row.rules.ts'
import { mapHeader, readerColumns, readerFileHeader } from './reader.columns.ts'

const rules = { mainCurrency: 'GBP', max: 60 } as const

const line = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map((text) => text.replaceAll(/[\r\n\u2028\u2029\v\f\0]/g, '').trim())
const day = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** Any value a column of a kind can hold. */
const valuesOf: Record<CellKindName, fc.Arbitrary<CellValue>> = {
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
  it('stand in the order of the template', () => {
    expect(readerColumns).toHaveLength(42)
    expect(readerFileHeader).toMatch(/^BuyerId,UniqueReference,Title,FirstName,.*,CustomQuestionD,CustomQuestionE$/)
    expect(new Set(readerColumns.map(({ column }) => column)).size).toBe(42)
  })

  it.each(readerColumns.map((column) => [column.header, column] as const))(
    '%s reads what it printed',
    (_, { kind }) => {
      fc.assert(
        fc.property(valuesOf[kind], (value) => {
          const cell = guard(cellKinds[kind].print(value, rules))
          const again = cellKinds[kind].parse(tidyCell(cell, kind === 'note'), { ...rules, max: 1000 })
          expect(again).toEqual(value)
        }),
      )
    },
  )

  it('guards cells that a spreadsheet would run, and takes off exactly what it put on', () => {
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

describe('headers', () => {
  it('match without regard to case, spaces and underscores', () => {
    expect(mapHeader(['unique reference', 'POST_CODE', 'Rejected Line', ''])).toEqual({
      columns: [1, 15, -1, -1],
      problems: [],
    })
  })

  it('name what is unknown, missing and double at once', () => {
    const { problems } = mapHeader(['Citty', 'City', 'city', 'Shoe size'])
    expect(problems).toEqual([
      'unknown columns "Citty" (did you mean City?), "Shoe size"',
      'the column City stands twice',
      'missing columns: it needs at least one of UniqueReference, FirstName, LastName, FullName and Email',
    ])
  })
})

describe('rows', () => {
  const read = makeRowReader({
    mode: 'add',
    columns: [1, 5, -1],
    header: ['UniqueReference', 'FullName', ''],
    homeCountry: 'GB',
    mainCurrency: 'GBP',
  })

  it.each([
    [['A', 'B'], 'has 2 cells where the header has 3'],
    [['A', 'B', 'c'], 'stands in column 3, which has no name'],
    [['', ' ', ''], 'has no UniqueReference, name, company or email'],
    [['A', 'a\0b', ''], 'holds a NUL character'],
  ])('%j is refused: %s', (cells, reason) => {
    const row = read(cells)
    expect(isRowProblem(row) && row.reason).toBe(reason)
  })

  it('do not keep cells of the row before', () => {
    read(['A', 'Ann Lee', ''])
    const row = read(['B', '', ''])
    expect(isRowProblem(row) ? row : row.values[5]).toBe('')
  })
})
