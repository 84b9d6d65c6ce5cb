import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addressState } from '../readers/address-state.rules.ts'
import { type FixableAddress, fixedAddress } from './fix-address.rules.ts'

const address = (fields: Partial<FixableAddress>): FixableAddress => ({
  addressOne: '',
  addressTwo: '',
  addressThree: '',
  addressFour: '',
  city: '',
  postCode: '',
  ...fields,
})

const cases: [string, Partial<FixableAddress>, Partial<FixableAddress> | null][] = [
  ['a good address is left alone', { addressOne: '2 Quay', city: 'Fowey', postCode: 'PL23 1AT' }, null],
  [
    'gaps are closed',
    { addressTwo: '2 Quay', addressFour: 'Near the church' },
    { addressOne: '2 Quay', addressTwo: 'Near the church' },
  ],
  [
    'a number joins its street',
    { addressOne: '12a', addressTwo: 'Mill Lane', city: 'Ely' },
    { addressOne: '12a Mill Lane', city: 'Ely' },
  ],
  ['a number with nothing after it is left for a person to look at', { addressOne: '12' }, null],
  [
    'one line is split',
    { addressOne: '14 Mill Street, Fowey, PL23 1AQ', postCode: 'PL23 1AQ' },
    { addressOne: '14 Mill Street', city: 'Fowey', postCode: 'PL23 1AQ' },
  ],
  [
    'a postcode goes to its field',
    { addressOne: '14 Mill Street', addressTwo: 'Fowey pl231aq', city: 'Fowey' },
    { addressOne: '14 Mill Street', city: 'Fowey', postCode: 'PL23 1AQ' },
  ],
  ['another postcode is not lost', { addressOne: '14 Mill Street EX1 1AA', postCode: 'PL23 1AQ' }, null],
  [
    'a repeated town is removed',
    { addressOne: '14 Mill Street', addressTwo: 'FOWEY', city: 'Fowey' },
    { addressOne: '14 Mill Street', city: 'Fowey' },
  ],
  [
    'commas separate lines, and a number between them joins its street',
    { addressOne: 'Flat 2, 14, Mill Street', city: 'Fowey' },
    { addressOne: 'Flat 2', addressTwo: '14 Mill Street', city: 'Fowey' },
  ],
  [
    'a flat and its house stay on one line while other lines are fixed',
    { addressOne: 'Flat 1, Holly House', addressThree: '14 Mill Lane', city: 'Ely CB7 4AA' },
    { addressOne: 'Flat 1, Holly House', addressTwo: '14 Mill Lane', city: 'Ely', postCode: 'CB7 4AA' },
  ],
  [
    'a flat and its house stay on one line without the town and postcode after them',
    { addressOne: 'Flat 1, Holly House, Fowey, PL23 1AQ' },
    { addressOne: 'Flat 1, Holly House', city: 'Fowey', postCode: 'PL23 1AQ' },
  ],
  [
    'a number above a flat and its house is left for a person to look at',
    { addressOne: '14', addressTwo: 'Flat 1, Holly House', city: 'Ely' },
    null,
  ],
  [
    'a postcode at the end of the town goes to its field',
    { addressTwo: '2 Quay', city: 'Fowey PL23 1AT' },
    { addressOne: '2 Quay', city: 'Fowey', postCode: 'PL23 1AT' },
  ],
  [
    'the rest of a line with the town stays',
    { addressOne: '2 Quay', addressTwo: 'Fowey, Cornwall' },
    { addressOne: '2 Quay', addressTwo: 'Fowey', addressThree: 'Cornwall' },
  ],
  [
    'more parts than lines are left unchanged',
    { addressOne: 'Flat b, The Old Mill, Mill Lane, Polruan, Lanteglos', city: 'Fowey' },
    null,
  ],
  ['the address lines are never emptied', { addressOne: 'Fowey', city: 'Fowey', postCode: 'PL23 1AQ' }, null],
  [
    'a postcode and a town alone are left unchanged',
    { addressOne: 'PL23 1AQ', addressTwo: 'Fowey', city: 'Fowey' },
    null,
  ],
  [
    'a street with a number is not a town',
    { addressOne: 'The Mill, 14 Mill Street, PL23 1AQ' },
    { addressOne: 'The Mill', addressTwo: '14 Mill Street', postCode: 'PL23 1AQ' },
  ],
]

