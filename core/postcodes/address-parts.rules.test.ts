import { describe, expect, it } from 'vitest'
import { addressParts, formatAddress, isCompanyName } from './address-parts.rules.ts'

const emptyParts = { companyName: '', addressOne: '', addressTwo: '', addressThree: '', city: '' }

describe('a looked-up address in its fields', () => {
  it.each([
    ['1 Quay Street, , , Falmouth, Cornwall', { addressOne: '1 Quay Street', city: 'Falmouth' }],
    [
      'Flat 2, Harbour House, Quay Street, Falmouth, Cornwall',
      { addressOne: 'Flat 2', addressTwo: 'Harbour House', addressThree: 'Quay Street', city: 'Falmouth' },
    ],
    [
      'Quayside Press Ltd, 2 Custom House Quay, , Falmouth, ',
      { companyName: 'Quayside Press Ltd', addressOne: '2 Custom House Quay', city: 'Falmouth' },
    ],
    // More lines than the form has room for.
    [
      'Harbour Media LLP, Unit 4, The Old Ropewalk, 12 Ropewalk Lane, Penwerris, Falmouth, Cornwall',
      {
        companyName: 'Harbour Media LLP',
        addressOne: 'Unit 4 The Old Ropewalk',
        addressTwo: '12 Ropewalk Lane',
        addressThree: 'Penwerris',
        city: 'Falmouth',
      },
    ],
    // A company that is the whole address is its first line.
    ['Buyers of Boats Limited, , , London, ', { addressOne: 'Buyers of Boats Limited', city: 'London' }],
    ['1 High Street, Stromness, ', { addressOne: '1 High Street', city: 'Stromness' }],
    ['1 High Street, , , , Orkney', { addressOne: '1 High Street', city: 'Orkney' }],
    ['1 High Street, London', { addressOne: '1 High Street', city: 'London' }],
    ['1 High Street', { addressOne: '1 High Street' }],
    ['', {}],
  ])('%s', (address, parts) => {
    expect(addressParts(address)).toEqual({ ...emptyParts, ...parts })
  })

  it.each([
    ['Quayside Press Ltd', true],
    ['Quayside Press LTD.', true],
    ['Marine Holdings Plc', true],
    ['Limited Editions Limited', true],
    ['Reed & Tide LLP', true],
    ['Unlimited Boats', false],
    ['Plcmore Cottage', false],
    ['12 Altdorf Road', false],
    ['', false],
  ])('%s is a company: %s', (text, isCompany) => {
    expect(isCompanyName(text)).toBe(isCompany)
  })

  it('is unchanged when it is formatted and split again', () => {
    const formatted = formatAddress({ lines: ['Flat 2,', 'Harbour  House'], town: 'Falmouth', county: '' })
    expect(formatted).toBe('Flat 2, Harbour House, , Falmouth, ')
    expect(addressParts(formatted)).toEqual({
      ...emptyParts,
      addressOne: 'Flat 2',
      addressTwo: 'Harbour House',
      city: 'Falmouth',
    })
    expect(formatAddress({ lines: ['1', '2', '3', '4'], town: 'T', county: 'C' })).toBe('1, 2, 3, 4, T, C')
  })
})
