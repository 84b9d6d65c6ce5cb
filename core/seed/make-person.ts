import type { PostalAddress } from '../kernel/postal-address.ts'
import { namesOf, organisations } from './names.ts'
import { countries, forces } from './places.ts'
import type { Random } from './random.ts'

/** A person with a postal address, as a reader record or an order holds it. */
export interface Person extends PostalAddress {
  fullName: string
  email: string
  telephone: string
}

const inwardLetters = 'ABDEFGHJLNPQRSTUWXYZ'
const mailHosts = ['example.com', 'example.net', 'example.org'] as const

/** A person with an address in the form of their country: the given country, or a random one, weighted by its number of readers. */
export function makePerson(random: Random, inCountry?: string): Person {
  const home =
    countries.find(({ code }) => code === inCountry) ??
    random.weighted(countries.map((country) => [country, country.weight] as const))
  const isWoman = random.chance(0.52)
  const names = namesOf(home.code)
  const firstName = random.pick(isWoman ? names.women : names.men)
  const lastName = random.pick(names.last)
  const title = titleFor(random, isWoman)
  const place = random.pick(home.places)
  const number = random.int(1, 148)
  const street = random.pick(home.streets)
  const houseName = home.code === 'GB' && random.chance(0.14) ? random.pick(houseNames) : ''
  const line = home.numberAfterStreet ? `${street} ${number}` : `${number} ${street}`
  return {
    title,
    firstName,
    lastName,
    fullName: `${title} ${firstName} ${lastName}`,
    email: random.chance(0.86) ? emailOf(random, firstName, lastName) : '',
    telephone: random.chance(0.35) ? fill(random, home.dialling) : '',
    companyName: '',
    addressOne: houseName || line,
    addressTwo: houseName ? line : '',
    addressThree: '',
    city: place.city,
    state: place.state ?? '',
    postCode: fill(random, place.postCode),
    country: home.code,
  }
}

/** Turns a person into an organisation at the same address: no person is named. */
export function asOrganisation(random: Random, person: Person): Person {
  const companyName = random.pick(organisations)
  return {
    ...person,
    title: '',
    firstName: '',
    lastName: '',
    fullName: '',
    companyName,
    email: random.chance(0.5) ? officeMail(companyName) : '',
  }
}

/** Serving abroad: the unit instead of a street, and a British Forces postcode. */
export function asForces(random: Random, person: Person): Person {
  const { unit, postCode } = random.pick(forces)
  return {
    ...person,
    title: random.pick(['Cpl', 'Lt', 'Sgt', 'Capt']),
    addressOne: unit,
    addressTwo: '',
    city: 'BFPO',
    state: '',
    postCode,
    country: 'GB',
  }
}

const houseNames = [
  'Rose Cottage',
  'The Old Chapel',
  'Gull Rock',
  'Flat 2',
  'Tide House',
  'The Net Loft',
  'Upper Barn',
  'Wheal Kitty',
]

function titleFor(random: Random, isWoman: boolean): string {
  if (random.chance(0.06)) return random.pick(['Dr', 'Prof', 'Rev'])
  return isWoman
    ? random.weighted([
        ['Mrs', 5],
        ['Ms', 4],
        ['Miss', 2],
      ])
    : 'Mr'
}

function emailOf(random: Random, firstName: string, lastName: string): string {
  const first = plainLetters(firstName)
  const last = plainLetters(lastName)
  const local = random.weighted([
    [`${first}.${last}`, 5],
    [`${first.slice(0, 1)}${last}`, 3],
    [`${first}${last}${random.int(45, 99)}`, 3],
    [`${last}.${first}`, 1],
  ])
  return `${local}${random.chance(0.55) ? random.int(1, 999) : ''}@${random.pick(mailHosts)}`
}

function officeMail(companyName: string): string {
  return `office@${plainLetters(companyName).slice(0, 20)}.example`
}

function plainLetters(text: string): string {
  return text
    .replaceAll('ø', 'o')
    .replaceAll('Ø', 'O')
    .replaceAll('ł', 'l')
    .replaceAll('Ł', 'L')
    .replaceAll('ß', 'ss')
    .replaceAll('æ', 'ae')
    .normalize('NFD')
    .replaceAll(/[^A-Za-z]/g, '')
    .toLowerCase()
}

/** `#` becomes a digit and `@` a letter that postcodes use. */
function fill(random: Random, pattern: string): string {
  return pattern.replaceAll(/[#@]/g, (sign) =>
    sign === '#' ? String(random.int(0, 9)) : random.pick([...inwardLetters]),
  )
}
