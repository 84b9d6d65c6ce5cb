import { isGivenName } from './given-names.rules.ts'
import { doctorates, doubtfulTitles, isInitial, normaliseWord, plainTitles, titles } from './name-words.rules.ts'

/** How many of the first words are titles: all of them if there is no name. */
export function countTitles(words: readonly string[]): number {
  let count = 0
  while (count < words.length - 1 && isTitle(words, count)) count++
  const last = words.at(-1) ?? ''
  // "Dr. med." has no name at all; in "Fletcher, Mrs M." the last word is an initial.
  const isOnlyTitles = count > 0 && count === words.length - 1 && !isInitial(last)
  return isOnlyTitles && (titles.has(normaliseWord(last)) || isDoctorate(last)) ? words.length : count
}

function isTitle(words: readonly string[], at: number): boolean {
  const word = words[at] as string
  const plain = normaliseWord(word)
  // "The Hon. Mrs Ada Finch".
  if (plain === 'the') return /^(?:rt|hon|rev|revd|very|ven)/.test(normaliseWord(words[at + 1] ?? ''))
  // "Wing Cdr", "Group Captain".
  if (plain === 'wing' || plain === 'wg' || plain === 'group' || plain === 'flight')
    return /^(?:cdr|commander|capt|captain|lt|lieutenant)$/.test(normaliseWord(words[at + 1] ?? ''))
  if (at > 0 && isDoctorate(word)) return true
  // "Dipl.-Kfm.", "Dipl. Ing.", "Univ.-Prof."
  if (/^(?:dipl(?:-\p{L}+)?|univ-prof)$/u.test(plain)) return true
  // "De heer M. Rutte"; "Jan de Heer" has the surname behind.
  if (plain === 'de' && at === 0) return words[1] === 'heer' && words.length > 2
  // "Dª Rosa", "Sra. Da. Rosa".
  if (/^D(?:ª|a\.)$/i.test(word)) return word.endsWith('ª') || at > 0
  if (!titles.has(plain) || word.includes('-')) return false
  // "Pere" is a given name of Catalonia.
  if (plain === 'pere' && !/è/i.test(word)) return false
  if (!doubtfulTitles.has(plain)) return true
  if (word.endsWith('.') && plain.length > 1) return true
  const following = words.slice(at + 1)
  // "PD Dr. Anke Richter".
  if (plain === 'pd' && /^(?:dr|prof)$/.test(normaliseWord(following[0] ?? ''))) return true
  // "Earl Jones", "Don Johnson" and "M. Dupont" may be names.
  return (
    following.length > 1 &&
    isGivenName(following[0] as string) &&
    word.length > 0 &&
    (plain.length > 1 || word.endsWith('.'))
  )
}

/** "med." in "Dr. med. Andreas Vogel"; without the full stop, "DR PHIL JONES" has a first name. */
const isDoctorate = (word: string) =>
  word.endsWith('.') && word === word.toLowerCase() && doctorates.has(normaliseWord(word))

/** Takes the titles at the end out of the words. */
export function takePlainTitles(words: string[]): string[] {
  return words.splice(words.findLastIndex((word) => !isPlainTitle(word)) + 1)
}

/** "M.R." are initials. */
export const isPlainTitle = (word: string) => plainTitles.has(normaliseWord(word)) && !isInitial(word)
