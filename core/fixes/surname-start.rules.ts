import { isKnownFirstName } from '../likely/first-names.rules.ts'
import { isGivenName } from './given-names.rules.ts'
import { iberianSurnames } from './iberian-names.rules.ts'
import { iberianSurnameAt } from './iberian-surnames.rules.ts'
import {
  earldoms,
  firstNamesElsewhere,
  indianMiddleNames,
  isInitial,
  isPatronymic,
  leadingSurnames,
  nobleRanks,
  nobleRanksBeforeParticle,
  particles,
  pinyinSurnames,
  royalRanks,
  syllableSurnames,
} from './name-words.rules.ts'
import { mayHaveSurnameBeforeGivenNames, mayHaveSurnameFirst } from './surname-order.rules.ts'
import { isParticle } from './surname-particles.rules.ts'

/** Where the surname begins; null if that cannot be determined. */
export function surnameAt(
  names: readonly string[],
  plain: readonly string[],
  { isOneCase, hasTitle }: { isOneCase: boolean; hasTitle: boolean },
): number | null {
  const count = names.length
  const [first = '', second = ''] = plain
  // "RUIZ LOPEZ MARIA DEL CARMEN".
  const isSurnameFirst = iberianSurnames.has(first) && !isGivenName(first)
  if (isSurnameFirst && plain.slice(1, -1).some((word) => isGivenName(word) && !iberianSurnames.has(word))) return null
  const iberian = iberianSurnameAt(names, plain, (from) =>
    plain.findIndex((_, index) => index >= from && index < count - 1 && isParticle(names, plain, index, isOneCase)),
  )
  if (iberian !== undefined) {
    if (iberian === null) return null
    // "Jorge Luis M. Pichardo": an initial begins no surname.
    const isInitialAt = isInitial(names[iberian] as string) && !/^[yei]$/.test(names[iberian] as string)
    return isInitialAt && iberian < count - 1 ? iberian + 1 : iberian
  }
  // The surname may come first.
  if (
    leadingSurnames.has(first) &&
    !isInitial(second) &&
    !(firstNamesElsewhere.has(first) && count === 2 && !leadingSurnames.has(second))
  ) {
    const isWestern = isKnownFirstName(first) && !leadingSurnames.has(second)
    if (!isWestern) return null
  }
  // "Tony Leung Chiu-wai": between an English first name and a Chinese one.
  if (isEastAsianOrder(names, plain) || (count === 3 && isEastAsianOrder(names.slice(1), plain.slice(1)))) return null
  // "Putin Vladimir Vladimirovich".
  if (count === 3 && isPatronymic(plain[2] as string) && !(isGivenName(first) && !isGivenName(second))) return null
  if (
    count === 3 &&
    /^(?:kim|lee|park|choi|cho|han|oh)$/.test(first) &&
    plain.slice(1).every((word) => word.length < 6 && syllable.test(word) && !isGivenName(word))
  )
    return null
  // "LE GALL YANN".
  if (count > 2 && leadingParticles.has(first)) return null
  // "Otto Graf Lambsdorff".
  const rank = plain.findIndex((word, index) => index > 0 && index < count - 1 && nobleRanks.has(word))
  // "Claus Schenk Graf von Stauffenberg".
  if (rank > 1 && isUnknownWord(names, plain, rank - 1)) return null
  if (rank > 0) return rank
  const particle = particleAt(names, plain, isOneCase)
  // "Giuseppe Tomasi di Lampedusa": a middle name, or the first word of the surname.
  if (particle > 1 && isUnknownWord(names, plain, particle - 1)) return null
  // "August Prinz von Preußen".
  if (particle > 1 && nobleRanksBeforeParticle.has(plain[particle - 1] as string)) return particle - 1
  if (particle > 0) return particle
  // "Major Smith" is a rank or a first name.
  if (count === 2 && ranks.has(first)) return null
  if (count === 2 && ((first === 'earl' && earldoms.has(second)) || (royalRanks.has(first) && isGivenName(second))))
    return null
  // "BBC Worldwide".
  if (!isOneCase && /^\p{Lu}{3,}$/u.test(names[0] as string) && !isGivenName(first)) return null
  if (count === 2) {
    // "MME ERNAUX ANNIE": of two words behind a title in capitals, only the second is a first name.
    const isOrdered = isOneCase ? hasTitle && !(!isGivenName(first) && isGivenName(second)) : hasTitle
    return !isOrdered && !isInitial(names[0] as string) && mayHaveSurnameFirst(first, second) ? null : 1
  }
  if (!hasTitle && !names.some(isInitial) && mayHaveSurnameBeforeGivenNames(first, plain.slice(1))) return null
  const swedish = swedishSurnameAt(names, plain)
  if (swedish !== undefined) return swedish
  // Four words without another indication may be two and two.
  if (
    count > 3 &&
    !names.slice(1, -1).some(isInitial) &&
    !names.slice(0, -1).every((word) => isGivenName(word) || isInitial(word))
  )
    return null
  return mayBeTwoSurnames(names, plain, isOneCase) ? null : count - 1
}

/**
 * "Anne Wilkinson Jensen", "Lotte Ravnholt Dam": a word that is no given name, in front of the last one, is a middle
 * name or the first of two surnames.
 */
