import type { LikelySource } from '#core/likely/likely-record.rules.ts'
import {
  companyNames,
  companyTrades,
  departments,
  mailHosts,
  menNames,
  streetKinds,
  streetNames,
  surnames,
  towns,
  villages,
  womenNames,
} from './people-lists.ts'
import type { SeededRandom } from './seeded-random.ts'

const endings = [
  'ton',
  'ley',
  'by',
  'ham',
  'worth',
  'well',
  'field',
  'man',
  'son',
  'er',
  'ard',
  'ski',
  'ova',
  'ini',
  'ez',
  'sen',
]
const beginnings =
  'Al Bar Ben Bor Bran Cal Car Cor Dal Den Dor El Fal Fen Gar Gil Har Hol Ker Kil Lam Lin Mal Mar Nor Pen Ral Ros Sal Stan Tal Tor Ul Ven Wal Wes Yar Zel'.split(
    ' ',
  )

/** Three quarters of all people have a listed surname; the others' are made up, the long tail. */
function surname(rolls: SeededRandom): string {
  const { chance, common, pick } = rolls
  if (chance(0.75)) return chance(0.03) ? `${common(surnames)}-${common(surnames)}` : common(surnames)
  return pick(beginnings) + (chance(0.4) ? pick(['a', 'i', 'o', 'en', 'ing', 'ber']) : '') + pick(endings)
}

function firstName(rolls: SeededRandom, isMan: boolean): string {
  return rolls.common(isMan ? menNames : womenNames)
}

interface Home {
  addressOne: string
  addressTwo: string
  addressThree: string
  city: string
  postCode: string
}

/** Each street has its own postcode, shared by its houses. */
export function home(rolls: SeededRandom): Home {
  const { roll, pick, chance, common } = rolls
  if (chance(0.15)) return homeAbroad(rolls)
  const [, town = '', area = ''] = /^(.*) ([A-Z]+)$/.exec(common(towns)) ?? []
  const name = chance(0.7) ? common(streetNames) : `${pick(beginnings)}${pick(endings)}`
  const kind = pick(streetKinds)
  // A street's postcode is derived from its name, so that neighbours have the same one.
  let hash = 0
  for (const letter of town + name + kind) hash = (hash * 31 + letter.charCodeAt(0)) % 1_000_003
  const units = 'ABDEFGHJLNPQRSTUWXYZ'
  const postCode = `${area}${1 + (hash % 18)} ${(hash >> 3) % 10}${units[hash % 20]}${units[(hash >> 5) % 20]}`
  const street = `${name} ${kind}`
  const number = 1 + Math.floor(roll(160) * ((1 + roll(10)) / 10))
  const house = `${pick(['Rose', 'Ivy', 'Mill', 'Hill', 'Orchard', 'Old', 'Church', 'Beech'])} ${pick(['Cottage', 'House', 'Farm', 'Barn', 'Lodge'])}`
  const first = chance(0.08) ? house : chance(0.1) ? `Flat ${1 + roll(12)}, ${number} ${street}` : `${number} ${street}`
  const second = first === house ? street : chance(0.2) ? pick(villages) : ''
  return { addressOne: first, addressTwo: second, addressThree: '', city: town, postCode }
}

/** In other countries a whole suburb has one postcode of four or five digits. */
function homeAbroad({ roll, pick, common, chance }: SeededRandom): Home {
  const suburb = roll(220)
  const city = `${beginnings[suburb % beginnings.length]}${pick(['', ' '])}${endings[suburb % endings.length]}`.replace(
    / (.)/,
    (_, letter) => ` ${letter.toUpperCase()}`,
  )
  const street = `${chance(0.5) ? common(streetNames) : common(surnames)} ${pick(streetKinds)}`
  const unit = chance(0.15) ? pick(['Unit', 'Apt']) : ''
  return {
    addressOne: `${1 + roll(300)} ${street}`,
    addressTwo: unit ? `${unit} ${1 + roll(20)}` : chance(0.3) ? `${pick(beginnings)}${pick(endings)}` : '',
    addressThree: '',
    city,
    postCode: String(suburb % 2 === 0 ? 1000 + suburb * 37 : 10_000 + suburb * 411),
  }
}

