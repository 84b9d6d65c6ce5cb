import type { WarningKey } from '../warnings/warnings.rules.ts'
import { type FixableAddress, fixedAddress } from './fix-address.rules.ts'
import { type NameFields, withFullName, withNameFields } from './fix-names.rules.ts'

/** A reader's fields that a fix may write. */
export type FixableReader = NameFields & FixableAddress
export type FixableField = keyof FixableReader

interface FixKindRow {
  /** The warning list whose readers it processes. */
  list: WarningKey
  label: string
  /** The note in the reader's history. */
  note: string
  /** What it may change, in the order it is shown. */
  fields: readonly FixableField[]
  /** The corrected fields; null leaves the reader unchanged. */
  fix(reader: FixableReader): Partial<FixableReader> | null
}

/** The table of automatic fixes. */
export const fixKinds = {
  'full-names': {
    list: 'nofullname',
    label: 'Empty Full Names',
    note: 'Full name made from title, first and last name',
    fields: ['title', 'firstName', 'lastName', 'fullName'],
    fix: withFullName,
  },
  'name-fields': {
    list: 'nofirstname',
    label: 'Empty Name Fields',
    note: 'Empty name fields filled from the full name',
    fields: ['title', 'firstName', 'lastName', 'fullName'],
    fix: withNameFields,
  },
  addresses: {
    list: 'badaddressdata',
    label: 'Address Format',
    note: 'Parts of the address moved to their own fields',
    fields: ['addressOne', 'addressTwo', 'addressThree', 'addressFour', 'city', 'postCode'],
    fix: fixedAddress,
  },
} as const satisfies Record<string, FixKindRow>

export type FixKind = keyof typeof fixKinds
export const fixKindNames = Object.keys(fixKinds) as [FixKind, ...FixKind[]]

/** The fields a fix would write: those that it may change and that differ afterwards; null if the reader is unchanged. */
export function fixOf(kind: FixKind, reader: FixableReader): Partial<FixableReader> | null {
  const row: FixKindRow = fixKinds[kind]
  const after = row.fix(reader)
  if (!after) return null
  const changed = row.fields.filter((field) => after[field] !== undefined && after[field] !== reader[field])
  return changed.length === 0 ? null : Object.fromEntries(changed.map((field) => [field, after[field]]))
}