function mayBeTwoSurnames(names: readonly string[], plain: readonly string[], isOneCase: boolean): boolean {
  const name = names.at(-2) ?? ''
  const word = plain.at(-2) ?? ''
  const last = plain.at(-1) ?? ''
  const isInitials = isInitial(name) || (!isOneCase && /^\p{Lu}{2}$/u.test(name))
  // In "J. Edgar Stone" the initial comes first; "Chel Hee Lee" is two syllables of a given name.
  const isEastAsian = [leadingSurnames, syllableSurnames, pinyinSurnames].some(
    (list) => list.has(word) || list.has(last),
  )
  return (
    !isInitials &&
    !isInitial(names[0] as string) &&
    !isEastAsian &&
    !isGivenName(word) &&
    !isPatronymic(word) &&
    !indianMiddleNames.has(word)
  )
}

/** One syllable of a name of Hong Kong, Taiwan or Korea: "Kar", "Chung", "hee", "Min". */
const syllable =
  /^(?:ch|sh|ts|hs|kw|gw|[bcdfghjklmnprstwyz])?[yw]?(?:[aeou]{1,2}[iy]?|[iy][aeou]{0,2})(?:ng|n|k|m|l|p|t|b|h|r)?$/
/** One syllable of pinyin: each consonant with the endings that it takes, so that "Solo" and "Mason" are not taken for Chinese. */
const pinyinSyllable =
  '(?:[bpmf](?:i|ia[on]|ie|ing?|[ao]|[ae]i|ao|ou|[ae]ng?|u)|[dt](?:i|ia[on]|ie|iu|ing|[ae]|[ae]i|ao|ou|ang?|eng|ong|u|uo|ui|uan|un)|' +
  '[nl](?:i|ia|ia[on]|iang|ie|iu|ing?|[ae]|[ae]i|ao|ou|[ae]ng?|ong|u|uo|uan|un|ue)|[gkh](?:[ae]|[ae]i|ao|ou|[ae]ng?|ong|u|ua|uo|uai|ui|uang?|un)|' +
  '[jqx](?:i|ia|ia[on]|iang|ie|iu|ing?|iong|u|ue|uan|un)|(?:[zcs]h?|r)(?:[aei]|[ae]i|ao|ou|[ae]ng?|ong|u|ua|uo|uai|ui|uang?|un)|' +
  'y(?:[aei]|ao|ou|ang?|ing?|ong|u|ue|uan|un)|w(?:[aou]|[ae]i|[ae]ng?)|an?|ang|ao|ai|e|en|er|ou)'
const pinyin = new RegExp(`^${pinyinSyllable}-?(?:${pinyinSyllable})?$`)

/** "Mao Zedong", "Wong Kar-wai" and "Park Chung-hee" have the surname first, "Kim Wilde" has not. */
function isEastAsianOrder(names: readonly string[], plain: readonly string[]): boolean {
  const [first = '', second = ''] = plain
  const others = plain.slice(1)
  if (others.length > 2 || names.some(isInitial) || others.some(isGivenName)) return false
  // In "Li Zhang" the second word is the surname.
  const isSurname = (leadingSurnames.has(second) && !firstNamesElsewhere.has(second)) || pinyinSurnames.has(second)
  if (pinyinSurnames.has(first) && !(others.length === 1 && isSurname)) return others.every((word) => pinyin.test(word))
  const pieces = second.split('-')
  const isTwoSyllables = others.length === 1 && pieces.length === 2 && pieces.every((piece) => syllable.test(piece))
  // "Ban Ki-moon".
  const isOneSyllable = syllable.test(first) && !isKnownFirstName(first)
  return isTwoSyllables && (syllableSurnames.has(first) || leadingSurnames.has(first) || isOneSyllable)
}

/** "Lotta Johnsson Berg", "Nils Bäckström Ek": a Swedish surname in front of another one is the first of two; null for "Anna Westerlund Ek". */
function swedishSurnameAt(names: readonly string[], plain: readonly string[]): number | null | undefined {
  const index = names.length - 2
  const word = plain[index] as string
  if (index < 1 || isGivenName(word) || isInitial(names[index] as string)) return undefined
  // "Britt Bohlin Olsson".
  if (index === 1 && /..sson$/.test(plain[2] as string)) return 1
  if (!/..(?:sson|strom|[kq]vist|quist|gren|stedt|lund|strand)$/.test(word)) return undefined
  return word.endsWith('sson') || /[åäö]/i.test(names[index] as string) ? index : null
}

/** No given name, initial, patronymic or rank, and no part of "García-". */
const isUnknownWord = (names: readonly string[], plain: readonly string[], index: number) => {
  const word = plain[index] as string
  return (
    !isGivenName(word) &&
    !isInitial(names[index] as string) &&
    !isPatronymic(word) &&
    !particles.has(word) &&
    !nobleRanksBeforeParticle.has(word)
  )
}

const leadingParticles = new Set('le de van von di du del della der ter ten den da dos'.split(' '))
const ranks = new Set('major maj judge justice general count baron brother sister master dame'.split(' '))

/** The first word of a surname with particles; 0 if there is none. */
function particleAt(names: readonly string[], plain: readonly string[], isOneCase: boolean): number {
  for (let index = 1; index < names.length - 1; index++)
    if (isParticle(names, plain, index, isOneCase)) return withWordBefore(plain, index)
  return 0
}

/** "Ortega y Gasset": the word in front of a joining particle belongs to the surname. */
function withWordBefore(plain: readonly string[], index: number): number {
  return ['y', 'e', 'i'].includes(plain[index] as string) ? Math.max(1, index - 1) : index
}
