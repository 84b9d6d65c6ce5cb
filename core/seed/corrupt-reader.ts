import type { Person } from './make-person.ts'
import type { Random } from './random.ts'

/** Names as they are after years of typing: a full name alone, none at all, capitals, and a few that are longer than any label. */
export function corruptName(random: Random, person: Person): Person {
  const error = random.weighted([
    ['none', 930],
    ['noFullName', 18],
    ['fullNameOnly', 18],
    ['surnameOnly', 10],
    ['capitals', 12],
    ['long', 6],
    ['initial', 6],
  ] as const)
  switch (error) {
    case 'noFullName':
      return { ...person, fullName: '' }
    case 'fullNameOnly':
      return { ...person, title: '', firstName: '', lastName: '' }
    case 'surnameOnly':
      return { ...person, firstName: '', fullName: `${person.title} ${person.lastName}` }
    case 'capitals':
      return {
        ...person,
        firstName: person.firstName.toUpperCase(),
        lastName: person.lastName.toUpperCase(),
        fullName: person.fullName.toUpperCase(),
      }
    case 'long': {
      const firstName = `${person.firstName} Wilhelmina Augusta Persephone`
      const lastName = `${person.lastName}-Featherstonehaugh-Marjoribanks`
      return {
        ...person,
        title: 'The Hon. Mrs',
        firstName,
        lastName,
        fullName: `The Hon. Mrs ${firstName} ${lastName}`,
      }
    }
    case 'initial': {
      const initial = `${person.firstName.slice(0, 1)}.`
      return { ...person, firstName: initial, fullName: `${initial} ${person.lastName}` }
    }
    default:
      return person
  }
}

/** Addresses with the postcode missing, mistyped or in another field, everything on one line, gaps, and a house number on its own. */
export function corruptAddress(random: Random, person: Person): Person {
  const error = random.weighted([
    ['none', 905],
    ['noPostCode', 25],
    ['badPostCode', 20],
    ['postCodeInCity', 10],
    ['oneLine', 10],
    ['gap', 12],
    ['loneNumber', 8],
    ['townInLine', 10],
  ] as const)
  const [number = '', ...street] = person.addressOne.split(' ')
  switch (error) {
    case 'noPostCode':
      return { ...person, postCode: '' }
    case 'badPostCode':
      return { ...person, postCode: mistyped(random, person.postCode) }
    case 'postCodeInCity':
      return { ...person, city: `${person.city} ${person.postCode}`, postCode: '' }
    case 'oneLine':
      return {
        ...person,
        addressOne: [person.addressOne, person.addressTwo, person.city, person.postCode].filter(Boolean).join(', '),
        addressTwo: '',
        city: '',
      }
    case 'gap':
      return { ...person, addressTwo: '', addressThree: person.addressTwo || 'Near the church' }
    case 'loneNumber':
      return /^\d+$/.test(number) ? { ...person, addressOne: number, addressTwo: street.join(' ') } : person
    case 'townInLine':
      return { ...person, addressTwo: `${person.city}, ${person.state || 'by the sea'}`, city: '' }
    default:
      return person
  }
}

/** The same reader typed in again with a slip in the surname or the street. */
export function misspelt<Reader extends Person>(random: Random, reader: Reader): Reader {
  if (random.chance(0.3))
    return { ...reader, addressOne: reader.addressOne.replace('Street', 'St.').replace('Road', 'Rd') }
  const { lastName } = reader
  if (lastName.length < 4) return reader
  const index = random.int(1, lastName.length - 2)
  const slip = random.chance(0.5)
    ? lastName.slice(0, index) + lastName.slice(index + 1)
    : lastName.slice(0, index) + lastName.charAt(index + 1) + lastName.charAt(index) + lastName.slice(index + 2)
  return { ...reader, lastName: slip, fullName: reader.fullName.replace(lastName, slip), email: '' }
}

function mistyped(random: Random, postCode: string): string {
  if (postCode.length < 3) return `${postCode}?`
  return random.weighted([
    [postCode.slice(0, -2).trim(), 3],
    [
      postCode
        .replace(/1(?=[^1]*$)/, 'I')
        .replace(/0/, 'O')
        .replace(/[A-Z]$/, '4'),
      2,
    ],
    [`${postCode} ${postCode.slice(0, 2)}`, 1],
  ])
}
