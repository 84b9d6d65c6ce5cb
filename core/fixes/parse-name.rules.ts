import { isKnownFirstName } from '../likely/first-names.rules.ts'
import { hasNoCase, inNameCase } from './name-case.rules.ts'
import {
  devoted,
  devotions,
  doubtfulLetters,
  doubtfulParticles,
  doubtfulTitles,
  firstNamesElsewhere,
  generations,
  iberianGivenNames,
  iberianSurnames,
  irishStems,
  knownGivenNames,
  leadingSurnames,
  letters,
  offices,
  particles,
  surnameOffices,
  titles,
  titlesOfFirstNames,
} from './name-words.rules.ts'

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
 * Parses a full name; null where that would be a guess: couples, firms, one word, other alphabets than the Latin one, names that could be read in two
 * ways. A name in capitals or small letters throughout is returned in the usual case.
 */
export function parseName(fullName: string, known: Known = { firstName: '', lastName: '' }): ParsedName | null {
  const text = cleanedName(fullName)
  if (text === null) return null
  const isOneCase = hasNoCase(text)
  const ordered = inOrder(text, isOneCase)
  if (ordered === null) return null
  const { words, surname } = ordered
  // "M. Dupont", "M. Gaud Breton": Monsieur, or an initial.
  if (words[0] === 'M.' && !isInitial(words[1] ?? '') && !isGivenName(words[1] ?? '')) return null
  const from = countTitles(words)
  const title = words.slice(0, from)
  const names = withoutLetters(words.slice(from), isOneCase, surname !== null)
  if (names === null) return null
  const isKnown = known.firstName !== '' || known.lastName !== ''
  if (isOffice([...names, ...(surname ?? [])], title.length > 0)) return null
  const parts = isKnown
    ? splitByKnownPart([...names, ...(surname ?? [])].join(' '), known)
    : surname
      ? { firstName: names.join(' '), lastName: surname.join(' ') }
      : partsOf(names, title, isOneCase)
  if (parts === null || parts.firstName.length + parts.lastName.length === 0) return null
  if (surname && !isKnown && !isGivenNameSide(names, surname)) return null
  const written = (part: string) => (isOneCase ? inNameCase(part, false) : part)
  // "Jean DUPONT".
  const isCaps = parts.lastName.length > 3 && parts.lastName === parts.lastName.toUpperCase()
  return {
    title: written(title.join(' ')),
    firstName: known.firstName || written(parts.firstName),
    lastName: known.lastName || (isOneCase || isCaps ? inNameCase(parts.lastName, true) : parts.lastName),
  }
}

/** A word in the form of the lists. */
function bare(word: string): string {
  return word
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[.,’'ªº]/g, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ø', 'o')
    .replaceAll('ł', 'l')
}

const isInitial = (word: string) => /^\p{L}\.?$/u.test(word) || /^(?:\p{L}\.-?)+\p{L}?\.?$/u.test(word)
const isGivenName = (word: string) => {
  const plain = bare(word)
  const [first = ''] = plain.split('-')
  return [plain, first].some(
    (name) => isKnownFirstName(name) || knownGivenNames.has(name) || iberianGivenNames.has(name),
  )
}

