import { cleanedName } from './clean-name.rules.ts'
import { isCommonGivenName, isGivenName } from './given-names.rules.ts'
import { devotions } from './iberian-names.rules.ts'
import { hasNoCase, inNameCase } from './name-case.rules.ts'
import { countTitles, isPlainTitle, takePlainTitles } from './name-titles.rules.ts'
import {
  courtesyTitles,
  doubtfulLetters,
  doubtfulParticles,
  generations,
  isInitial,
  joiningWords,
  leadingSurnames,
  letters,
  nobleRanks,
  nobleRanksBeforeParticle,
  normaliseWord,
  particles,
  pluralTitles,
  titles,
  titlesOfFirstNames,
  trailingParticles,
} from './name-words.rules.ts'
import { isOrganisation } from './organisation-name.rules.ts'
import { isParticle } from './surname-particles.rules.ts'
import { surnameAt } from './surname-start.rules.ts'

/** A person's name in its parts. The first name includes middle names and initials; what follows the name is in no part. */
export interface ParsedName {
  title: string
  firstName: string
  lastName: string
}

/** The parts of a name that are known already: the parse has to fit them. */
interface Known {
  firstName: string
  lastName: string
}

/** The largest number of first names that is parsed without another indication: with more, it would be a guess. */
const maxFirstNames = 3

/**
 * Parses a full name; null if that would be a guess: couples, firms, one word, other alphabets than the Latin one, names that could be read in two
 * ways. A name in capitals or small letters throughout is returned in the usual case.
 */
export function parseName(fullName: string, known: Known = { firstName: '', lastName: '' }): ParsedName | null {
  const text = cleanedName(fullName)
  if (text === null) return null
  const isOneCase = hasNoCase(text)
  const ordered = inOrder(text, isOneCase)
  if (ordered === null) return null
  const { words, surname } = ordered
  // "M. Dupont", "M. Gaud Breton", "M. Henry B. Stone": Monsieur, or an initial.
  if (
    words[0] === 'M.' &&
    !isInitial(words[1] ?? '') &&
    !(isCommonGivenName(words[1] ?? '') && !words.slice(1).some(isInitial))
  )
    return null
  // "M. Carmen Ruiz": María Carmen.
  if (words[0] === 'M.' && devotions.has(normaliseWord(words[1] ?? ''))) return null
  const from = countTitles(words)
  const title = words.slice(0, from)
  // "Mr Mrs Smith".
  if (title.filter((word) => courtesyTitles.has(normaliseWord(word))).length > 1) return null
  // "Sres. Ruiz".
  if (title.some((word) => pluralTitles.has(normaliseWord(word)))) return null
  const names = withoutLetters(words.slice(from), isOneCase, surname !== null)
  // "Monsieur le Maire": an office.
  if (surname === null && !isOneCase && /^(?:le|la)$/.test(words[from] ?? '')) return null
  if (names === null || generations.has(normaliseWord(names[0] ?? ''))) return null
  const isKnown = known.firstName !== '' || known.lastName !== ''
  const allWords = [...names, ...(surname ?? [])]
  // "SMITH J MRS", "J Smith Mrs": without a comma either may be the surname.
  if (allWords.some(isPlainTitle) || isOrganisation(allWords, title.length > 0)) return null
  const ownParts = surname
    ? { firstName: names.join(' '), lastName: surname.join(' ') }
    : partsOf(names, title, isOneCase)
  const parts = isKnown
    ? splitByKnownPart(allWords, known, { ownParts, isApart: surname !== null, isOneCase })
    : ownParts
  if (parts === null || parts.firstName.length + parts.lastName.length === 0) return null
  if (surname && !isKnown && !isGivenNameSide(names, surname)) return null
  const inUsualCase = (part: string) => (isOneCase ? inNameCase(part, false) : part)
  // "Jean DUPONT".
  const isCaps = parts.lastName.length > 3 && parts.lastName === parts.lastName.toUpperCase()
  return {
    title: inUsualCase(title.join(' ')),
    firstName: known.firstName || inUsualCase(parts.firstName),
    lastName: known.lastName || (isOneCase || isCaps ? inNameCase(parts.lastName, true) : parts.lastName),
  }
}

