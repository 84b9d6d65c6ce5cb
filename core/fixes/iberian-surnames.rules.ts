import { isKnownFirstName } from '../likely/first-names.rules.ts'
import { isCommonGivenName, isGivenName, knownGivenNames } from './given-names.rules.ts'
import { devotions, iberianGivenNames, iberianSurnames, namesBeforeDevotion, saints } from './iberian-names.rules.ts'
import { isInitial, normaliseWord, particles } from './name-words.rules.ts'

/** Where the surname begins; null if two positions are possible, undefined if nothing indicates that the name is Spanish or Portuguese. */
type SurnameStart = number | null | undefined

/** The position of two surnames where both are usual in Spain or Portugal. `particleFrom` returns the position of the next particle; -1 without one. */
export function iberianSurnameAt(
  names: readonly string[],
  normalised: readonly string[],
  particleFrom: (from: number) => number,
): SurnameStart {
  const count = names.length
  const plain = normalised.map((word, index) => (/^(?:M\.?ª\.?|Ma\.)$/i.test(names[index] as string) ? 'maria' : word))
  if (count < 3) return undefined
  const devotion = devotionEnd(plain)
  const from = givenNamesEnd(names, plain, devotion)
  const iberian = Math.max(...plain.slice(0, from).map((_, index) => iberianGivenNameScore(names, plain, index)))
  const particle = particleFrom(from)
  if (particle >= 0) return iberian < 1 ? undefined : surnameWithParticle(names, plain, from, particle)
  const isDevoted = devotion > 1
  const remaining = count - from
  if (remaining === 1) return isDevoted ? from : afterDoubtfulName(plain, from, iberian)
  const scores = names.slice(from).map(iberianSurnameScore)
  if (remaining === 2) return lastTwo(names.slice(from), scores as [number, number], { iberian, isDevoted, from })
  return remaining === 3
    ? lastThree(scores as [number, number, number], { iberian, from })
    : iberian > 0
      ? null
      : undefined
}

/** "María del Carmen García", "María Cristina del Valle Ruiz": the position where the name of devotion ends; 1 without one. */
function devotionEnd(plain: readonly string[]): number {
  const from = plain.findIndex((word, index) => index > 0 && /^(?:del?|da|do|das|dos)$/.test(word))
  if (from < 0 || from > 3 || !plain.slice(0, from).every(isGivenName)) return 1
  const nameIndex = ['la', 'los', 'las'].includes(plain[from + 1] ?? '') ? from + 2 : from + 1
  const saint = plain[from - 1] ?? ''
  const name = plain[nameIndex] ?? ''
  const after = plain.length - 1 - nameIndex
  const isDevotion =
    (plain.slice(0, from).some((word) => namesBeforeDevotion.has(word)) ||
      from + 1 < nameIndex ||
      plain[from] === 'del') &&
    devotions.has(name)
  // In front of two more words any name is one of devotion: people have two surnames, not three.
  const isBeforeParticle = particles.has(plain[nameIndex + 1] ?? '')
  const isNameOfDevotion =
    isDevotion || saints.has(`${saint} de ${name}`) || (after === 2 && saint === 'maria' && !isBeforeParticle)
  return isNameOfDevotion && after > 0 ? nameIndex + 1 : 1
}

/** Where the given names end at the latest: each of them is in a list, and the last word is no given name. */
function givenNamesEnd(names: readonly string[], plain: readonly string[], devotion: number): number {
  const isFemale = (plain[0] as string).endsWith('a')
  let from = devotion
  while (from < names.length - 1) {
    const word = plain[from] as string
    // In "Rosa Alonso Pérez" a man's name is a surname, and so is a given name of another country that has the form of a surname.
    const isSurname =
      (isFemale &&
        word.endsWith('o') &&
        !(word === 'joao' && plain[from - 1] === 'maria') &&
        iberianGivenNames.has(word) &&
        !devotions.has(word)) ||
      (!isCommonGivenName(word) && iberianSurnameScore(names[from] as string) > 0) ||
      (from > 1 && from === names.length - 2 && !isCommonGivenName(word) && iberianGivenNames.has(plain[0] as string))
    if (isSurname || !(isGivenName(word) || isDiminutive(word) || isInitial(names[from] as string))) break
    from++
  }
  return from
}

/** "Teresita", "Manolito". */
const isDiminutive = (plain: string) => /it[ao]$/.test(plain) && iberianGivenNames.has(plain.replace(/it(?=[ao]$)/, ''))

