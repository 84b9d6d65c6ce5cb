import { textKey } from '../kernel/search-keys.rules.ts'
import { formatCount } from '../kernel/text-format.ts'
import type { DuplicateKey } from '../warnings/warnings.rules.ts'

/** The exact duplicates that may be merged without looking at each record. All other values may be shared by a house, a street or a family. */
export const mergeableLists = ['duplicatefullname', 'duplicateemails'] as const satisfies readonly DuplicateKey[]

interface Named {
  title: string
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
 * Whether a group is certainly one reader: it has the same full name and postcode, or the same email and the same name or none, and nowhere another
 * title. The email alone is not enough, since couples and offices share a mailbox; nor is Smith, or J Smith, of a Mr and a Mrs.
 */
export function isCertainDuplicate(list: DuplicateKey, group: Group): boolean {
  if (!isComplete(group) || hasSeveralTitles(group)) return false
  if (list === 'duplicatefullname') return true
  return list === 'duplicateemails' && namesOf(group).size <= 1
}

/**
 * Whether a group may be picked for a merge without looking at each of its records: it is certainly one reader, or all of them have the same name
 * in addition to the value that the list compares.
 */
export function isPickable(list: DuplicateKey, group: Group): boolean {
  if (isCertainDuplicate(list, group)) return true
  if (!isComplete(group) || hasSeveralTitles(group)) return false
  return namesOf(group).size === 1 && group.readers.every((reader) => nameOf(reader) !== '')
}

/** Why a group cannot be merged with one key press, and the possible remedy. */
export interface MergeRefusal {
  message: string
  hint: string
  /** It cannot be merged here at all. If false, it can be merged after its records have been reviewed. */
  isFinal: boolean
}

interface RefusableGroup {
  /** How many readers it has, and how many of them are shown. */
  count: number
  shown: number
  /** Its records are alike enough to be merged without looking at each of them. */
  isSimilar: boolean
  /** One of its readers was changed or removed since the group was found. */
  isChanged?: boolean
  /** The reason a merge would be refused: subscriptions that one record cannot hold. */
  problem: { kind: 'paid' | 'renewing'; message: string; hint: string } | null
}

/** The reason that is shown and announced; null if the group can be merged. */
export function mergeRefusal({ count, shown, isSimilar, isChanged, problem }: RefusableGroup): MergeRefusal | null {
  if (isChanged) return { ...changedSinceSearch, isFinal: true }
  if (count > shown)
    return {
      message: `Only the first ${shown} of its ${formatCount(count)} readers are shown, so it cannot be merged here`,
      hint: 'Likely duplicates shows which of them may be the same reader.',
      isFinal: true,
    }
  if (shown < 2)
    return { message: 'Only one reader of this group is left', hint: 'There is nothing left to merge.', isFinal: true }
  if (problem?.kind === 'paid') return { message: problem.message, hint: problem.hint, isFinal: true }
  if (problem)
    return { message: problem.message, hint: 'Press Enter to choose which renewal to keep, then M.', isFinal: false }
  if (!isSimilar)
    return {
      message: 'The names or titles differ or are missing, so these may be different readers',
      hint: 'Press Enter to compare them, then M to merge.',
      isFinal: false,
    }
  return null
}

export const changedSinceSearch = {
  message: 'Changed since the search',
  hint: 'Somebody has changed or removed one of these readers. Search again before merging them.',
}

const isComplete = ({ count, readers }: Group) => count <= maxGroupSize && readers.length === count

function hasSeveralTitles({ readers }: Group): boolean {
  return new Set(readers.map(titleOf).filter((title) => title !== '')).size > 1
}

/** The title, or what precedes first and last name in the full name. */
function titleOf({ title, firstName, lastName, fullName }: Named): string {
  if (title !== '' || firstName === '' || lastName === '') return textKey(title)
  const full = textKey(fullName)
  const name = textKey(`${firstName} ${lastName}`)
  return full.endsWith(` ${name}`) ? full.slice(0, -name.length - 1) : ''
}

function namesOf({ readers }: Group): Set<string> {
  return new Set(readers.map(nameOf).filter((name) => name !== ''))
}

/** A first or a last name alone is half a name: then the full name is compared. */
function nameOf({ firstName, lastName, fullName }: Named): string {
  const name = `${firstName} ${lastName}`.trim()
  return textKey(firstName !== '' && lastName !== '' ? name : fullName || name)
}