/** The words in spoken order, with the surname where a comma, or capitals, separate it. */
function inOrder(text: string, isOneCase: boolean): { words: string[]; surname: string[] | null } | null {
  const pieces = text.split(',').map((piece) =>
    piece
      .trim()
      .split(' ')
      .filter((word) => normaliseWord(word) !== ''),
  )
  while (pieces.length > 1 && pieces.at(-1)?.length === 0) return null
  // After a comma, these are always letters after the name, whatever else they could be.
  while (pieces.length > 1 && pieces.at(-1)?.every((word) => isLetters(word))) pieces.pop()
  const [first = [], second, ...more] = pieces
  if (more.length > 0 || first.length === 0) return null
  if (second === undefined) {
    // "Mme ERNAUX Annie".
    const from = countTitles(first)
    const split = capitalSurname(first.slice(from), isOneCase)
    return split
      ? { words: [...first.slice(0, from), ...split.words], surname: split.surname }
      : { words: first, surname: null }
  }
  const givenNames = [...second]
  const titleBehind = takePlainTitles(givenNames)
  if (givenNames.length === 0) return null
  // "RODRIGUEZ JR, FRANCISCO"; the steps below handle "Smith, John III" and "Smith, Mr John".
  const surname = [...first]
  let front: string[] = []
  while (surname.length > 1 && isGenerationOrLetters(surname.at(-1) as string)) surname.pop()
  if (surname.length > 1) titleBehind.unshift(...takePlainTitles(surname))
  const inFront = countTitles(surname)
  if (inFront > 0 && inFront < surname.length) front = surname.splice(0, inFront)
  if (surname.length === 0 || surname.length > 4 || isLetters(surname[0] as string)) return null
  const particlesAt = trailingParticlesAt(givenNames, surname, isOneCase)
  // "Jong, de" is a surname alone.
  if (particlesAt === 0) return null
  return {
    words: [...front, ...titleBehind, ...givenNames.slice(0, particlesAt)],
    surname: [...givenNames.slice(particlesAt), ...surname],
  }
}

/** Where the particles begin that an index moved behind the first name: "Vries, Jan de", "Berg, Anna van den". */
function trailingParticlesAt(second: readonly string[], surname: readonly string[], isOneCase: boolean): number {
  // "TRAN, HOA VAN": a middle name of Vietnam.
  const isDoubtful = isOneCase && leadingSurnames.has(normaliseWord(surname[0] as string))
  let index = second.length
  while (index > 0 && !isDoubtful) {
    const word = second[index - 1] as string
    // In "Smith, John De" and "SMITH, JOHN DO" the last word may be a name; in "AKKER, HENK OP DEN" the particle after it proves the first.
    const isClear = isOneCase
      ? index < second.length || !doubtfulParticles.has(normaliseWord(word))
      : word === word.toLowerCase()
    if (!isClear || !trailingParticles.has(normaliseWord(word))) break
    index--
  }
  // "Arco, Ludwig Graf von".
  return index > 1 && index < second.length && nobleRanks.has(normaliseWord(second[index - 1] as string))
    ? index - 1
    : index
}

const isLetters = (word: string) => {
  const plain = normaliseWord(word)
  return generations.has(plain) || letters.has(plain) || doubtfulLetters.has(plain) || plain === 'v' || plain === 'i'
}

const isGenerationOrLetters = (word: string) => {
  const plain = normaliseWord(word)
  return generations.has(plain) || (letters.has(plain) && !doubtfulLetters.has(plain))
}

/** "DUPONT Jean", "Jean DUPONT": in a name with lower-case letters, capitals mark the surname. */
function capitalSurname(words: readonly string[], isOneCase: boolean): { words: string[]; surname: string[] } | null {
  if (isOneCase || words.length < 2) return null
  const isCaps = (word: string) =>
    /\p{Lu}{2}/u.test(word) && word === word.toUpperCase() && !isLetters(word) && !titles.has(normaliseWord(word))
  const caps = words.map((word) => isCaps(word) || (/^(?:mc|mac)\p{Lu}{2,}$/iu.test(word) && /\p{Lu}{3}$/u.test(word)))
  if (!caps[0]) return capitalsBehind(words, caps)
  let to = 1
  while (to < words.length && (caps[to] || (particles.has(normaliseWord(words[to] as string)) && caps[to + 1]))) to++
  const givenWords = words.slice(to)
  // "FAO John Smith", "WPC Jane Brown".
  const isAbbreviation = to === 1 && (words[0] as string).length <= 3 && !givenWords.every(isGivenName)
  const isClear =
    givenWords.length > 0 && !caps.slice(to).some(Boolean) && isGivenName(givenWords[0] as string) && !isAbbreviation
  return isClear ? { words: givenWords, surname: words.slice(0, to) } : null
}

