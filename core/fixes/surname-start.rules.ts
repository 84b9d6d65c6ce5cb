import { isKnownFirstName } from '../likely/first-names.rules.ts'
import {
  alsoSurnames,
  bare,
  devoted,
  devotions,
  doubtfulParticles,
  earldoms,
  firstNamesElsewhere,
  frequentSurnames,
  iberianGivenNames,
  iberianSurnames,
  irishStems,
  isGivenName,
  isInitial,
  knownGivenNames,
  leadingSurnames,
  nobleRanks,
  nobleRanksBeforeParticle,
  particles,
  pinyinSurnames,
  royalRanks,
  syllableSurnames,
} from './name-words.rules.ts'

/** Where the surname begins; null where that cannot be determined. */
export function surnameAt(
  names: readonly string[],
  plain: readonly string[],
  { isOneCase, hasTitle }: { isOneCase: boolean; hasTitle: boolean },
): number | null {
  const count = names.length
  const [one = '', two = ''] = plain
  const iberian = iberianSurnameAt(names, plain, isOneCase)
  if (iberian !== undefined) return iberian
  // The surname may come first.
  if (
    leadingSurnames.has(one) &&
    !isInitial(two) &&
    !(firstNamesElsewhere.has(one) && count === 2 && !leadingSurnames.has(two))
  ) {
    const isWestern = isKnownFirstName(one) && !leadingSurnames.has(two)
    if (!isWestern) return null
  }
  if (isEastAsianOrder(names, plain)) return null
  if (
    count === 3 &&
    /^(?:kim|lee|park|choi|cho|han|oh)$/.test(one) &&
    plain.slice(1).every((word) => word.length < 5 && !isGivenName(word))
  )
    return null
  // "LE GALL YANN".
  if (count > 2 && leadingParticles.has(one)) return null
  // "Otto Graf Lambsdorff".
  const rank = plain.findIndex((word, index) => index > 0 && index < count - 1 && nobleRanks.has(word))
  if (rank > 0) return rank
  const particle = particleAt(names, plain, isOneCase)
  // "August Prinz von Preußen".
  if (particle > 1 && nobleRanksBeforeParticle.has(plain[particle - 1] as string)) return particle - 1
  if (particle > 0) return particle
  // "Major Smith" is a rank or a first name.
  if (count === 2 && ranks.has(one)) return null
  if (count === 2 && ((one === 'earl' && earldoms.has(two)) || (royalRanks.has(one) && isGivenName(two)))) return null
  // "BBC Worldwide".
  if (!isOneCase && /^\p{Lu}{3,}$/u.test(names[0] as string) && !isGivenName(one)) return null
  if (count === 2) {
    const isGiven = isOnlyGivenName(two) || (frequentSurnames.has(one) && isGivenName(two))
    const isReversed = !hasTitle && !isInitial(names[0] as string) && !isGivenName(one) && isGiven
    return isReversed ? null : 1
  }
  // Four words without another indication may be two and two.
  if (
    count > 3 &&
    !names.slice(1, -1).some(isInitial) &&
    !names.slice(0, -1).every((word) => isGivenName(word) || isInitial(word))
  )
    return null
  return count - 1
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
  const [one = '', two = ''] = plain
  const rest = plain.slice(1)
  if (rest.length > 2 || names.some(isInitial) || rest.some(isGivenName)) return false
  // In "Li Zhang" the second word is the surname.
  const isSurname = (leadingSurnames.has(two) && !firstNamesElsewhere.has(two)) || pinyinSurnames.has(two)
  if (pinyinSurnames.has(one) && !(rest.length === 1 && isSurname)) return rest.every((word) => pinyin.test(word))
  const pieces = two.split('-')
  const isTwoSyllables = rest.length === 1 && pieces.length === 2 && pieces.every((piece) => syllable.test(piece))
  return isTwoSyllables && (syllableSurnames.has(one) || leadingSurnames.has(one))
}

const leadingParticles = new Set('le de van von di du del della der ter ten den da dos'.split(' '))
const ranks = new Set('major judge justice general count baron brother sister master dame'.split(' '))

const isOnlyGivenName = (plain: string) => isGivenName(plain) && !alsoSurnames.has(plain) && !iberianSurnames.has(plain)

