import { postCodeKey } from '../kernel/search-keys.rules.ts'
import { type AddressParts, addressParts } from './address-parts.rules.ts'
import { normalizedCompanyName } from './company-name.rules.ts'
import { type NameParts, nameParts } from './name-parts.rules.ts'

/** The fields of a reader that the search for likely duplicates uses. */
export interface LikelySource {
  id: number
  title: string
  firstName: string
  lastName: string
  fullName: string
  email: string
  companyName: string
  addressOne: string
  addressTwo: string
  addressThree: string
  addressFour: string
  city: string
  postCode: string
  telephone: string
}

/** A reader prepared for many comparisons. */
export interface LikelyRecord extends NameParts, AddressParts {
  id: number
  postCode: string
  /** Lower case. */
  email: string
  /** The last nine digits: a number with and without the country's prefix is the same. */
  phone: string
  company: string
}

/** The columns that a source is read from, in the order in which `likelySource` expects them. */
export const likelyColumns = [
  'id', 'title', 'first_name', 'last_name', 'full_name', 'email', 'company_name', 'address_one', 'address_two', 'address_three',
  'address_four', 'city', 'post_code', 'telephone',
] as const // biome-ignore format: a table

/** Builds a source from the cells of these columns. */
export function likelySource(cells: readonly string[]): LikelySource {
  const cell = (index: number) => cells[index] ?? ''
  return {
    id: Number(cell(0)),
    title: cell(1),
    firstName: cell(2),
    lastName: cell(3),
    fullName: cell(4),
    email: cell(5),
    companyName: cell(6),
    addressOne: cell(7),
    addressTwo: cell(8),
    addressThree: cell(9),
    addressFour: cell(10),
    city: cell(11),
    postCode: cell(12),
    telephone: cell(13),
  }
}

/** Prepares a reader for comparison: everything slow is done once per reader, not once per pair. */
export function likelyRecord(source: LikelySource): LikelyRecord {
  const { first, middle, last, gender, generation, isCouple, wasSwapped } = nameParts(source)
  const { addressOne, addressTwo, addressThree, addressFour } = source
  const lines = [addressOne, addressTwo, addressThree, addressFour]
  const { number, flat, street, rest, city } = addressParts(lines, source.city)
  // Written out, because spreading objects would take as long as everything else here.
  return {
    id: source.id,
    first,
    middle,
    last,
    gender,
    generation,
    isCouple,
    wasSwapped,
    number,
    flat,
    street,
    rest,
    city,
    postCode: postCodeKey(source.postCode),
    email: source.email.trim().toLowerCase(),
    phone: phoneDigits(source.telephone),
    company: normalizedCompanyName(source.companyName),
  }
}

function phoneDigits(telephone: string): string {
  if (telephone === '') return ''
  const digits = telephone.replaceAll(/\D+/g, '')
  return digits.length >= 6 ? digits.slice(-9) : ''
}

const separator = '\x1f'

/** A record as one line of text, to be stored in a file. */
export function packRecord(record: LikelyRecord): string {
  const { id, first, middle, last, gender, generation, isCouple, number, flat, street, rest, city } = record
  const { postCode, email, phone, company, wasSwapped } = record
  return [
    id, first, middle, last, gender, generation, isCouple ? 1 : '', number, flat, street, rest, city, postCode, email, phone, company,
    wasSwapped ? 1 : '',
  ].join(separator) // biome-ignore format: a row
}

export function unpackRecord(text: string): LikelyRecord {
  const cells = text.split(separator)
  const cell = (index: number) => cells[index] ?? ''
  return {
    id: Number(cells[0]),
    first: cell(1),
    middle: cell(2),
    last: cell(3),
    gender: cell(4) as LikelyRecord['gender'],
    generation: cell(5),
    isCouple: cell(6) !== '',
    number: cell(7),
    flat: cell(8),
    street: cell(9),
    rest: cell(10),
    city: cell(11),
    postCode: cell(12),
    email: cell(13),
    phone: cell(14),
    company: cell(15),
    wasSwapped: cell(16) !== '',
  }
}