/** "Jean MARTIN DUPONT": two capital words or more at the end, with the particles in front of them and between them. */
function capitalsBehind(
  words: readonly string[],
  caps: readonly boolean[],
): { words: string[]; surname: string[] } | null {
  let from = words.length
  let count = 0
  while (from > 1 && (caps[from - 1] || (count > 0 && particles.has(normaliseWord(words[from - 1] as string))))) {
    from--
    if (caps[from]) count++
  }
  const isClear = count > 1 && !caps.slice(0, from).some(Boolean)
  return isClear ? { words: words.slice(0, from), surname: words.slice(from) } : null
}

/** The words without the generations and letters after them; null if a last word may be either. */
function withoutLetters(words: readonly string[], isOneCase: boolean, isApart: boolean): string[] | null {
  let to = words.length
  while (to > 1) {
    const word = words[to - 1] as string
    const plain = normaliseWord(word)
    const preceding = words.slice(0, to - 1)
    const isWhole = isApart || (preceding.length > 1 && !isInitial(preceding.at(-1) as string))
    if (plain === 'v' || plain === 'i') {
      if (!isOneCase && isWhole && word === word.toUpperCase() && !isApart) {
        to--
        continue
      }
      break
    }
    if (!isLetters(word) || isSurnameOfParticle(word, preceding.at(-1) as string, isOneCase)) break
    if (generations.has(plain) || !doubtfulLetters.has(plain)) {
      // "DOUGLASS III": a surname alone.
      to--
      continue
    }
    // "JAMES J MA": without this there is no surname.
    if (!isWhole) break
    const isClear = word.includes('.') || (!isOneCase && /^\p{Lu}{2,}$/u.test(word))
    if (!isClear && isOneCase && preceding.length >= 2) return null
    if (!isClear) break
    to--
  }
  return words.slice(0, to)
}

/** "Adriaan van Dis": with a particle in front it is a surname; in "Anna Van MBA" the capitals are letters. */
function isSurnameOfParticle(word: string, wordBefore: string, isOneCase: boolean): boolean {
  const particle = normaliseWord(wordBefore)
  const isCapitals = !isOneCase && /^\p{Lu}{2,}$/u.test(word)
  return particles.has(particle) && !doubtfulParticles.has(particle) && !isCapitals
}

/** A given name on its side of the comma: "John, Smith" and "Smith, Jones" have none. */
function isGivenNameSide(names: readonly string[], surname: readonly string[]): boolean {
  if (names.length === 0 || names.length > 4) return false
  // "Silva, Maria dos Santos": the first of two surnames comes last in Portugal.
  if (
    names
      .slice(1, -1)
      .some((word, index) => /^d[ao]s?$/i.test(word) && !devotions.has(normaliseWord(names[index + 2] as string)))
  )
    return false
  const [first = ''] = names
  // "Frank, Kerim L.": an initial follows a given name.
  const isProven = isInitial(first) || isGivenName(first) || isInitial(names.at(-1) as string)
  // "John Smith, London" is in spoken order.
  return isProven || !isGivenName(surname[0] as string)
}

