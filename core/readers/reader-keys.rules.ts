import { emailKey, postCodeKey, textKey } from '../kernel/search-keys.rules.ts'
import { mailSort, type PostCodeState, postCodeState } from '../postcodes/post-code.rules.ts'
import { type AddressState, addressState } from './address-state.rules.ts'

/** What the keys are computed from. A blank country is the publisher's own. */
export interface KeyedFields {
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
  country: string
}

/** The key columns of a reader that lists, searches and mailings use. */
export interface ReaderKeys {
  keyName: string
  keySurname: string
  keyPostCode: string
  keyAddress: string
  keyEmail: string
  keyCompany: string
  mailSort: string
  postCodeState: PostCodeState
  addressState: AddressState
}

/** Computes a reader's keys: the one place for imports, forms, the storefront and the demo data. */
export function deriveReader(fields: KeyedFields, homeCountry: string): ReaderKeys {
  const country = fields.country || homeCountry
  const { fullName, firstName, lastName } = fields
  return {
    keyName: textKey(fullName === '' ? `${firstName} ${lastName}` : fullName, 200),
    keySurname: textKey(lastName, 100),
    keyPostCode: postCodeKey(fields.postCode),
    keyAddress: textKey(fields.addressOne, 200),
    keyEmail: emailKey(fields.email),
    keyCompany: textKey(fields.companyName, 200),
    mailSort: mailSort(fields.postCode, country),
    postCodeState: postCodeState(fields.postCode, country),
    addressState: addressState(fields),
  }
}