/** "Ignacio Paz López", "José Eduardo Santiago Acevedo": the last of the given names is a surname as well. */
function afterDoubtfulName(plain: readonly string[], from: number, iberian: number): SurnameStart {
  const last = plain[from - 1] as string
  const isDoubtful = iberian > 0 && from > 1 && iberianSurnames.has(last)
  if (!isDoubtful || (namesBeforeDevotion.has(plain[0] as string) && devotions.has(last))) return undefined
  return from > 2 ? from - 1 : null
}

function surnameWithParticle(
  names: readonly string[],
  plain: readonly string[],
  from: number,
  particle: number,
): number | null {
  // "Pàramo i Ponsetí": the joining particle stands between two surnames.
  if (/^[yei]$/.test(plain[particle] as string)) return particle - from > 1 ? null : Math.min(from, particle - 1)
  if (particle === from) return from
  const first = iberianSurnameScore(names[from] as string)
  const before = iberianSurnameScore(names[particle - 1] as string)
  if (particle - from === 1) return first ? from : null
  // "Rojas San Román" behind a second given name that is in no list.
  return particle - from === 2 && first === 0 && before === 2 ? particle - 1 : null
}

/** Letter patterns of recent Latin American given names that are in no list, and of no surname: "Yamileth", "Wilmer", "Nayely". */
const newNames = /[kw]|^[yx]|th|sh|ly$/

function lastTwo(
  words: readonly string[],
  [first, second]: readonly [number, number],
  { iberian, isDevoted, from }: { iberian: number; isDevoted: boolean; from: number },
): SurnameStart {
  const score = first + second
  // Words that could be surnames there: two of them, or one with an accent after a Spanish first name, cannot be told from a middle name.
  const surnameLike = words.filter((word) => /[ao]s?$|[áéíóúñãõç]/i.test(word)).length
  if (iberian === 2)
    return first > 0 || (score + surnameLike > 0 && !newNames.test(normaliseWord(words[0] as string))) ? from : null
  const areSurnames = first > 0 && second > 0 && iberian >= 0 && score + iberian > 2
  // "Martha Lorena Rivas Anaya": with two given names, two frequent surnames are not a middle name and a surname.
  if (areSurnames || (from > 1 && score === 4)) return from
  if (iberian === 1 && first === 2 && /[aeo]s?$|z$/.test(normaliseWord(words[1] as string))) return from
  const isForeign = iberian < 0 && score === 0 && !words.some((word) => /[áéíóúñãõç]/i.test(word))
  if (!isForeign && (surnameLike === 2 || (surnameLike === 1 && iberian === 1))) return null
  if (iberian === 1) return score > 0 || isDevoted ? null : undefined
  return first === 2 || (first > 0 && second > 0) ? null : undefined
}

/** The first of the three is a given name that is in no list, or the first of two surnames has two words. */
function lastThree(
  [first, second, third]: readonly [number, number, number],
  { iberian, from }: { iberian: number; from: number },
): SurnameStart {
  const score = second + third
  const isClear =
    from === 1 && first === 0 && (iberian === 2 ? score > 0 : (second > 0 && third > 0 && iberian >= 0) || score === 4)
  if (isClear) return from + 1
  return iberian > 0 ? null : undefined
}

/** How Iberian a name is by one of its given names: 2 used or spelt that way only there, 1 also used there, 0 unknown, -1 used elsewhere. */
function iberianGivenNameScore(names: readonly string[], plain: readonly string[], index: number): number {
  const word = plain[index] as string
  const isElsewhere = isKnownFirstName(word) || knownGivenNames.has(word)
  const isIberian = iberianGivenNames.has(word)
  if (!isIberian) return isElsewhere || isGivenName(word) ? -1 : 0
  return !isElsewhere || isSpeltIberian(names, plain) ? 2 : 1
}

/** "María", "Sánchez", "Simões": an accent that French and English do not have, on a name of Spain or Portugal. */
function isSpeltIberian(names: readonly string[], plain: readonly string[]): boolean {
  return names.some(
    (word, index) =>
      /[ñãõ]/i.test(word) ||
      (/[áéíóúâêôç]/i.test(word) &&
        (iberianSurnames.has(plain[index] as string) || (index === 0 && /[áíóú]/i.test(word)))),
  )
}

/** How Iberian a surname is: 2 known, 1 by its form. */
export function iberianSurnameScore(word: string): number {
  const plain = normaliseWord(word)
  if (plain.split('-').some((half) => iberianSurnames.has(half))) return 2
  return /(?:ez|eda|illo|illa|ales|era|eira|eiro|inho|osa|ano|arro|uela|edo|ado|eros|oza|ona|ejo|uiz|tinho|lhaes|anza|ares|eiras|arra|egui|uria|etxea|echea)$/.test(
    plain,
  ) || /[ñãõ]/i.test(word)
    ? 1
    : 0
}
