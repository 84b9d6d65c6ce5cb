import { textKey } from '../kernel/search-keys.rules.ts'
import type { DuplicateKey } from '../warnings/warnings.rules.ts'

/** The exact duplicates that may be merged unseen. A house, a street or a family shares the rest. */
export const mergeableLists = ['duplicatefullname', 'duplicateemails'] as const satisfies readonly DuplicateKey[]

interface Named {
  firstName: string
  lastName: string
  fullName: string
}

/** More readers than that are not one, whatever they have in common. */
const maxGroupSize = 60

/**
 * Whether a group is surely one reader. The same full name at the same postcode is; of the same email only who has the same name or
 * none, since couples and offices share a mailbox.
 */
export function isSurelyOne(list: DuplicateKey, group: { count: number; readers: readonly Named[] }): boolean {
  if (group.count > maxGroupSize || group.readers.length !== group.count) return false
  if (list === 'duplicatefullname') return true
  const names = new Set(group.readers.map(nameOf).filter((name) => name !== ''))
  return list === 'duplicateemails' && names.size <= 1
}

function nameOf({ firstName, lastName, fullName }: Named): string {
  return textKey(`${firstName} ${lastName}`.trim() || fullName)
}
