import { textKey } from '../kernel/search-keys.rules.ts'
import type { DuplicateKey } from '../warnings/warnings.rules.ts'

/** The exact duplicates that may be merged without looking at each record. All other values may be shared by a house, a street or a family. */
export const mergeableLists = ['duplicatefullname', 'duplicateemails'] as const satisfies readonly DuplicateKey[]

interface Named {
  firstName: string
  lastName: string
  fullName: string
}

interface Group {
  count: number
  readers: readonly Named[]
}

/** A larger group is not one reader, whatever its readers have in common. */
const maxGroupSize = 60

/**
 * Whether a group is certainly one reader. The same full name at the same postcode is; of the same email only readers with the same name or none,
 * since couples and offices share a mailbox.
 */
export function isCertainDuplicate(list: DuplicateKey, group: Group): boolean {
  if (group.count > maxGroupSize || group.readers.length !== group.count) return false
  if (list === 'duplicatefullname') return true
  return list === 'duplicateemails' && namesOf(group).size <= 1
}

/**
 * Whether a group may be picked for a merge without looking at each of its records: it is certainly one reader, or all of them have the same name
 * besides the value that the list compares.
 */
export function isPickable(list: DuplicateKey, group: Group): boolean {
  if (isCertainDuplicate(list, group)) return true
  const isWhole = group.count <= maxGroupSize && group.readers.length === group.count
  return isWhole && namesOf(group).size === 1 && group.readers.every((reader) => nameOf(reader) !== '')
}

function namesOf({ readers }: Group): Set<string> {
  return new Set(readers.map(nameOf).filter((name) => name !== ''))
}

function nameOf({ firstName, lastName, fullName }: Named): string {
  return textKey(`${firstName} ${lastName}`.trim() || fullName)
}