export function telephone({ roll, chance }: SeededRandom): string {
  return chance(0.5)
    ? `07${100 + roll(899)} ${100_000 + roll(899_999)}`
    : `01${200 + roll(700)} ${100_000 + roll(899_999)}`
}

/** A mailbox has one owner: the number keeps people with the same name apart. */
export function mailOf(first: string, last: string, { roll, pick }: SeededRandom): string {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replaceAll(/[^a-zA-Z]/g, '')
      .toLowerCase()
  const given = plain(first)
  const family = plain(last)
  const mailbox = pick([
    `${given}.${family}`,
    `${given}${family}`,
    `${given[0]}.${family}`,
    `${family}${given[0]}`,
    given,
    `${given}.${family}`,
  ])
  return `${mailbox}${roll(100_000)}@${pick(mailHosts)}`
}

/** A person at home. `isBare`: with name and address only. */
export function person(rolls: SeededRandom, isBare: boolean): LikelySource {
  const isMan = rolls.chance(0.5)
  return inhabitant(rolls, { isMan, last: surname(rolls), home: home(rolls), isBare })
}

function inhabitant(
  rolls: SeededRandom,
  { isMan, last, home, isBare, first }: { isMan: boolean; last: string; home: Home; isBare: boolean; first?: string },
): LikelySource {
  const { chance, pick } = rolls
  const title = chance(0.06) ? pick(['Dr', 'Prof', 'Rev']) : isMan ? 'Mr' : pick(['Mrs', 'Mrs', 'Ms', 'Miss'])
  const name = first ?? firstName(rolls, isMan)
  const middle = chance(0.12) ? ` ${firstName(rolls, isMan)[0]}` : ''
  const writtenTitle = isBare || chance(0.15) ? '' : title
  return {
    id: 0,
    title: writtenTitle,
    firstName: name + middle,
    lastName: last,
    fullName: chance(0.5) ? [writtenTitle, name + middle, last].filter(Boolean).join(' ') : '',
    email: isBare || chance(0.3) ? '' : mailOf(name, last, rolls),
    companyName: !isBare && chance(0.06) ? company(rolls) : '',
    ...home,
    addressFour: '',
    telephone: isBare || chance(0.4) ? '' : telephone(rolls),
  }
}

/** People who share an address, and sometimes a telephone, but no name. */
export function flatSharers(rolls: SeededRandom, isBare: boolean): LikelySource[] {
  const shared = home(rolls)
  const sharers = Array.from({ length: 2 + rolls.roll(2) }, () =>
    inhabitant(rolls, { isMan: rolls.chance(0.5), last: surname(rolls), home: shared, isBare }),
  )
  if (rolls.chance(0.4)) for (const sharer of sharers) sharer.telephone &&= sharers[0]?.telephone ?? ''
  return sharers
}

/** Another person with the same name, mostly in the same town: common names make strangers look similar. */
export function namesake(reader: LikelySource, rolls: SeededRandom): LikelySource {
  const other = person(rolls, reader.email === '' && reader.telephone === '')
  Object.assign(other, { firstName: reader.firstName, lastName: reader.lastName, title: reader.title, fullName: '' })
  if (rolls.chance(0.7))
    Object.assign(other, {
      city: reader.city,
      postCode: `${reader.postCode.split(' ')[0]}${reader.postCode.includes(' ') ? ` ${other.postCode.slice(-3)}` : ''}`,
    })
  if (rolls.chance(0.2)) other.addressOne = other.addressOne.replace(/\d+/, /\d+/.exec(reader.addressOne)?.[0] ?? '1')
  return other
}

