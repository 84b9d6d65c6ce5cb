import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { editDistance } from './edit-distance.ts'

describe('edit distance', () => {
  it.each([
    ['', '', 0],
    ['lee', 'lee', 0],
    ['thompson', 'thomson', 1],
    ['smith', 'simth', 1],
    ['smith', 'smyth', 1],
    ['ab', 'ba', 1],
    ['aab', 'aba', 1],
    ['taylor', 'tailer', 2],
    ['jones', 'smith', 3],
    ['', 'ab', 2],
  ])('%s / %s', (a, b, errors) => {
    expect(editDistance(a, b, 2)).toBe(errors)
  })

  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 9 })

  it('is symmetric, and never less than the number of missing letters', () => {
    fc.assert(
      fc.property(word, word, (a, b) => {
        const errors = editDistance(a, b, 9)
        expect(errors).toBe(editDistance(b, a, 9))
        expect(errors).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
        expect(errors).toBe(tableDistance(a, b))
        expect(errors === 0).toBe(a === b)
      }),
    )
  })
})

/** The textbook algorithm, with the whole table in memory. */
function tableDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  )
  const cellAt = (i: number, j: number) => table[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        cellAt(i - 1, j) + 1,
        cellAt(i, j - 1) + 1,
        cellAt(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, cellAt(i - 2, j - 2) + 1)
      ;(table[i] as number[])[j] = cost
    }
  }
  return cellAt(a.length, b.length)
}
