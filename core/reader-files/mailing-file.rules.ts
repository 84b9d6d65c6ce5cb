import { countryName } from '../kernel/countries.ts'
import type { Day } from '../kernel/dates.ts'
import { type PostalZone, postalZoneNames, postalZones } from './postal-zones.rules.ts'

/** Why a reader gets no copy, in the order the reasons are asked: each reader counts under the first that holds. */
const exclusions = {
  deactivated: 'Deactivated',
  noSubscription: 'No subscription',
  digital: 'Digital only',
  notStarted: 'Not started yet',
  expired: 'Expired',
  noName: 'No name or company',
  noAddress: 'No address line',
  noPostCode: 'No postcode',
  badPostCode: 'Postcode to be checked',
} as const

export type Exclusion = keyof typeof exclusions
export const exclusionNames = Object.keys(exclusions) as Exclusion[]

/**
 * The columns mailing houses take: our reference for returns, the addressee, the raw address lines with the postcode in a column of its
 * own at their end, then what a key line shows. Contact data and opt-outs are none of a mailing house's business.
 */
export const mailingColumns = [
  'UniqueReference',
  'Title',
  'FirstName',
  'LastName',
  'FullName',
  'JobTitle',
  'CompanyName',
  'Address1',
  'Address2',
  'Address3',
  'Address4',
  'City',
  'State',
  'Country',
  'PostCode',
  'SubType',
  'SubExpiry',
] as const

const place = Object.fromEntries(mailingColumns.map((name, index) => [name, index])) as Record<
  (typeof mailingColumns)[number],
  number
>

/** For whom and for which day a mailing file is made. */
export interface MailingPlan {
  publicationId: number
  on: Day
  homeCountry: string
  /** Counts only: no lines. */
  isDryRun: boolean
}

/** What a mailing file counted, by reason and by zone: included and excluded together are all readers of the publication. */
export interface MailingTally {
  included: number
  excluded: Record<Exclusion, number>
  zones: Record<PostalZone, number>
}

export interface MailingSummary {
  on: Day
  included: number
  excluded: { reason: Exclusion; label: string; count: number }[]
  zones: { zone: PostalZone; label: string; count: number }[]
}

export function emptyTally(): MailingTally {
  return {
    included: 0,
    excluded: Object.fromEntries(exclusionNames.map((reason) => [reason, 0])) as MailingTally['excluded'],
    zones: Object.fromEntries(postalZones.map((zone) => [zone, 0])) as MailingTally['zones'],
  }
}

/** The tally in words; reasons that met nobody are left out. */
export function summarise(on: Day, { included, excluded, zones }: MailingTally): MailingSummary {
  return {
    on,
    included,
    excluded: exclusionNames
      .filter((reason) => excluded[reason] > 0)
      .map((reason) => ({ reason, label: exclusions[reason], count: excluded[reason] })),
    zones: postalZones
      .filter((zone) => zones[zone] > 0)
      .map((zone) => ({ zone, label: postalZoneNames[zone], count: zones[zone] })),
  }
}

/**
 * Finishes a line's cells in place: a label always has an addressee, and the country is its English name, blank where the file is made
 * (posts at home do not want it).
 */
export function finishMailingCells(cells: string[], homeCountry: string): void {
  const { FullName, Title, FirstName, LastName, Country } = place
  if (cells[FullName] === '')
    cells[FullName] = [cells[Title], cells[FirstName], cells[LastName]].filter((part) => part !== '').join(' ')
  const country = cells[Country] ?? ''
  cells[Country] = country === '' || country === homeCountry ? '' : countryName(country)
}
