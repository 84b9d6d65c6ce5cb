import { describe, expect, it } from 'vitest'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { mayBeDamaged } from '../../kernel/damaged-text.rules.ts'
import { isRejectedRow, makeRowReader } from './read-row.rules.ts'

describe('a row of a reader file', () => {
  const read = makeRowReader({
    mode: 'add',
    columns: [1, 5, -1],
    header: ['UniqueReference', 'FullName', ''],
    homeCountry: 'GB',
    mainCurrency: 'GBP',
  })

  it.each([
    [['A', 'B'], 'has 2 cells where the header has 3'],
    [['A', 'B', 'c'], 'is in column 3, which has no name'],
    [['UniqueReference', 'FullName ', ''], 'repeats the header'],
    [['', ' ', ''], 'has no UniqueReference, name, company or email'],
  ])('%j is rejected: %s', (cells, reason) => {
    const row = read(cells)
    expect(isRejectedRow(row) && row.problems.map((problem) => problem.reason)).toEqual([reason])
  })

  it('reports all its problems at once, and none of the previous row', () => {
    const columns = ['UniqueReference', 'FullName', 'Email', 'SubExpiry']
    const readAll = makeRowReader({
      mode: 'combine',
      columns: columns.map((header) => readerColumns.findIndex((column) => column.header === header)),
      header: columns,
      homeCountry: 'GB',
      mainCurrency: 'GBP',
    })
    const rejected = readAll(['A', 'Ann Lee', 'nobody', '31/02/2026'])
    expect(isRejectedRow(rejected) && rejected.problems).toEqual([
      { column: 'Email', value: 'nobody', reason: 'is not an email address' },
      { column: 'SubExpiry', value: '31/02/2026', reason: 'is not a day of the calendar; write DD/MM/YYYY' },
    ])
    const accepted = readAll(['B', 'Ann Lee', '', ''])
    expect(isRejectedRow(accepted)).toBe(false)
    const alsoRejected = readAll(['C', 'Ann Lee', 'nobody', ''])
    expect(isRejectedRow(alsoRejected) && alsoRejected.problems.length).toBe(1)
  })

  it('is not compared with the days of the previous row', () => {
    const header = ['UniqueReference', 'SubStart', 'SubExpiry']
    const columns = header.map((name) => readerColumns.findIndex((column) => column.header === name))
    for (const mode of ['add', 'combine'] as const) {
      const readDays = makeRowReader({ mode, columns, header, homeCountry: 'GB', mainCurrency: 'GBP' })
      readDays(['A', '01/01/2030', '01/01/2031'])
      const rejected = readDays(['B', '31/02/2024', '01/01/2025'])
      expect(isRejectedRow(rejected) && rejected.problems.map(({ column }) => column)).toEqual(['SubStart'])
      readDays(['A', '01/01/2010', '01/01/2011'])
      const alsoRejected = readDays(['C', '01/01/2024', '31/02/2025'])
      expect(isRejectedRow(alsoRejected) && alsoRejected.problems.map(({ column }) => column)).toEqual(['SubExpiry'])
    }
  })

  it.each([
    ['SubStart', '01/01/0000', 'is not a day of the calendar; write DD/MM/YYYY'],
    ['SubPaid', '99,999,999,999,999,999,999', 'is not an amount'],
    ['SubPaid', '1,000,000,000', 'is not an amount'],
  ])('with %s %s is rejected: no database can store it', (name, cell, reason) => {
    const header = ['UniqueReference', name]
    const columns = header.map((columnName) => readerColumns.findIndex((column) => column.header === columnName))
    const row = makeRowReader({ mode: 'add', columns, header, homeCountry: 'GB', mainCurrency: 'GBP' })(['A', cell])
    expect(isRejectedRow(row) && row.problems[0]?.reason).toContain(reason)
  })

  it('has a BuyerId that is skipped in a form that can be stored', () => {
    const settings = { header: ['BuyerId', 'UniqueReference'], homeCountry: 'GB', mainCurrency: 'GBP' } as const
    const row = makeRowReader({ mode: 'combine', columns: [0, 1], ...settings })(['B603\0', 'A'])
    expect(!isRejectedRow(row) && row.skippedCells.map(({ value }) => value)).toEqual(['B603\ufffd'])
  })

  it.each(['a\0b', 'a\ud800b'])('is rejected for %j, which contains an invalid character', (name) => {
    const row = read(['A', name, ''], mayBeDamaged(name))
    expect(isRejectedRow(row) && row.problems[0]?.reason).toContain('not a character')
  })

  it('has a postcode and answers in the form in which they are stored', () => {
    const header = ['UniqueReference', 'PostCode', 'CustomQuestionA', 'CustomQuestionB', 'CustomQuestionC']
    const columns = header.map((name) => readerColumns.findIndex((column) => column.header === name))
    const settings = { mode: 'add', columns, header, homeCountry: 'GB', mainCurrency: 'GBP' } as const
    const storedFrom = (cells: string[]) => {
      const row = makeRowReader(settings)(cells)
      return isRejectedRow(row) ? row : columns.map((column) => row.values[column])
    }
    expect(storedFrom(['A', 'sw1a1aa', 'YES', 'no', 'yes'])).toEqual(['A', 'SW1A 1AA', 'Yes', 'No', 'yes'])
    expect(storedFrom(['A', 'x', 'perhaps', '', ''])).toEqual(['A', 'x', 'perhaps', '', ''])
  })

  it('has no cells from the previous row', () => {
    read(['A', 'Ann Lee', ''])
    const row = read(['B', '', ''])
    expect(isRejectedRow(row) ? row : row.values[5]).toBe('')
  })

  it('has a space in place of a control character, and is rejected when that stands for a Windows-1252 character', () => {
    for (const text of [
      'Lee\u0007Kay',
      'Lee\tKay',
      'Lee\u0081Kay',
      'Lee \u0085 Kay',
      'Lee\r\nKay',
      'Lee\u2028Kay\u009d',
    ]) {
      const row = read(['A', text, ''], mayBeDamaged(text))
      expect(!isRejectedRow(row) && row.values[5], JSON.stringify(text)).toBe('Lee Kay')
    }
    const lost = read(['A', 'O\u0092Brien', ''], mayBeDamaged('O\u0092Brien'))
    expect(isRejectedRow(lost) && lost.problems[0]?.reason).toContain('should be “O’Brien”')
  })

  it.each([
    ['Total: 2 records', ''],
    ['Total', '2'],
    ['Grand Total:', '1,204'],
    ['2 records', ''],
    ['(2 rows affected)', ''],
    ['Record count: 2', ''],
    ['*** End of Report ***', ''],
    ['', 'Page 1 of 3'],
  ])('is rejected as a total or the end of a list: %j, %j', (reference, name) => {
    const row = read([reference, name, ''])
    expect(isRejectedRow(row) && row.problems.map(({ reason }) => reason)).toEqual([
      'is a total or the end of a list, not a reader',
    ])
  })

  it.each([
    ['A1', 'Total'],
    ['', 'Total'],
    ['2', 'Ann Page'],
    ['12', '34'],
    ['Totaljobs', ''],
  ])('is a reader: %j, %j', (reference, name) => expect(isRejectedRow(read([reference, name, '']))).toBe(false))

  it('has a reference without characters that nobody sees', () => {
    for (const reference of ['Zoe\u0301-1', '\u200bZoé-1', 'Zo\u00adé-1\ufeff', 'Zoé\u2011-1'.replace('\u2011', '')]) {
      const row = read([reference, 'Ann Lee', ''])
      expect(!isRejectedRow(row) && row.values[1], JSON.stringify(reference)).toBe('Zoé-1')
    }
    const spaced = read(['A\u00a01', 'Ann Lee', ''])
    expect(!isRejectedRow(spaced) && spaced.values[1]).toBe('A 1')
  })

  it('has the text of a formula that only contains a text, as Excel and others protect leading zeros', () => {
    const row = read(['="00123"', '= "Lee"', ''])
    expect(!isRejectedRow(row) && [row.values[1], row.values[5]]).toEqual(['00123', 'Lee'])
    const formula = read(['="1"&"2"', '\'="00123"', ''])
    expect(!isRejectedRow(formula) && [formula.values[1], formula.values[5]]).toEqual(['="1"&"2"', '="00123"'])
  })

  it('may have blank cells behind those of the header', () => {
    const row = read(['A', 'Ann Lee', '', '', ' '])
    expect(!isRejectedRow(row) && row.values[1]).toBe('A')
    const longer = read(['A', 'Ann Lee', '', '', 'x'])
    expect(isRejectedRow(longer) && longer.problems[0]?.reason).toBe('has 5 cells where the header has 3')
  })

  it('has a country that two share: both are named', () => {
    const columns = [1, readerColumns.findIndex(({ header }) => header === 'Country')]
    const settings = { header: ['UniqueReference', 'Country'], homeCountry: 'GB', mainCurrency: 'GBP' } as const
    const reasonOf = (country: string) => {
      const row = makeRowReader({ mode: 'add', columns, ...settings })(['A', country])
      return isRejectedRow(row) && row.problems[0]?.reason
    }
    expect(reasonOf('Congo')).toBe('is two countries; write Congo - Brazzaville (CG) or Congo - Kinshasa (CD)')
    expect(reasonOf('Virgin Islands')).toBe(
      'is two countries; write British Virgin Islands (VG) or U.S. Virgin Islands (VI)',
    )
  })

  it('has a day with a time in a zone rejected: which day it is depends on the place', () => {
    const columns = [1, readerColumns.findIndex(({ header }) => header === 'SubExpiry')]
    const settings = { header: ['UniqueReference', 'SubExpiry'], homeCountry: 'GB', mainCurrency: 'GBP' } as const
    const row = makeRowReader({ mode: 'add', columns, ...settings })(['A', '2026-06-30T23:00:00.000Z'])
    expect(isRejectedRow(row) && row.problems[0]?.reason).toBe(
      'has a time in a time zone, which may be another day here; write DD/MM/YYYY',
    )
  })

  it('has an email in full-width characters converted to ordinary ones', () => {
    const columns = [1, readerColumns.findIndex(({ header }) => header === 'Email')]
    const settings = { header: ['UniqueReference', 'Email'], homeCountry: 'GB', mainCurrency: 'GBP' } as const
    const row = makeRowReader({ mode: 'add', columns, ...settings })(['A', 'ａｎｎ１＠ｅｘａｍｐｌｅ．ｏｒｇ'])
    expect(!isRejectedRow(row) && row.values[columns[1] ?? 0]).toBe('ann1@example.org')
  })
})