/** The position of two surnames where both are usual in Spain or Portugal; undefined where nothing indicates it, null where it is possible. */
function iberianSurnameAt(
  names: readonly string[],
  plain: readonly string[],
  isOneCase: boolean,
): number | null | undefined {
  const count = names.length
  const [one = ''] = plain
  const iberian = iberianGivenNameScore(one)
  if (count < 3) return undefined
  // "María del Carmen García".
  let from = 1
  if (devoted.has(one) && particles.has(plain[1] as string)) {
    const on = ['la', 'los', 'las'].includes(plain[2] ?? '') ? 3 : 2
    if (devotions.has(plain[on] ?? '') && on < count - 1) from = on + 1
  }
  const isDevoted = from > 1
  while (from < count - 1 && (isGivenName(plain[from] as string) || isInitial(names[from] as string))) from++
  const particle = plain.findIndex(
    (_, index) => index >= from && index < count - 1 && isParticle(names, plain, index, isOneCase),
  )
  if (particle >= 0) {
    if (iberian < 1) return undefined
    if (particle - from > 1) return null
    return particle === from || iberianSurnameScore(names[from] as string) > 0 ? from : null
  }
  if (count - from === 1) return isDevoted ? from : undefined
  if (count - from > 2) return iberian > 0 ? null : undefined
  const [first, second] = [iberianSurnameScore(names[from] as string), iberianSurnameScore(names[from + 1] as string)]
  const signs = first + second
  if (iberian === 2) return signs > 0 ? from : null
  if (first > 0 && second > 0 && iberian >= 0 && signs + iberian > 2) return from
  // Words that could be surnames there: two of them, or one with an accent after a Spanish first name, cannot be told from a middle name.
  const sounds = [names[from] as string, names[from + 1] as string].filter((word) =>
    /[ao]s?$|[áéíóúñãõç]/i.test(word),
  ).length
  if (sounds === 2 || (sounds === 1 && iberian === 1)) return null
  if (iberian === 1) return signs > 0 || isDevoted ? null : undefined
  return first === 2 || (first > 0 && second > 0) ? null : undefined
}

/** How Iberian a first name is: 2 used there alone, 1 used there as well, 0 unknown, -1 used elsewhere. */
function iberianGivenNameScore(plain: string): number {
  const isElsewhere = isKnownFirstName(plain) || knownGivenNames.has(plain)
  return iberianGivenNames.has(plain) ? (isElsewhere ? 1 : 2) : isElsewhere ? -1 : 0
}

/** The same for a surname: 2 known, 1 by its form. */
function iberianSurnameScore(word: string): number {
  const plain = bare(word)
  if (iberianSurnames.has(plain)) return 2
  return /(?:ez|eda|illo|illa|ales|era|eira|eiro|inho|osa|ano|arro|uela|edo|ado|eros|oza|ona|ejo|uiz|tinho|lhaes)$/.test(
    plain,
  ) || /[ñãõ]/i.test(word)
    ? 1
    : 0
}

/** The first word of a surname with particles; 0 where there is none. */
function particleAt(names: readonly string[], plain: readonly string[], isOneCase: boolean): number {
  for (let index = 1; index < names.length - 1; index++)
    if (isParticle(names, plain, index, isOneCase)) return withWordBefore(plain, index)
  return 0
}

/** "Ortega y Gasset": the word in front of a joining particle belongs to the surname. */
function withWordBefore(plain: readonly string[], index: number): number {
  return ['y', 'e', 'i'].includes(plain[index] as string) ? Math.max(1, index - 1) : index
}

function isParticle(names: readonly string[], plain: readonly string[], index: number, isOneCase: boolean): boolean {
  const word = names[index] as string
  const plainWord = plain[index] as string
  const next = plain[index + 1] ?? ''
  if (plainWord === 'o') return irishStems.has(next) || /^ó$/iu.test(word)
  if (!particles.has(plainWord) || word.endsWith('.')) return plainWord === 'st' && particles.has(plainWord)
  if (['y', 'e', 'i'].includes(plainWord))
    // A middle initial is a capital: "John E Smith".
    return isOneCase
      ? index > 1 && iberianSurnames.has(plain[index - 1] ?? '') && iberianSurnames.has(next)
      : word === word.toLowerCase() && index > 1
  if (!doubtfulParticles.has(plainWord)) return true
  // "Henk Op den Akker".
  if (/^(?:op|in|aan|uit)$/.test(plainWord) && /^(?:de|den|der|t)$/.test(next)) return true
  if (word === word.toLowerCase() && !isOneCase) return true
  // "Juan De La Cruz": after another particle.
  if (index > 1 && particles.has(plain[index - 1] ?? '') && plainWord !== 'ben') return true
  if (plainWord === 'do' && iberianSurnameScore(names[index + 1] as string) > 0) return true
  return (
    ['del', 'al', 'la', 'lo', 'le', 'du', 'san', 'santa', 'mac', 'ni', 'saint'].includes(plainWord) &&
    index === names.length - 2
  )
}
