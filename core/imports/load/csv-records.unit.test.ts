import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type CsvRecord, csvRecords, RecordReader } from './csv-records.ts'
import { inspectFile } from './inspect-file.ts'

/** The records that the reader finds when the text arrives in chunks of this size. */
function read(text: string, { delimiter = ',', size = text.length || 1 } = {}): CsvRecord[] {
  const reader = new RecordReader(delimiter)
  const records: CsvRecord[] = []
  for (let start = 0; start < text.length; start += size)
    records.push(...reader.read(text.slice(start, start + size), false))
  return [...records, ...reader.read('', true)]
}

it.each([',', ';', '\t'])('finds the records of any file, in chunks of any size (%j)', (delimiter) => {
  const cell = fc.string({ unit: fc.constantFrom('a', 'é', ',', ';', '"', '\n', ' ', '\t'), maxLength: 6 })
  const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 8 })
  fc.assert(
    fc.property(table, fc.constantFrom('\n', '\r\n', '\r'), fc.integer({ min: 1, max: 40 }), (rows, end, size) => {
      const quoted = (text: string) => `"${text.replaceAll('"', '""').replaceAll('\n', end)}"`
      const text = rows.map((row) => row.map(quoted).join(delimiter) + end).join('')
      const records = read(text, { delimiter, size })
      expect(records.map(({ cells }) => cells)).toEqual(rows)
      let line = 1
      for (const [index, row] of rows.entries()) {
        expect(records[index]?.line).toBe(line)
        line += 1 + row.join('').split('\n').length - 1
      }
    }),
  )
})

it('returns no line of any text twice, whatever its chunks, and terminates', () => {
  const mess = fc.string({ unit: fc.constantFrom('a', ',', '"', '\n', '\r', ' ') })
  fc.assert(
    fc.property(mess, fc.integer({ min: 1, max: 20 }), (text, size) => {
      // Chunks can change where a broken quote is closed, so records are not compared; but no line is returned twice.
      const lines = read(text, { size }).map(({ line }) => line)
      expect(lines).toEqual([...new Set(lines)].sort((a, b) => a - b))
    }),
  )
})

it('counts physical lines, even inside cells, with blank lines and mixed line endings', () => {
  expect(read('a,b\r\n"1\n2",c\r\n\r\nd,e\rf,g\nh,i')).toEqual([
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1\n2', 'c'], line: 2 },
    { cells: ['d', 'e'], line: 5 },
    { cells: ['f', 'g'], line: 6 },
    { cells: ['h', 'i'], line: 7 },
  ])
})

it('refuses a file whose quotes never pair instead of parsing it again from each line', () => {
  const text = `a,b\n${'x","z\n'.repeat(200_000)}`
  expect(() => read(text, { size: 64 * 1024 })).toThrow(/^Line 12 opens a quote that is never closed, as do 10 lines/)
})

it.each([1, 7, 100])('loses one line to a quote that is never closed, in chunks of %i', (size) => {
  expect(read('a,b\n1,"open\n2,x\n3,"closed, in order"\n4,y\n5,"open again\n6,z\n', { size })).toEqual([
    { cells: ['a', 'b'], line: 1 },
    { cells: ['1,"open'], line: 2 },
    { cells: ['2', 'x'], line: 3 },
    { cells: ['3', 'closed, in order'], line: 4 },
    { cells: ['4', 'y'], line: 5 },
    { cells: ['5,"open again'], line: 6 },
    { cells: ['6', 'z'], line: 7 },
  ])
})

it('keeps inch marks, trims spaces around quotes, refuses a stray quote', () => {
  expect(read('5" disk,b\n "a" ,"b"\n"a"x,b\nc,d\n').map(({ cells }) => cells)).toEqual([
    ['5" disk', 'b'],
    ['a', 'b'],
    ['"a"x,b'],
    ['c', 'd'],
  ])
})

it('skips a giant record without storing it', () => {
  const giant = 'x'.repeat(2_500_000)
  for (const text of [`a,b\n${giant},1\nc,d\n`, `a,b\n"${giant}",1\nc,d\n`]) {
    const records = read(text, { size: 65_536 })
    expect(records.map(({ line }) => line)).toEqual([1, 2, 3])
    expect(records[1]?.cells[0]).toHaveLength(2000)
    expect(records[2]?.cells).toEqual(['c', 'd'])
  }
})

it('counts the line that names the delimiter', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-records-'))
  const path = join(folder, 'codes.csv')
  writeFileSync(path, 'sep=;\r\nPostCode;Sort\r\nTR19 7AA;1\r\n')
  const records: CsvRecord[] = []
  for await (const batch of csvRecords(await inspectFile(path))) records.push(...batch)
  rmSync(folder, { recursive: true })
  expect(records).toEqual([{ line: 3, cells: ['TR19 7AA', '1'] }])
})
