import {
  houseWords,
  nameplateWords,
  organisationAdjectives,
  organisationSurnames,
  organisationWords,
  shopEndings,
  surnamePlaces,
  tradeEndings,
} from './firm-words.rules.ts'
import { isGivenName } from './given-names.rules.ts'
import { isInitial, normaliseWord, particles } from './name-words.rules.ts'

/** Whether words are the name of a firm, an office or another organisation, or part of one, so that they are not split. */
export function isOrganisation(names: readonly string[], hasTitle: boolean): boolean {
  // "Dr Barnardo's Homes": a possessive is no name.
  if (names.some((word) => /\p{L}{2}['’]s$/iu.test(word))) return true
  const plainNames = names.map(normaliseWord)
  if (plainNames.some((word) => tradeEndings.test(word)) || shopEndings.test(plainNames[0] ?? '')) return true
  // "Zahnarzt Dr. Lang": what stands in front of the title is a trade.
  if (plainNames.some((word, index) => index > 0 && /^(?:dr|prof)$/.test(word))) return true
  const plain = plainNames.flatMap((word) => word.split('-'))
  const [first = ''] = plain
  // "Mulberry St." is an address.
  if (plain.length > 1 && plain.at(-1) === 'st') return true
  // "Holly House" is more often a house than a person; "Jack House" is a person.
  if (!hasTitle && plain.length === 2 && nameplateWords.has(first) && houseWords.has(plain[1] as string)) return true
  if (!hasTitle && plain.length > 1 && organisationAdjectives.has(first)) return true
  return plain.some((word, index) => {
    if (word === 'of') return true
    // "Marine Le Pen".
    if (!organisationWords.has(word) || (index === 0 && isGivenName(word) && !organisationWords.has(plain[1] ?? '')))
      return false
    const isPlace = surnamePlaces.has(word)
    const isPersonal =
      hasTitle ||
      isGivenName(names[0] as string) ||
      (isPlace && (names.slice(0, -1).every(isInitial) || (index > 1 && particles.has(plain[index - 1] as string))))
    // "Charlotte Church", "Mr Bank", "J. Cottage", "Sjaak van de Water".
    const isSurname = (organisationSurnames.has(word) || isPlace) && index === plain.length - 1 && isPersonal
    return !isSurname
  })
}