describe('fixing an address', () => {
  it.each(cases)('%s', (_, before, after) => {
    expect(fixedAddress(address(before))).toEqual(after && address(after))
  })

  const word = fc.constantFrom(
    'Mill',
    'Lane',
    'Fowey',
    'FOWEY',
    '12',
    '12a',
    'Flat',
    'PL23 1AQ',
    'ex11aa',
    'Zoë’s',
    'St. Ives',
    'Ely',
  )
  const line = fc
    .array(fc.tuple(word, fc.constantFrom(' ', ', ', ',')), { maxLength: 5 })
    .map((parts) => parts.flat().join('').trim())
  const anyAddress = fc.record({
    addressOne: line,
    addressTwo: line,
    addressThree: line,
    addressFour: line,
    city: fc.constantFrom('', 'Fowey', 'Ely', 'Fowey PL23 1AQ'),
    postCode: fc.constantFrom('', 'PL23 1AQ', 'EX1 1AA'),
  })

  /** Every word with its count; postcodes are normalised. */
  function wordsOf(fields: FixableAddress): Map<string, number> {
    const text = Object.values(fields)
      .join(' , ')
      .toLowerCase()
      .replaceAll(/pl23 ?1aq/g, 'pl231aq')
      .replaceAll(/ex1 ?1aa/g, 'ex11aa')
    const counts = new Map<string, number>()
    for (const word of text.split(/[\s,]+/).filter(Boolean)) counts.set(word, (counts.get(word) ?? 0) + 1)
    return counts
  }

  it('loses and invents no word, except a repeated town or postcode, and results in a correct address', () => {
    fc.assert(
      fc.property(anyAddress, (before) => {
        const after = fixedAddress(before)
        if (!after) return
        expect(addressState(after)).toBe('ok')
        const wordsBefore = wordsOf(before)
        const wordsAfter = wordsOf(after)
        expect([...wordsAfter.keys()].sort()).toEqual([...wordsBefore.keys()].sort())
        for (const [word, count] of wordsBefore) {
          const isRepeat =
            word.endsWith('1aq') || word.endsWith('1aa') || after.city.toLowerCase().split(' ').includes(word)
          const countAfter = wordsAfter.get(word) ?? 0
          if (isRepeat) expect(countAfter).toBeLessThanOrEqual(count)
          else expect(countAfter, word).toBe(count)
        }
      }),
      { numRuns: 3000 },
    )
  })

  it('leaves correct addresses unchanged', () => {
    const correctLine = fc.constantFrom('2 Quay', 'Flat 1, Holly House', '14 Mill Street', 'Mill Lane', 'Cornwall')
    const correctAddress = fc.tuple(
      fc.array(correctLine, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('', 'Fowey', 'Ely'),
      fc.constantFrom('', 'PL23 1AQ', 'EX1 1AA'),
    )
    fc.assert(
      fc.property(
        correctAddress,
        ([[addressOne = '', addressTwo = '', addressThree = '', addressFour = ''], city, postCode]) => {
          const correct = { addressOne, addressTwo, addressThree, addressFour, city, postCode }
          expect(addressState(correct)).toBe('ok')
          expect(fixedAddress(correct)).toBeNull()
        },
      ),
    )
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(anyAddress, (before) => {
        const after = fixedAddress(before)
        if (after) expect(fixedAddress(after)).toBeNull()
      }),
      { numRuns: 2000 },
    )
  })
})
