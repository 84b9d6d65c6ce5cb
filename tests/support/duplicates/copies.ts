import type { LikelySource } from '#core/likely/likely-record.rules.ts'
import type { Scenario } from '../reader-duplicates.ts'
import { surnames, villages } from './people-lists.ts'
import { company, home, mailOf, telephone } from './readers.ts'
import type { SeededRandom } from './seeded-random.ts'
import { mistyped } from './typing-errors.ts'

type TextField = Exclude<keyof LikelySource, 'id'>

const nicknames: Record<string, string> = {
  Robert: 'Bob Rob Bobby', William: 'Bill Will Billy', Richard: 'Dick Rick Richie', James: 'Jim Jimmy Jamie', Michael: 'Mike Mick',
  Thomas: 'Tom Tommy', David: 'Dave Davey', Edward: 'Ed Ted Eddie', Charles: 'Charlie Chas', Joseph: 'Joe', Daniel: 'Dan Danny',
  Matthew: 'Matt', Andrew: 'Andy Drew', Anthony: 'Tony', Stephen: 'Steve Steven', Christopher: 'Chris', Nicholas: 'Nick Nicky',
  Benjamin: 'Ben', Samuel: 'Sam', Alexander: 'Alex Sandy', Philip: 'Phil', Timothy: 'Tim', Geoffrey: 'Geoff', Kenneth: 'Ken',
  Ronald: 'Ron', Donald: 'Don', Jonathan: 'Jon', Peter: 'Pete', Raymond: 'Ray', Gerald: 'Gerry', Frederick: 'Fred', Henry: 'Harry',
  Elizabeth: 'Liz Beth Betty Lizzie', Margaret: 'Maggie Peggy Meg', Catherine: 'Kate Cathy', Susan: 'Sue Susie', Patricia: 'Pat Trish',
  Barbara: 'Babs Barb', Jennifer: 'Jen Jenny', Deborah: 'Debbie Deb', Christine: 'Chris Tina', Rebecca: 'Becky', Victoria: 'Vicky',
  Jessica: 'Jess', Samantha: 'Sam', Alexandra: 'Alex', Amanda: 'Mandy', Jacqueline: 'Jackie', Judith: 'Judy', Pamela: 'Pam',
  Dorothy: 'Dot', Gillian: 'Gill Jill', Joanne: 'Jo', Katherine: 'Kath Katie', Sandra: 'Sandy', Valerie: 'Val', Frances: 'Fran',
} // biome-ignore format: a table
const shortStreets: readonly (readonly [RegExp, string])[] = [
  [/\bStreet$/, 'St'], [/\bRoad$/, 'Rd'], [/\bAvenue$/, 'Ave'], [/\bLane$/, 'Ln'], [/\bClose$/, 'Cl'], [/\bDrive$/, 'Dr'],
  [/\bGardens$/, 'Gdns'], [/\bCrescent$/, 'Cres'], [/\bCourt$/, 'Ct'], [/\bTerrace$/, 'Tce'], [/\bSquare$/, 'Sq'], [/\bPlace$/, 'Pl'],
  [/^Flat (\d+), /, '$1, '], [/^Flat (\d+), /, 'Apt $1 '], [/^Flat (\d+), /, 'Flat $1 '], [/ (Road|Street|Lane)$/, ''],
] // biome-ignore format: a table

/** A duplicate of a reader, as a second clerk, form or file would enter it. */
export function copyWithErrors(source: LikelySource, scenario: Scenario, rolls: SeededRandom): LikelySource {
  const { chance, roll, pick } = rolls
  const isOffice = source.firstName === '' && source.lastName === ''
  const kind = isOffice ? 'organisations' : scenario === 'mixed' || scenario === 'one town' ? pick(everyday) : scenario
  // A reader who moved is recognised by the email, or not at all.
  if (kind === 'moved' && source.email === '')
    source.email = mailOf(source.firstName || 'office', source.lastName || 'mail', rolls)
  const copy = { ...source }
  if (chance(0.25))
    for (const [long, short] of shortStreets) if (chance(0.5)) copy.addressOne = copy.addressOne.replace(long, short)
  // A retyped full name has the contents of the name fields; names entered into the fields have no full name.
  if (copy.fullName !== '' || chance(0.3)) copy.fullName = ''
  if (chance(0.2)) copy.title = ''
  addScenarioErrors[kind as keyof typeof addScenarioErrors]?.(copy, rolls)
  if (kind !== 'moved') addOutdatedFields(copy, rolls)
  const errors = kind === 'name and address, heavy' ? 2 + roll(6) : kind === 'typing' ? 1 + roll(3) : roll(3)
  for (let count = 0; count < errors; count++) addError(copy, rolls)
  if (chance(0.3)) copy.fullName = [copy.title, copy.firstName, copy.lastName].filter(Boolean).join(' ')
  if (chance(0.04) && copy.firstName !== '')
    Object.assign(copy, { fullName: `${copy.firstName} ${copy.lastName}`, firstName: '', lastName: '' })
  if (chance(0.05)) copy.postCode = copy.postCode.replace(' ', '').toLowerCase()
  if (chance(0.05)) copy.lastName = copy.lastName.toUpperCase()
  return copy
}

