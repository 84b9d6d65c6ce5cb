import type { Day } from '../kernel/dates.ts'
import type { Currency } from '../kernel/money.ts'
import { type PostalZone, postalZoneNames, postalZones } from '../kernel/postal-zones.rules.ts'
import type { readerColumns } from '../reader-files/reader.columns.ts'

/** For whom and for which day a mailing file is made. */
export interface MailingPlan {
  publicationId: number
  on: Day
  zones: readonly PostalZone[]
  /** The reader columns whose printed cells are needed, in their order. */
  columns: readonly ReaderHeader[]
  mainCurrency: Currency
  /** Counts only: no rows. */
  isDryRun: boolean
  /** A number of sample rows without counts, for a preview. */
  sample?: number
}

/** A reader in a mailing file: the zone's digit, then the requested cells. */
export type MailingRow = string[]

/** The counts of a mailing file, by reason and by zone: included and excluded together are all readers of the publication. */
export interface MailingTally {
  included: number
  excluded: Record<Exclusion, number>
  zones: Record<PostalZone, Record<PostedType, number>>
}

/** Why a reader gets no copy, in the order in which the reasons are checked: each reader counts under the first that applies. */
const exclusionLabels = {
  deactivated: 'Deactivated',
  noSubscription: 'No subscription',
  digital: 'Digital only',
  notStarted: 'Not started yet',
  expired: 'Expired',
  noName: 'No name or company',
  noAddress: 'No address line',
  noPostCode: 'No postcode',
  badPostCode: 'Postcode to be checked',
  otherZone: 'In a zone that was not chosen',
} as const

export type Exclusion = keyof typeof exclusionLabels

export const exclusions = Object.keys(exclusionLabels) as Exclusion[]

/**
 * The columns mailing houses accept: our reference for returns, the addressee, the raw address lines with the postcode in a separate column at
 * their end, then what a key line shows. A mailing house needs no contact data and no opt-outs.
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

export type ReaderHeader = (typeof readerColumns)[number]['header']

/** Kinds of subscription that are posted. */
export const postedTypes = ['print', 'bundle'] as const
type PostedType = (typeof postedTypes)[number]

export interface MailingSummary {
  on: Day
  included: number
  excluded: { reason: Exclusion; label: string; count: number }[]
  zones: { zone: PostalZone; label: string; count: number }[]
}

export function emptyTally(): MailingTally {
  return {
    included: 0,
    excluded: Object.fromEntries(exclusions.map((reason) => [reason, 0])) as MailingTally['excluded'],
    zones: Object.fromEntries(postalZones.map((zone) => [zone, { print: 0, bundle: 0 }])) as MailingTally['zones'],
  }
}

/** The tally with the names of its reasons and zones; those without readers are left out. */
export function summarise(on: Day, { included, excluded, zones }: MailingTally): MailingSummary {
  return {
    on,
    included,
    excluded: exclusions
      .filter((reason) => excluded[reason] > 0)
      .map((reason) => ({ reason, label: exclusionLabels[reason], count: excluded[reason] })),
    zones: postalZones
      .map((zone) => ({ zone, label: postalZoneNames[zone], count: zones[zone].print + zones[zone].bundle }))
      .filter(({ count }) => count > 0),
  }
}
