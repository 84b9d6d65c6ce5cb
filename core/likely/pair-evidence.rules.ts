import { type AddressEvidence, compareAddresses } from './compare-addresses.rules.ts'
import { type ContactEvidence, compareContacts } from './compare-contacts.rules.ts'
import { compareNames, type NameEvidence } from './compare-names.rules.ts'
import { isKnownFirstName } from './first-names.rules.ts'
import type { LikelyRecord } from './likely-record.rules.ts'

/** All evidence for and against two records being one reader. */
export interface PairEvidence extends NameEvidence, AddressEvidence, ContactEvidence {
  /** Neither has a person's name, and at least one is an organisation. */
  isOrganisation: boolean
  /** One is a person and the other an organisation. */
  isMixed: boolean
  /** The names are similar but known to be different. */
  isOtherFirstName: boolean
  isOtherSurname: boolean
  isOtherGender: boolean
  isOtherGeneration: boolean
  /** "Mr & Mrs" on one side only. */
  isHalfCouple: boolean
  /** How unlikely it is, in bits, that so much agrees by chance among so many readers: common names are weaker evidence than rare ones. */
  surprise: number
}

/** How rare a value is, in bits: 1 if half of the readers have it, 10 if one in a thousand has. */
export interface Rarity {
  first(name: string): number
  last(name: string): number
  postCode(postCode: string): number
  street(street: string): number
  /** Both spellings are common, so they are two names: Jane and Jean, Thompson and Thomson. */
  areDistinctFirstNames(a: string, b: string): boolean
  areDistinctSurnames(a: string, b: string): boolean
  /** So many readers share it that it does not identify a person. */
  isCommonEmail(email: string): boolean
  isCommonPhone(phone: string): boolean
  /** The number of readers, in bits. */
  size: number
}

/** The town is all that is known of the address. */
export function isTownAlone({ street, postCode, city }: Pick<PairEvidence, 'street' | 'postCode' | 'city'>): boolean {
  return street === 'missing' && postCode === 'missing' && city !== 'missing'
}

/** The same street or postcode, or a street with a typo. */
export function isSameHome({ street, postCode }: Pick<PairEvidence, 'street' | 'postCode'>): boolean {
  return street === 'same' || street === 'near' || postCode === 'same'
}

/** A company without a person's name. A record with neither is a person of whom only the email is known. */
const isCompany = ({ first, last, company }: LikelyRecord) => first === '' && last === '' && company !== ''
const isNamed = ({ first, last }: LikelyRecord) => first !== '' || last !== ''

export function pairEvidence(a: LikelyRecord, b: LikelyRecord, rarity: Rarity): PairEvidence {
  const name = compareNames(a, b)
  const address = compareAddresses(a, b)
  const contacts = compareContacts(a, b)
  const isCompanyA = isCompany(a)
  const isCompanyB = isCompany(b)
  const isOrganisation = (isCompanyA || isCompanyB) && !isNamed(a) && !isNamed(b)
  let surprise = -rarity.size
  if (name.first === 'same' || name.first === 'middle' || name.first === 'short' || name.first === 'slip') {
    surprise += Math.min(rarity.first(a.first), rarity.first(b.first))
  } else if (name.first === 'initial') surprise += 4
  if (name.last === 'same') surprise += name.isSwapped ? rarity.first(a.last) : rarity.last(a.last)
  else if (name.last === 'slip') surprise += Math.min(rarity.last(a.last), rarity.last(b.last))
  // Streets and postcodes are not independent: only the rarer of the two counts.
  let place = 0
  if (address.postCode === 'same') place = rarity.postCode(a.postCode)
  if (address.street === 'same') place = Math.max(place, rarity.street(a.street))
  if (address.number === 'same') place += 5
  surprise += place
  // Written out: this runs millions of times, and spreading objects would take longer than the comparison.
  return {
    first: name.first,
    last: name.last,
    isSwapped: name.isSwapped,
    number: address.number,
    street: address.street,
    flat: address.flat,
    city: address.city,
    postCode: address.postCode,
    email: contacts.email === 'same' && rarity.isCommonEmail(a.email) ? 'missing' : contacts.email,
    hasOtherDigits: contacts.hasOtherDigits,
    phone: contacts.phone === 'same' && rarity.isCommonPhone(a.phone) ? 'missing' : contacts.phone,
    company: contacts.company,
    isOrganisation,
    isMixed: isCompanyA !== isCompanyB && !isOrganisation,
    isOtherFirstName: isSimilar(name.first) && !name.isSwapped && areDistinctFirstNames(a.first, b.first, rarity),
    isOtherSurname: isSimilar(name.last) && !name.isSwapped && rarity.areDistinctSurnames(a.last, b.last),
    isOtherGender: a.gender !== '' && b.gender !== '' && a.gender !== b.gender,
    isOtherGeneration: areOtherGenerations(a, b),
    isHalfCouple: a.isCouple !== b.isCouple,
    surprise: Math.max(-12, Math.min(15, surprise)),
  }
}

/** A boy grows up: Master Jack Smith may be Mr Jack Smith by now, but not Mr John Smith of the same home. */
function areOtherGenerations(a: LikelyRecord, b: LikelyRecord): boolean {
  if (a.generation === b.generation) return false
  if (a.generation !== 'boy' && b.generation !== 'boy') return true
  return a.first !== b.first && a.gender !== '' && b.gender !== ''
}

const isSimilar = (level: string) => level === 'slip' || level === 'near' || level === 'sound'

function areDistinctFirstNames(a: string, b: string, rarity: Rarity): boolean {
  return (isKnownFirstName(a) && isKnownFirstName(b)) || rarity.areDistinctFirstNames(a, b)
}
