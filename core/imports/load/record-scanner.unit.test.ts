import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { RecordScanner } from './record-scanner.ts'

/** What the scanner finds when the text arrives in chunks of this size. */
function scan(text: string, { delimiter = ',', size = text.length || 1, width = 0 } = {}) {
  const records: { cells: string[]; line: number }[] = []
  const malformed: { text: string; line: number; reason: string }[] = []
  const scanner = new RecordScanner(delimiter, () => width, {
    record: (cells, line) => void records.push({ cells, line }),
    malformed: (found, line, reason) => void malformed.push({ text: found, line, reason }),
  })
  let rest = ''
  for (let start = 0; start < text.length; start += size) {
    const piece = rest + text.slice(start, start + size)
    rest = piece.slice(scanner.scan(piece, false))
  }
  scanner.scan(rest, true)
  return { records, malformed }
}

const cell = fc.oneof(fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '\n', '\r\n', ' ', ';') }), fc.string())
const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 })
const lineEnd = fc.constantFrom('\n', '\r\n')

function csvText(rows: string[][], end: string): string {
  return rows
    .map((row) =>
      row
        .map((text) => (/[",\r\n]/.test(text) || text.startsWith(' ') ? `"${text.replaceAll('"', '""')}"` : text))
        .join(','),
    )
    .map((row) => row + end)
    .join('')
}

describe('the scanner', () => {
  it('finds what csv-parse finds in any well-formed file, in chunks of any size', () => {
    fc.assert(
      fc.property(table, lineEnd, fc.integer({ min: 1, max: 40 }), (rows, end, size) => {
        const text = csvText(rows, end)
        const expected = parse(text, { relax_column_count: true, record_delimiter: end }) as string[][]
        const { records, malformed } = scan(text, { size })
        expect(records.map(({ cells }) => cells)).toEqual(expected)
        expect(malformed).toEqual([])
      }),
    )
  })

  it('neither loses nor repeats a line of a malformed file, whatever the chunks', () => {
    const mess = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ') })
    fc.assert(
      fc.property(mess, fc.integer({ min: 1, max: 20 }), (text, size) => {
        expect(scan(text, { size })).toEqual(scan(text))
      }),
    )
  })

  it('counts physical lines, even inside cells and with mixed line endings', () => {
    const { records } = scan('a,b\r\n"1\n2",c\r\n\r\nd,e\rf,g\nh,i')
    expect(records).toEqual([
      { cells: ['a', 'b'], line: 1 },
      { cells: ['1\n2', 'c'], line: 2 },
      { cells: ['d', 'e'], line: 5 },
      { cells: ['f', 'g'], line: 6 },
      { cells: ['h', 'i'], line: 7 },
    ])
  })

  it('loses one line to an unclosed quote, wherever the next one is', () => {
    const text = 'a,b\n1,"open\n2,x\n3,"closed, in order"\n4,y\n'
    const { records, malformed } = scan(text, { width: 2 })
    expect(malformed).toEqual([{ text: '1,"open', line: 2, reason: 'has a quote that is never closed' }])
    expect(records.map(({ line }) => line)).toEqual([1, 3, 4, 5])
  })

  it('keeps inch marks, trims spaces around quotes, refuses a stray quote', () => {
    const { records, malformed } = scan('5" disk,b\n "a" ,"b"\n"a"x,b\nc,d\n')
    expect(records.map(({ cells }) => cells)).toEqual([
      ['5" disk', 'b'],
      ['a', 'b'],
      ['c', 'd'],
    ])
    expect(malformed).toMatchObject([{ line: 3 }])
  })

  it('skips a giant record without storing it', () => {
    const giant = 'x'.repeat(2_500_000)
    for (const text of [`a,b\n${giant},1\nc,d\n`, `a,b\n"${giant}",1\nc,d\n`]) {
      const { records, malformed } = scan(text, { size: 65_536 })
      expect(records.map(({ cells }) => cells)).toEqual([
        ['a', 'b'],
        ['c', 'd'],
      ])
      expect(malformed).toHaveLength(1)
      expect(malformed[0]?.text.length).toBeLessThan(3000)
    }
  })

  it('reports a giant cell of many lines once, and continues behind it', () => {
    for (const size of [65_536, 3_000_000]) {
      const text = `a,b,c\n1,x,"${'note\n'.repeat(250_000)}end, of it","d"\n2,y,z\n3,"v\nw",u\n`
      const { records, malformed } = scan(text, { size, width: 3 })
      expect(malformed).toMatchObject([{ line: 2, reason: 'is longer than 1,000,000 characters' }])
      expect(records.slice(1)).toEqual([
        { cells: ['2', 'y', 'z'], line: 250_003 },
        { cells: ['3', 'v\nw', 'u'], line: 250_004 },
      ])
    }
  })

  it('takes up the rows behind a quote that is never closed, also behind a line that is no row', () => {
    const text = `a,b\n1,"open\nno row\n${'2,x\n'.repeat(300_000)}`
    const { records } = scan(text, { size: 65_536, width: 2 })
    expect(records.filter(({ cells }) => cells.length === 2)).toHaveLength(300_001)
  })

  // Each line closes the quote of the line before and opens the next one.
  const chained = `a,b\n${'x","z\n'.repeat(2000)}`

  it.each([
    ['open at the end', chained],
    ['closed by a stray quote', `${chained}x"y,z\n`],
    ['with the wrong number of cells', `${chained}x",z\n`],
  ])('reads each cell once of a chain of quotes that is %s', (_, text) => {
    const searches = vi.spyOn(String.prototype, 'indexOf')
    try {
      expect(scan(text, { width: 2 }).malformed.length).toBeGreaterThan(1900)
      expect(searches.mock.calls.length).toBeLessThan(50_000)
    } finally {
      searches.mockRestore()
    }
  })

  it('drops what cannot be one record as it arrives', () => {
    const text = `a,b\n${'x","z\n'.repeat(250_000)}`
    const scanner = new RecordScanner(',', () => 2, { record() {}, malformed() {} })
    let rest = ''
    let longest = 0
    for (let start = 0; start < text.length; start += 131_072) {
      const piece = rest + text.slice(start, start + 131_072)
      rest = piece.slice(scanner.scan(piece, false))
      longest = Math.max(longest, rest.length)
    }
    expect(longest).toBeLessThanOrEqual(1_000_000)
  })

  it('refuses a record that is too long, however much of it has arrived', () => {
    const text = `a,b\n1,"open\n${'2,x\n'.repeat(300_000)}3,closed"\n`
    const result = scan(text, { width: 2 })
    expect(result.malformed).toMatchObject([{ line: 2 }])
  })
})
