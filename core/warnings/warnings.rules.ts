import { addDays } from '../kernel/calendar.ts'
import type { Day } from '../kernel/dates.ts'
import { termSql } from '../terms/term.rules.ts'

/** The fields of a reader that a list can show. */
export type ListedField =
  | 'fullName'
  | 'title'
  | 'firstName'
  | 'lastName'
  | 'company'
  | 'addressOne'
  | 'addressTwo'
  | 'addressThree'
  | 'addressFour'
  | 'city'
  | 'postCode'
  | 'email'
  | 'reference'
  | 'added'
  | 'subType'
  | 'paid'
  | 'ends'

interface Listed {
  /** Its name in URLs, in API calls and on the command line. */
  key: string
  label: string
  /** One line that describes it. */
  note: string
  columns: readonly ListedField[]
}

/** A list of readers with something that should be looked at. */
export interface Warning extends Listed {
  key: WarningKey
  /** The SQL condition. Parameters: :publicationId, :today, :monthAhead and :monthAgo. Deactivated readers are excluded separately. */
  where: string
  /** The default sort order, which is the order of its index. */
  sort: string
  /** A key that is never blank in this list: sorted by it, the list can be read from the index of the key. */
  indexedKey?: 'key_email'
  /** A field that is blank for all its readers, so that the index of the field contains none of them. */
  blankField?: string
  /** The name of its download, if it has one. */
  file?: string
  /** The automatic fix for its readers. */
  fix?: 'full-names' | 'name-fields' | 'addresses'
  /** The names of its two API calls, if they are not `<key>count` and `<key>`. */
  endpoints?: { count?: string; list?: string }
}

/** A list of readers that have the same keys. */
export interface DuplicateList extends Listed {
  key: DuplicateKey
  /** The columns that are equal, none of them blank. */
  keys: readonly KeyColumn[]
  endpoints: { count: string; list: string }
}

export type KeyColumn = 'key_name' | 'key_surname' | 'key_post_code' | 'key_address' | 'key_email'

/** The keys of a group of duplicates and how many readers have them. */
export type GroupRow = Partial<Record<KeyColumn, string>> & { n: number }

const person = ['fullName', 'company', 'postCode', 'email', 'reference'] as const
const duplicateColumns = [
  'title',
  'firstName',
  'lastName',
  'fullName',
  'addressOne',
  'postCode',
  'added',
  'subType',
  'paid',
] as const
const withTerm = ['fullName', 'company', 'postCode', 'email', 'reference', 'ends'] as const
const hasTermSql = `sub_type <> ''`

const warningRows = {
  nofullname: {
    label: 'Empty Full Names',
    note: 'No name for the address label.',
    where: `full_name = ''`,
    sort: 'added',
    columns: ['title', 'firstName', 'lastName', ...person.slice(1)],
    fix: 'full-names',
  },
  nofirstname: {
    label: 'Empty Name Fields',
    note: 'First or last name is missing.',
    where: `(first_name = '' OR last_name = '')`,
    sort: 'added',
    columns: ['title', 'firstName', 'lastName', ...person],
    fix: 'name-fields',
  },
  expirednextthirty: {
    label: 'Expiring in next 30 days',
    note: 'Their last day is today or within 30 days.',
    where: `${termSql.endsWithin(':today', ':monthAhead')} AND ${hasTermSql}`,
    sort: 'ends',
    columns: withTerm,
    file: 'expirednext30.csv',
  },
  expiredsubscriber: {
    label: 'Expired Subscribers',
    note: 'Their last day has passed.',
    where: `${termSql.over(':today')} AND ${hasTermSql}`,
    sort: '-ends',
    columns: withTerm,
    file: 'expired.csv',
  },
  expiredlastthirty: {
    label: 'Expired in last 30 days',
    note: 'Expired a short time ago: readers to win back.',
    where: `sub_end_on >= :monthAgo AND ${termSql.over(':today')} AND ${hasTermSql}`,
    sort: '-ends',
    columns: withTerm,
    file: 'expiredlast30.csv',
  },
  nopostcode: {
    label: 'Missing Postcodes',
    note: 'Where the country has postcodes.',
    where: `post_code_state = 'missing' AND post_code_state <> 'ok'`,
    sort: 'added',
    blankField: 'postCode',
    columns: person,
  },
  badpostcodes: {
    label: 'Queried Postcodes',
    note: 'Not a valid postcode for the country, or not in your postcode file.',
    where: `post_code_state = 'queried' AND post_code_state <> 'ok'`,
    sort: 'added',
    columns: [
      'title',
      'firstName',
      'lastName',
      'fullName',
      'addressOne',
      'addressTwo',
      'addressThree',
      'city',
      'postCode',
    ],
  },
  badaddressdata: {
    label: 'Address Format',
    note: 'A postcode or town in the wrong field, several parts in one line, a gap, a house number on its own.',
    where: `address_state <> 'ok'`,
    sort: 'added',
    columns: ['fullName', 'company', 'addressOne', 'addressTwo', 'addressThree', 'addressFour', 'city', 'postCode'],
    fix: 'addresses',
  },
  bouncedemails: {
    label: 'Bounced Emails',
    note: 'Emails to these readers bounce, so nothing more is sent.',
    // There are few such addresses, and each is looked up in the index of emails.
    where: `key_email <> '' AND key_email IN (SELECT address_key FROM address_marks WHERE bounced_at IS NOT NULL
      AND publisher_id = (SELECT publisher_id FROM publications WHERE id = :publicationId))`,
    sort: 'email',
    indexedKey: 'key_email',
    columns: person,
    file: 'bouncedemails.csv',
  },
} as const satisfies Record<string, Omit<Warning, 'key'>>

