import { countryName } from './countries.ts'

/** A name and a postal address, as an order stores it and a reader record gets it. */
export interface PostalAddress {
  title: string
  firstName: string
  lastName: string
  companyName: string
  addressOne: string
  addressTwo: string
  addressThree: string
  city: string
  state: string
  postCode: string
  /** ISO alpha-2. */
  country: string
}

/** The address as on an envelope, line by line, with the country's name in a language. */
export function postalLines(address: PostalAddress, language: string): string[] {
  const { companyName, addressOne, addressTwo, addressThree, city, state, postCode, country } = address
  const place = [addressOne, addressTwo, addressThree, city, state, postCode]
  return [fullName(address), companyName, ...place, countryName(country, language)].filter(Boolean)
}

export function fullName({ title, firstName, lastName }: PostalAddress): string {
  return [title, firstName, lastName].filter(Boolean).join(' ')
}

const placeFields = ['companyName', 'addressOne', 'addressTwo', 'addressThree', 'city', 'state', 'postCode'] as const

/** Whether two addresses are the same place, ignoring the name, the country and the case. */
export function isSamePlace(a: PostalAddress, b: PostalAddress): boolean {
  return placeFields.every((field) => a[field].trim().toLowerCase() === b[field].trim().toLowerCase())
}