function partsOf(names: readonly string[], title: readonly string[], isOneCase: boolean): Known | null {
  if (names.length === 0) return null
  if (names.length === 1) return surnameAfterTitle(names[0] as string, title)
  // "xxx xxx"; "Thomas Thomas" is a name.
  if (names.every((word) => word === names[0]) && !isGivenName(names[0] as string)) return null
  if (names.every((word) => isInitial(word))) return null
  const last = names.at(-1) as string
  // "John P", "Smith J".
  if (isInitial(last)) return null
  // "Wigan MBC": an abbreviation.
  if (!isOneCase && /^[B-DF-HJ-NP-TV-XZ]{2,4}$/.test(last) && last !== 'NG') return null
  const plain = names.map(normaliseWord)
  // "Al Pacino" has a first name.
  if (isParticle(names, plain, 0, isOneCase) && !isGivenName(names[0] as string)) return surnameAlone(names, title)
  // "Graf von Arco" has lost its first name; "Steffi Graf" has not.
  if (
    (nobleRanks.has(plain[0] as string) || nobleRanksBeforeParticle.has(plain[0] as string)) &&
    isParticle(names, plain, 1, isOneCase)
  )
    return null
  const surnameIndex = surnameAt(names, plain, { isOneCase, hasTitle: title.length > 0 })
  if (surnameIndex === null) return null
  const firstNames = names.slice(0, surnameIndex)
  // "María de los Ángeles" are two.
  if (firstNames.filter((word) => !isInitial(word) && !particles.has(normaliseWord(word))).length > maxFirstNames)
    return null
  return { firstName: firstNames.join(' '), lastName: names.slice(surnameIndex).join(' ') }
}

/** A name that begins with a particle: "Mevr. de Vries" is a surname, "De Smet" may have lost its first name, and "Mr Bin Wang" may have one. */
function surnameAlone(names: readonly string[], title: readonly string[]): Known | null {
  const [particle = ''] = names
  const plain = normaliseWord(particle)
  const isClear =
    particle === particle.toLowerCase() || !(doubtfulParticles.has(plain) || /^(?:abu|bin|van)$/.test(plain))
  return isClear && title.length > 0 ? { firstName: '', lastName: names.join(' ') } : null
}

/** The surname of a single word after a title: "Mr Smith" has one, "Madonna" does not, and in "Sister Mary" the word is a first name. */
function surnameAfterTitle(name: string, title: readonly string[]): Known | null {
  const [word = ''] = title
  if (title.length === 0 || isInitial(name)) return null
  const isFirst = titlesOfFirstNames.has(normaliseWord(word)) && isGivenName(name)
  return isFirst ? null : { firstName: '', lastName: name }
}

interface Reading {
  /** How the name would be split if neither part was known. */
  ownParts: Known | null
  /** A comma, or capitals, separate the surname. */
  isApart: boolean
  isOneCase: boolean
}

/**
 * Splits a name by its known part: it has to begin or end with it, and the remaining words are the other part, without initials and particles between:
 * "John" is followed by "Kennedy" in "John F. Kennedy". Null if the remaining words may belong to both.
 */
function splitByKnownPart(
  words: readonly string[],
  { firstName, lastName }: Known,
  { ownParts, isApart, isOneCase }: Reading,
): Known | null {
  const text = words.join(' ')
  const plain = words.map(normaliseWord)
  const isParticleAt = (index: number) => isParticle(words, plain, index, isOneCase)
  const ownAt = ownParts === null ? null : words.length - ownParts.lastName.split(' ').length
  if (lastName !== '') {
    if (!text.toLowerCase().endsWith(` ${lastName.toLowerCase()}`)) return null
    let to = text.slice(0, -lastName.length).trim().split(' ').length
    // "Ortega y Gasset": with one of two surnames known, where they begin is not.
    if (joiningWords.has(plain[to - 1] as string) && isParticleAt(to - 1)) return null
    while (to > 1 && isParticleAt(to - 1)) to--
    // "de Vries" has no first name, "Al Pacino" has.
    const isNone = to === 1 && isParticleAt(0) && !isGivenName(words[0] as string)
    return isNone || (isApart && ownAt !== null && ownAt < to)
      ? null
      : { firstName: words.slice(0, to).join(' '), lastName }
  }
  if (!text.toLowerCase().startsWith(`${firstName.toLowerCase()} `)) return null
  let from = words.length - text.slice(firstName.length).trim().split(' ').length
  while (from < words.length && isInitial(words[from] as string) && !isParticleAt(from)) from++
  // "Mary Ashcombe Watson": a middle name or the first of two surnames. In "María del Carmen Ruiz" the particle begins no surname.
  const beginsSurname = from < words.length && particles.has(plain[from] as string) && (ownAt ?? 0) <= from
  const isClear = from === words.length - 1 || from === ownAt || beginsSurname
  return isClear ? { firstName, lastName: words.slice(from).join(' ') } : null
}