const duplicateRows = {
  duplicatefullname: {
    label: 'Full Name and Post Code',
    note: 'The same full name at the same postcode.',
    keys: ['key_name', 'key_post_code'],
    columns: duplicateColumns,
    endpoints: { count: 'duplicatefullnamecount', list: 'duplicatefullname' },
  },
  duplicatelastname: {
    label: 'Surname and Post Code',
    note: 'The same surname at the same postcode. Includes families.',
    keys: ['key_surname', 'key_post_code'],
    columns: duplicateColumns,
    endpoints: { count: 'duplicatelastnamecount', list: 'duplicatelastname' },
  },
  duplicatepostcode: {
    label: 'Post Code',
    note: 'The same postcode. Includes neighbours.',
    keys: ['key_post_code'],
    columns: duplicateColumns,
    endpoints: { count: 'duplicatepostcodecount', list: 'duplicatepostcode' },
  },
  duplicateaddress: {
    label: 'Address 1 and Post Code',
    note: 'The same first line at the same postcode.',
    keys: ['key_post_code', 'key_address'],
    columns: duplicateColumns,
    endpoints: { count: 'duplicateaddresscount', list: 'duplicateaddress' },
  },
  duplicateemails: {
    label: 'Emails',
    note: 'The same email.',
    keys: ['key_email'],
    columns: [...duplicateColumns, 'email'],
    endpoints: { count: 'duplicateemailcount', list: 'duplicateemails' },
  },
} as const satisfies Record<string, Omit<DuplicateList, 'key'>>

export type WarningKey = keyof typeof warningRows
export type DuplicateKey = keyof typeof duplicateRows
export type CountedKey = WarningKey | DuplicateKey

/** The table of warnings, for the screens, the API and the command line. Only active readers are checked. */
export const warnings = keyed(warningRows) as unknown as readonly Warning[]

/** The table of exact duplicates. */
export const duplicateLists = keyed(duplicateRows) as unknown as readonly DuplicateList[]

export const countedLists: readonly (Warning | DuplicateList)[] = [...warnings, ...duplicateLists]

function keyed<Row extends object>(rows: Record<string, Row>): (Row & { key: string })[] {
  return Object.entries(rows).map(([key, row]) => ({ key, ...row }))
}

export function isDuplicateList(list: Warning | DuplicateList): list is DuplicateList {
  return 'keys' in list
}

export const warningKeys = Object.keys(warningRows) as [WarningKey, ...WarningKey[]]
export const duplicateKeys = Object.keys(duplicateRows) as [DuplicateKey, ...DuplicateKey[]]
export const countedKeys = [...warningKeys, ...duplicateKeys] as [CountedKey, ...CountedKey[]]

export function warningOf(key: WarningKey): Warning {
  return warnings.find((warning) => warning.key === key) as Warning
}

export function duplicateListOf(key: DuplicateKey): DuplicateList {
  return duplicateLists.find((list) => list.key === key) as DuplicateList
}

/** The parameters of the conditions. The last day of a term still counts; an open end never passes. */
export function listDays(today: Day): Record<'today' | 'monthAhead' | 'monthAgo', Day> {
  return { today, monthAhead: addDays(today, 30), monthAgo: addDays(today, -30) }
}
