import type { DuplicateKey } from '#core/warnings/warnings.rules.ts'
import { readerName } from '../components/ui/reader-cells.tsx'

type Titled = Parameters<typeof readerName>[0] & { addressOne: string; postCode: string; email: string }

/**
 * The heading of a group of exact duplicates: the value its readers share, in the spelling of the first one. If that value is not a name, a
 * reader's name follows: "SW1A 1AA · Ann Lee and 2 more". `members` are the first of `count` readers; `keys` are the shared values as they are compared.
 */
export function groupTitle(
  list: DuplicateKey,
  { keys, count, members }: { keys: readonly string[]; count: number; members: readonly Titled[] },
): string {
  const [reader] = members
  if (!reader) return keys.join(', ')
  const { postCode, lastName, addressOne, email } = reader
  const parts: Record<DuplicateKey, string[]> = {
    duplicatefullname: [readerName(reader), postCode],
    duplicatelastname: [lastName, postCode],
    duplicatepostcode: [postCode],
    duplicateaddress: [addressOne, postCode],
    duplicateemails: [email],
  }
  const shared = parts[list].filter(Boolean).join(', ')
  const hasNonNameKey = list === 'duplicatepostcode' || list === 'duplicateaddress' || list === 'duplicateemails'
  const namedReader = members.find((member) => readerName(member) !== noName)
  if (!hasNonNameKey || !namedReader) return shared
  return `${shared} · ${readerName(namedReader)}${count > 1 ? ` and ${count - 1} more` : ''}`
}

const noName = readerName({ title: '', firstName: '', lastName: '', fullName: '', companyName: '' })