/** Fields that change over the years, or that one form asks for and the other does not. */
function addOutdatedFields(copy: LikelySource, rolls: SeededRandom): void {
  const { chance, pick } = rolls
  if (copy.email !== '' && chance(0.15)) copy.email = mailOf(copy.firstName || 'office', copy.lastName || 'mail', rolls)
  if (copy.telephone !== '' && chance(0.15)) copy.telephone = telephone(rolls)
  if (copy.lastName !== '' && chance(copy.companyName === '' ? 0.04 : 0.4))
    copy.companyName = copy.companyName === '' ? company(rolls) : ''
  if (chance(0.08)) copy.addressTwo = copy.addressTwo === '' ? pick(villages) : ''
  if (chance(0.03)) copy.city = pick(villages)
}

const everyday: readonly Scenario[] = [
  'typing', 'typing', 'typing', 'missing', 'missing', 'swapped', 'nicknames', 'married', 'moved', 'name and address',
] // biome-ignore format: a list

const addScenarioErrors: Partial<Record<Scenario, (copy: LikelySource, rolls: SeededRandom) => void>> = {
  missing(copy, { pick, roll, chance }) {
    const optional: TextField[] = ['email', 'telephone', 'postCode', 'city', 'addressOne', 'addressTwo', 'companyName']
    for (let count = 1 + roll(3); count > 0; count--) copy[pick(optional)] = ''
    if (copy.lastName === '' && copy.companyName === '') copy.companyName = 'The Office'
    if (chance(0.2)) copy.firstName = copy.firstName.slice(0, 1)
    // At least the name and one other field of the person are known.
    if (copy.email === '' && copy.telephone === '' && copy.addressOne === '') copy.addressOne = 'Rose Cottage'
  },
  swapped(copy) {
    ;[copy.firstName, copy.lastName] = [copy.lastName, copy.firstName]
  },
  nicknames(copy, { pick, chance }) {
    const [first = '', ...otherNames] = copy.firstName.split(' ')
    const short = nicknames[first]
    if (short) copy.firstName = [pick(short.split(' ')), ...otherNames].join(' ')
    else if (chance(0.5)) copy.firstName = first.slice(0, 1)
  },
  married(copy, rolls) {
    copy.lastName = rolls.chance(0.3) ? `${copy.lastName}-${rolls.common(surnames)}` : rolls.common(surnames)
    copy.title = 'Mrs'
    if (rolls.chance(0.5)) copy.telephone = ''
  },
  moved(copy, rolls) {
    Object.assign(copy, home(rolls))
    if (rolls.chance(0.3)) copy.telephone = telephone(rolls)
  },
  'name and address'(copy) {
    Object.assign(copy, { email: '', telephone: '', companyName: copy.lastName === '' ? copy.companyName : '' })
  },
  'name and address, heavy'(copy, { chance, pick }) {
    if (chance(0.25)) copy[pick(['postCode', 'city', 'firstName', 'addressOne'] as const)] = ''
    if (chance(0.1)) [copy.firstName, copy.lastName] = [copy.lastName, copy.firstName]
    if (chance(0.1)) [copy.addressOne, copy.addressTwo] = [copy.addressTwo, copy.addressOne]
    if (chance(0.04)) copy.city = pick(['Little Marston', 'Upton Green', 'Barton'])
  },
  digital(copy, { chance, pick }) {
    // A second form of a digital reader asks for no postal address either.
    if (chance(0.3)) copy[pick(['firstName', 'lastName', 'email', 'city', 'telephone'] as const)] = ''
    if (chance(0.08)) [copy.firstName, copy.lastName] = [copy.lastName, copy.firstName]
    if (chance(0.1)) copy.firstName = nicknames[copy.firstName]?.split(' ')[0] ?? copy.firstName
  },
  organisations(copy, { chance, pick }) {
    copy.companyName = chance(0.4)
      ? copy.companyName.replace(/ (Ltd|plc|LLP|& Sons)$/, '')
      : copy.companyName.replace(/ Ltd$/, ' Limited').replace(/ & /, ' and ')
    if (chance(0.2) && copy.lastName === '') copy.addressTwo = pick(['Accounts Department', 'Library', 'First Floor'])
    if (chance(0.3)) copy.email = ''
    if (chance(0.3)) copy.telephone = ''
  },
}

const errorFields: readonly TextField[] = [
  'firstName', 'lastName', 'lastName', 'addressOne', 'addressOne', 'city', 'postCode', 'email', 'telephone', 'companyName', 'addressTwo',
] // biome-ignore format: a list
const digitalFields: readonly TextField[] = [
  'firstName',
  'lastName',
  'email',
  'email',
  'city',
  'telephone',
  'companyName',
]

function addError(copy: LikelySource, rolls: SeededRandom): void {
  const { chance, pick } = rolls
  const field = pick(copy.addressOne === '' && copy.postCode === '' ? digitalFields : errorFields)
  if (chance(0.05) && copy.addressTwo === '' && copy.addressOne.includes(', ')) {
    const [firstPart = '', ...otherParts] = copy.addressOne.split(', ')
    Object.assign(copy, { addressOne: firstPart, addressTwo: otherParts.join(', ') })
  } else if (chance(0.03) && copy.addressThree === '') {
    Object.assign(copy, { addressThree: copy.city, city: '' })
  } else copy[field] = mistyped(copy[field], rolls)
}
