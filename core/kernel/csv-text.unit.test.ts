import fc from 'fast-check'
import { expect, it } from 'vitest'
import { csvLine } from './csv-line.rules.ts'
import { csvText, unguardedCsv } from './csv-text.ts'

it('writes any row byte for byte as the writer of large files does', () => {
  const unit = fc.constantFrom(...'aé =+-@\t\r\n",;\'0', '\u00a0')
  const cell = fc.oneof(fc.string({ unit, maxLength: 8 }), fc.string())
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { maxLength: 6 }), (rows) => {
      expect(csvText(rows)).toBe(rows.map(csvLine).join(''))
    }),
  )
})

it('guards texts and leaves numbers alone', () => {
  expect(csvText([['=1+1', '-5', { number: '-5.00' }, "'=x", 'a, "b"', '']])).toBe(
    `'=1+1,'-5,-5.00,''=x,"a, ""b""",\r\n`,
  )
})

it('quotes a cell with any kind of line ending, even when the cells are already guarded', () => {
  expect(unguardedCsv([['a\nb', "'=c", 'd\re', 12]])).toBe(`"a\nb",'=c,"d\re",12\r\n`)
})
