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

  it('has an email in full-width characters converted to ordinary ones', () => {
    const columns = [1, readerColumns.findIndex(({ header }) => header === 'Email')]
    const settings = { header: ['UniqueReference', 'Email'], homeCountry: 'GB', mainCurrency: 'GBP' } as const
    const row = makeRowReader({ mode: 'add', columns, ...settings })(['A', 'ａｎｎ１＠ｅｘａｍｐｌｅ．ｏｒｇ'])
    expect(!isRejectedRow(row) && row.values[columns[1] ?? 0]).toBe('ann1@example.org')
  })
})
