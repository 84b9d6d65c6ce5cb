import type { PostalAddress } from '../kernel/postal-address.ts'
import { currencyOf } from '../pricing/region.rules.ts'
import type { Person } from './make-person.ts'
import type { Customer, Sale } from './make-sales.ts'
import type { SeededPublication } from './seed-publications.ts'

/** What the demo's sales refer to: the publisher, and the rows that were written before them. */
export interface SalesContext {
  publisherId: number
  publications: ReadonlyMap<string, SeededPublication>
  readerIds: ReadonlyMap<Customer, number>
  /** One hash for all buyers: hashing each would take minutes. */
  passwordHash: string
}

export const amountOf = (sale: Sale) => sale.price - sale.discount
export const currency = (sale: Sale) => currencyOf(sale.band)
export const instantOf = (sale: Sale) => new Date(Date.parse(`${sale.on}T00:00:00Z`) + sale.second * 1000)
export const publicationIdOf = (context: SalesContext, { customer }: Sale) =>
  context.publications.get(customer.publication.urlKey)?.id ?? 0

export function addressOf(person: Person): PostalAddress {
  const {
    title,
    firstName,
    lastName,
    companyName,
    addressOne,
    addressTwo,
    addressThree,
    city,
    state,
    postCode,
    country,
  } = person
  return {
    title,
    firstName,
    lastName,
    companyName,
    addressOne,
    addressTwo,
    addressThree,
    city,
    state,
    postCode,
    country,
  }
}
