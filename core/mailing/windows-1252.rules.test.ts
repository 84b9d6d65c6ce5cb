import fc from 'fast-check'
import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { toWindows1252, withWindows1252 } from './windows-1252.rules.ts'

function encoded(text: string) {
  const losses = { replaced: 0, lost: 0 }
  return { text: iconv.decode(toWindows1252(withWindows1252(text, losses)), 'win1252'), ...losses }
}

describe('Windows-1252', () => {
  it('keeps every character it has', () => {
    const all = iconv.decode(Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)), 'win1252')
    // Five bytes are unassigned.
    const assigned = all.replaceAll(/[\u0080-\u009f\ufffd]/g, '')
    expect(assigned).toHaveLength(251)
    expect(encoded(assigned)).toEqual({ text: assigned, replaced: 0, lost: 0 })
  })

  it.each([
    ['Łódź', 'Lódz', 2],
    ['Mikołaj Żółw', 'Mikolaj Zólw', 3],
    ['Đorđe Čapek', 'Dorde Capek', 3],
    ['Ştefan Ğül', 'Stefan Gül', 2],
    ['Щукин Юрий', 'Shchukin Yuriy', 9],
    ['Ωμέγα', 'Omega', 5],
    ['Dvořák’s “house”', 'Dvorák’s “house”', 1],
    ['ﬁne', 'fine', 1],
    ['e\u0301cole', 'école', 0],
    ['Nguyễn', 'Nguyen', 1],
    ['zero\u200bwidth', 'zerowidth', 0],
  ])('spells %s as %s', (text, spelt, replaced) => {
    expect(encoded(text)).toEqual({ text: spelt, replaced, lost: 0 })
  })

  it('counts characters without a substitute', () => {
    expect(encoded('東京 Tower 😀')).toEqual({ text: '?? Tower ?', replaced: 0, lost: 3 })
  })

  it('writes a question mark only for characters it counts', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const countMarks = (value: string) => value.split('?').length - 1
        const { text: written, lost } = encoded(text)
        // A full-width character may be a question mark itself.
        expect(countMarks(written) - countMarks(text.normalize('NFKD').replaceAll(/\p{M}/gu, ''))).toBeLessThanOrEqual(
          lost,
        )
      }),
    )
  })
})