/** Different people with one surname at one address, who may share telephone and email. */
export function family(rolls: SeededRandom, isBare: boolean): LikelySource[] {
  const { chance, roll } = rolls
  const shared = { last: surname(rolls), home: home(rolls), isBare }
  const father = inhabitant(rolls, { ...shared, isMan: true })
  const mother = inhabitant(rolls, { ...shared, isMan: false })
  const members = [father, mother]
  for (let child = roll(3); child > 0; child--) members.push(inhabitant(rolls, { ...shared, isMan: chance(0.5) }))
  if (chance(0.08) && !isBare) {
    // Father and son with the same name.
    const son = inhabitant(rolls, { ...shared, isMan: true, first: father.firstName })
    Object.assign(son, { lastName: `${son.lastName} Jr`, fullName: '', telephone: '' })
    members.push(son)
  }
  const names = new Set<string>()
  const distinct = members.filter(({ firstName, lastName }) => {
    const name = `${firstName.split(' ')[0]} ${lastName}`
    return !names.has(name) && names.add(name)
  })
  if (chance(0.4)) for (const member of distinct) member.telephone &&= father.telephone
  if (chance(0.15)) for (const member of distinct) member.email &&= father.email || member.email
  if (chance(0.1) && !isBare) {
    for (const member of distinct) member.firstName = member.firstName[0] as string
    for (const member of distinct) member.fullName = ''
    // Two equal initials at one address cannot be distinguished.
    return distinct.filter(
      (member, index) => distinct.findIndex(({ firstName }) => firstName === member.firstName) === index,
    )
  }
  return distinct
}

const similar = [
  ['Jane', 'Jean'], ['Eric', 'Erica'], ['Paul', 'Paula'], ['Carl', 'Carla'], ['Ellen', 'Helen'], ['Mary', 'Maria'], ['Joan', 'Jean'],
  ['Tom', 'Tim'], ['Don', 'Ron'], ['Anna', 'Hannah'], ['Daniel', 'Danielle'], ['Michael', 'Michelle'], ['Christopher', 'Christine'],
  ['Martin', 'Marion'], ['Alan', 'Alana'], ['Peter', 'Petra'], ['Stephen', 'Stephanie'], ['Dean', 'Sean'], ['Harry', 'Barry'], ['Kevin', 'Kelvin'],
] as const // biome-ignore format: a table

/** Twins: one surname, one address, one telephone, similar first names. */
export function twinsAt(rolls: SeededRandom): LikelySource[] {
  const [firstName, similarName] = rolls.pick(similar)
  const shared = { last: surname(rolls), home: home(rolls), isBare: false }
  const first = inhabitant(rolls, { ...shared, isMan: rolls.chance(0.5), first: firstName })
  const second = inhabitant(rolls, { ...shared, isMan: rolls.chance(0.5), first: similarName })
  for (const twin of [first, second]) Object.assign(twin, { title: '', fullName: '', companyName: '' })
  second.telephone &&= first.telephone
  return [first, second]
}

export function company({ pick, chance }: SeededRandom): string {
  return `${pick(companyNames)} ${chance(0.3) ? `${pick(companyNames)} ` : ''}${pick(companyTrades)}${pick(['', '', ' Ltd', ' plc', ' & Sons', ' LLP'])}`
}

/** An office without a person's name, sometimes with another company at its address and with people who work there. */
export function organisation(rolls: SeededRandom): LikelySource[] {
  const { chance, pick } = rolls
  const address = home(rolls)
  const name = company(rolls)
  const office: LikelySource = {
    id: 0,
    title: '',
    firstName: '',
    lastName: '',
    fullName: '',
    email: chance(0.5) ? `info@${name.toLowerCase().replaceAll(/[^a-z]/g, '')}${rolls.roll(100_000)}.example.org` : '',
    companyName: name,
    ...address,
    addressFour: '',
    telephone: chance(0.6) ? telephone(rolls) : '',
  }
  const members = [office]
  if (chance(0.15)) members.push({ ...office, email: '', companyName: company(rolls), telephone: '' })
  for (let staff = chance(0.4) ? 1 + rolls.roll(3) : 0; staff > 0; staff--) {
    const worker = inhabitant(rolls, { isMan: chance(0.5), last: surname(rolls), home: address, isBare: false })
    members.push({
      ...worker,
      companyName: name,
      addressTwo: chance(0.3) ? pick(departments) : worker.addressTwo,
      telephone: office.telephone,
    })
  }
  return members
}
