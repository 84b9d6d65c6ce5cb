import type { PostalAddress } from '../kernel/postal-address.ts'
import type { Dice } from './dice.ts'
import { namesOf, organisations } from './names.ts'
import { countries, forces } from './places.ts'

/** A person with a postal address, as a reader record or an order holds it. */
export interface Person extends PostalAddress {
  fullName: string
  email: string
  telephone: string
}

const inwardLetters = 'ABDEFGHJLNPQRSTUWXYZ'
const mailHosts = ['example.com', 'example.net', 'example.org'] as const

/** A person with an address in the form of their country: the given one, or one weighted by its number of readers. */
export function makePerson(dice: Dice, inCountry?: string): Person {
  const home =
    countries.find(({ code }) => code === inCountry) ??
    dice.weighted(countries.map((country) => [country, country.weight] as const))
  const isWoman = dice.chance(0.52)
  const names = namesOf(home.code)
  const firstName = dice.pick(isWoman ? names.women : names.men)
  const lastName = dice.pick(names.last)
  const title = titleFor(dice, isWoman)
  const place = dice.pick(home.places)
  const number = dice.int(1, 148)
  const street = dice.pick(home.streets)
  const houseName = home.code === 'GB' && dice.chance(0.14) ? dice.pick(houseNames) : ''
  const line = home.numberAfterStreet ? `${street} ${number}` : `${number} ${street}`
  return {
    title,
    firstName,
    lastName,
    fullName: `${title} ${firstName} ${lastName}`,
    email: dice.chance(0.86) ? emailOf(dice, firstName, lastName) : '',
    telephone: dice.chance(0.35) ? fill(dice, home.dialling) : '',
    companyName: '',
    addressOne: houseName || line,
    addressTwo: houseName ? line : '',
    addressThree: '',
    city: place.city,
    state: place.state ?? '',
    postCode: fill(dice, place.postCode),
    country: home.code,
  }
}

/** An organisation takes the magazine; no person is named. */
export function asOrganisation(dice: Dice, person: Person): Person {
  const companyName = dice.pick(organisations)
  return {
    ...person,
    title: '',
    firstName: '',
    lastName: '',
    fullName: '',
    companyName,
    email: dice.chance(0.5) ? officeMail(companyName) : '',
  }
}

/** Serving abroad: the unit instead of a street, and a British Forces postcode. */
export function asForces(dice: Dice, person: Person): Person {
  const { unit, postCode } = dice.pick(forces)
  return {
    ...person,
    title: dice.pick(['Cpl', 'Lt', 'Sgt', 'Capt']),
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

function titleFor(dice: Dice, isWoman: boolean): string {
  if (dice.chance(0.06)) return dice.pick(['Dr', 'Prof', 'Rev'])
  return isWoman
    ? dice.weighted([
        ['Mrs', 5],
        ['Ms', 4],
        ['Miss', 2],
      ])
    : 'Mr'
}

function emailOf(dice: Dice, firstName: string, lastName: string): string {
  const first = plainLetters(firstName)
  const last = plainLetters(lastName)
  const local = dice.weighted([
    [`${first}.${last}`, 5],
    [`${first.slice(0, 1)}${last}`, 3],
    [`${first}${last}${dice.int(45, 99)}`, 3],
    [`${last}.${first}`, 1],
  ])
  return `${local}${dice.chance(0.55) ? dice.int(1, 999) : ''}@${dice.pick(mailHosts)}`
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
function fill(dice: Dice, pattern: string): string {
  return pattern.replaceAll(/[#@]/g, (sign) => (sign === '#' ? String(dice.int(0, 9)) : dice.pick([...inwardLetters])))
}
