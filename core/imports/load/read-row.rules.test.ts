import { describe, expect, it } from 'vitest'
import { isRowProblem, makeRowReader } from './read-row.rules.ts'

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