/** One line in Latin letters, without nicknames, with degrees joined; null for what is not a person's name. */
function cleanedName(fullName: string): string | null {
  const text = fullName
    .normalize('NFC')
    // "Ph. D." and "M. D." are one word each.
    .replaceAll(/\bPh\.?\s*D\b\.?/gi, 'PhD')
    .replaceAll(/\b([MDB])\.\s+([DASE])\.(?=\s*(?:,|$))/g, '$1$2')
    .replaceAll(/\bD\.\s?D\.\s?S\b\.?/gi, 'DDS')
    // "James “Mike” Dyer", "Shrikanth (Shri) Narayanan": nicknames, never the end of a name.
    .replaceAll(/\s(?:"\p{L}[\p{L}. -]*"|“\p{L}[\p{L}. -]*”|\(\p{L}[\p{L}.-]*\))(?=\s+\p{L})/gu, '')
    .replaceAll(/[\s\u00a0]+/g, ' ')
    .replaceAll(/\s+,/g, ',')
    .trim()
  if (text === '' || text.length > 120) return null
  if (!/^[\p{Script=Latin}\p{M}\s.,'’‘`ªº-]+$/u.test(text)) return null
  // "von und zu" is a particle.
  if (/\b(?:and|und|et)\b/i.test(text.replaceAll(/\bvon und zu\b/gi, ''))) return null
  return text
}

/** The words in spoken order, with the surname where a comma, or capitals, separate it. */
function inOrder(text: string, isOneCase: boolean): { words: string[]; surname: string[] | null } | null {
  const pieces = text.split(',').map((piece) =>
    piece
      .trim()
      .split(' ')
      .filter((word) => bare(word) !== ''),
  )
  while (pieces.length > 1 && pieces.at(-1)?.length === 0) return null
  // After a comma, these are always letters after the name, whatever else they could be.
  while (pieces.length > 1 && pieces.at(-1)?.every((word) => isLetters(word))) pieces.pop()
  const [first = [], second, ...more] = pieces
  if (more.length > 0 || first.length === 0) return null
  if (second === undefined) return capitalSurname(first, isOneCase) ?? { words: first, surname: null }
  if (second.length === 0) return null
  // "RODRIGUEZ JR, FRANCISCO"; the code for the rest handles "Smith, John III" and "Smith, Mr John".
  const surname = [...first]
  let front: string[] = []
  while (surname.length > 1 && isGenerationOrLetters(surname.at(-1) as string)) surname.pop()
  const inFront = countTitles(surname)
  if (inFront > 0 && inFront < surname.length) front = surname.splice(0, inFront)
  if (surname.length > 4 || isLetters(surname[0] as string)) return null
  return { words: [...front, ...second], surname }
}

const isLetters = (word: string) => {
  const plain = bare(word)
  return generations.has(plain) || letters.has(plain) || doubtfulLetters.has(plain) || plain === 'v' || plain === 'i'
}

const isGenerationOrLetters = (word: string) => {
  const plain = bare(word)
  return generations.has(plain) || (letters.has(plain) && !doubtfulLetters.has(plain))
}

/** "DUPONT Jean", "Jean DUPONT": in a name with lower-case letters, capitals mark the surname. */
function capitalSurname(words: readonly string[], isOneCase: boolean): { words: string[]; surname: string[] } | null {
  if (isOneCase || words.length < 2) return null
  const isCaps = (word: string) =>
    /\p{Lu}{2}/u.test(word) && word === word.toUpperCase() && !isLetters(word) && !titles.has(bare(word))
  const caps = words.map((word) => isCaps(word) || (/^(?:mc|mac)\p{Lu}{2,}$/iu.test(word) && /\p{Lu}{3}$/u.test(word)))
  if (!caps[0]) return null
  let to = 1
  while (to < words.length && (caps[to] || (particles.has(bare(words[to] as string)) && caps[to + 1]))) to++
  const rest = words.slice(to)
  const isClear = rest.length > 0 && !caps.slice(to).some(Boolean) && isGivenName(rest[0] as string)
  return isClear ? { words: rest, surname: words.slice(0, to) } : null
}

function countTitles(words: readonly string[]): number {
  let count = 0
  while (count < words.length - 1 && isTitle(words, count)) count++
  return count === words.length - 1 && words.length > 0 && titles.has(bare(words[count] as string)) && count > 0
    ? count + 1
    : count
}

function isTitle(words: readonly string[], at: number): boolean {
  const word = words[at] as string
  const plain = bare(word)
  // "The Hon. Mrs Ada Finch".
  if (plain === 'the') return /^(?:rt|hon|rev|revd|very|ven)/.test(bare(words[at + 1] ?? ''))
  if (!titles.has(plain) || word.includes('-')) return plain === 'dipl-ing'
  if (!doubtfulTitles.has(plain)) return true
  if (word.endsWith('.') && plain.length > 2) return true
  const left = words.slice(at + 1)
  // "Earl Jones", "Don Johnson" and "M. Dupont" may be names.
  return (
    left.length > 1 && isGivenName(left[0] as string) && word.length > 0 && (plain.length > 1 || word.endsWith('.'))
  )
}

/** The words without the generations and letters after them; null where a last word may be either. */
function withoutLetters(words: readonly string[], isOneCase: boolean, isApart: boolean): string[] | null {
  let to = words.length
  while (to > 1) {
    const word = words[to - 1] as string
    const plain = bare(word)
    const left = words.slice(0, to - 1)
    const isWhole = isApart || (left.length > 1 && !isInitial(left.at(-1) as string))
    if (plain === 'v' || plain === 'i') {
      if (!isOneCase && isWhole && word === word.toUpperCase() && !isApart) {
        to--
        continue
      }
      break
    }
    if (!isLetters(word)) break
    if (generations.has(plain) || !doubtfulLetters.has(plain)) {
      // "DOUGLASS III": a surname alone.
      to--
      continue
    }
    // "JAMES J MA": without this there is no surname.
    if (!isWhole) break
    const isClear = word.includes('.') || (!isOneCase && /^\p{Lu}{2,}$/u.test(word))
    if (!isClear && isOneCase && left.length >= 2) return null
    if (!isClear) break
    to--
  }
  return words.slice(0, to)
}

function isOffice(names: readonly string[], hasTitle: boolean): boolean {
  const plain = names.flatMap((word) => bare(word).split('-'))
  return plain.some((word, index) => {
    if (word === 'of') return true
    if (!offices.has(word)) return false
    // "Charlotte Church", "Mr Banks".
    const isSurname =
      surnameOffices.has(word) && index === plain.length - 1 && (hasTitle || isGivenName(names[0] as string))
    return !isSurname
  })
}

/** A given name on its side of the comma: "John, Smith" and "Smith, Jones" have none. */
function isGivenNameSide(names: readonly string[], surname: readonly string[]): boolean {
  if (names.length === 0 || names.length > 4) return false
  const [first = ''] = names
  return isInitial(first) || isGivenName(first) || surname.length > 1 || !isGivenName(surname[0] as string)
}

function partsOf(names: readonly string[], title: readonly string[], isOneCase: boolean): Known | null {
  if (names.length === 0) return null
  if (names.length === 1) return titled(names[0] as string, title)
  if (names.every((word) => isInitial(word))) return null
  const last = names.at(-1) as string
  // "John P", "Smith J".
  if (isInitial(last)) return null
  const plain = names.map(bare)
  const at = surnameAt(names, plain, { isOneCase, hasTitle: title.length > 0 })
  if (at === null) return null
  const first = names.slice(0, at)
  if (first.filter((word) => !isInitial(word)).length > maxFirstNames) return null
  return { firstName: first.join(' '), lastName: names.slice(at).join(' ') }
}

/** The surname of a single word after a title: "Mr Smith" has one, "Madonna" does not, and in "Sister Mary" the word is a first name. */
function titled(name: string, title: readonly string[]): Known | null {
  const [word = ''] = title
  if (title.length === 0 || isInitial(name)) return null
  const isFirst = titlesOfFirstNames.has(bare(word)) && isGivenName(name)
  return isFirst ? null : { firstName: '', lastName: name }
}

/** Where the surname begins; null where that cannot be determined. */
function surnameAt(
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
  if (
    count === 3 &&
    /^(?:kim|lee|park|choi|cho|han|oh)$/.test(one) &&
    plain.slice(1).every((word) => word.length < 5 && !isGivenName(word))
  )
    return null
  // "LE GALL YANN".
  if (count > 2 && leadingParticles.has(one)) return null
  const particle = particleAt(names, plain, isOneCase)
  if (particle > 0) return particle
  // "Major Smith" is a rank or a first name.
  if (count === 2 && ranks.has(one)) return null
  // "BBC Worldwide".
  if (!isOneCase && /^\p{Lu}{3,}$/u.test(names[0] as string) && !isGivenName(one)) return null
  if (count === 2) {
    const isReversed = !hasTitle && !isInitial(names[0] as string) && !isGivenName(one) && isOnlyGivenName(two)
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

const leadingParticles = new Set('le de van von di du del della der ter ten den da dos'.split(' '))
const ranks = new Set('major judge justice general count baron brother sister master dame'.split(' '))

/** First names that are also common surnames: in last position they are not evidence. */
const alsoSurnames = new Set(
  (
    'james thomas martin george john david paul simon lewis scott ross stuart stewart graham allan allen alan craig bruce keith neil neal lee ray ' +
    'henry anthony arthur charles francis frank daniel samuel benjamin joseph jordan taylor kelly gordon russell leslie clifford howard stanley ' +
    'dean glenn grant kent todd tracy shannon ryan morgan owen evan evans lloyd vaughan percy nelson wallace warren wayne douglas duncan donald ' +
    'kim may rose grace joy hope faith dale gale gene oliver alexander andrew andrews matthew matthews peter peters mark marks luke abraham jacob ' +
    'isaac adam adams victor vincent bernard gerard gilbert albert alfred barry terry jerome clark curtis dennis elliott elliot harvey hugh hughes ' +
    'jack max miles mitchell noel patrick philip phillips raymond richard robert roberts roger rogers roy rudolph spencer stephen stephens steven ' +
    'stevens walter ward william williams tony simon michel bernard laurent vincent denis guy leon marcel moritz ernst otto franz friedrich ' +
    'werner walter hermann arnold ali ahmed hassan hussein khan omar mohammed mohamed ibrahim karim paolo luca costa rosa santos bruno franco ' +
    'lorenzo mario marco carlo vitale abdullah khalid yusuf'
  ).split(' '),
)
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
  if (word === word.toLowerCase() && !isOneCase) return true
  // "Juan De La Cruz": after another particle.
  if (index > 1 && particles.has(plain[index - 1] ?? '') && plainWord !== 'ben') return true
  if (plainWord === 'do' && iberianSurnameScore(names[index + 1] as string) > 0) return true
  return (
    ['del', 'al', 'la', 'lo', 'le', 'du', 'san', 'santa', 'mac', 'ni', 'saint'].includes(plainWord) &&
    index === names.length - 2
  )
}

/** One of the two is known: the full name has to begin or end with it, and the rest is the other. */
function splitByKnownPart(whole: string, { firstName, lastName }: Known): Known | null {
  const lower = whole.toLowerCase()
  if (lastName !== '') {
    const rest = lower.endsWith(` ${lastName.toLowerCase()}`) ? whole.slice(0, -lastName.length).trim() : ''
    return rest === '' ? null : { firstName: rest, lastName }
  }
  const rest = lower.startsWith(`${firstName.toLowerCase()} `) ? whole.slice(firstName.length).trim() : ''
  return rest === '' ? null : { firstName, lastName: rest }
}
