import { textKey } from '../kernel/search-keys.rules.ts'
import { isKnownFirstName } from './first-names.rules.ts'

/** A person's name split into parts that can be compared: in lower case, without accents, titles and letters after the name. */
export interface NameParts {
  /** The first of the first names, or an initial; empty when none is known. */
  first: string
  /** Further first names or initials, without spaces. */
  middle: string
  /** The surname without spaces. */
  last: string
  /** `m` or `f` if the title says so. */
  gender: '' | 'm' | 'f'
  /** jr, sr, 2, 3 ..., or `boy` for Master. */
  generation: string
  /** Mr and Mrs in one record. */
  isCouple: boolean
  /** First name and surname were in each other's fields; here they are swapped back. */
  wasSwapped: boolean
}

/** Words in a name that are not part of it, by their meaning: a gender, a generation, or none. */
const men = 'mr sir lord fr father brother baron earl monsieur herr'
const women = 'mrs miss ms dame lady madam sister baroness countess mme frau'
const ignored =
  'mx dr doctor prof professor rev revd reverend hon the rt captain capt major maj col colonel lt sgt cmdr admiral general gen canon cllr ' +
  'judge messrs obe mbe cbe kbe phd esq esquire bsc msc qc kc jp mp frcs bem and'
const generations = { jr: 'jr jnr junior', sr: 'sr snr senior', 2: 'ii 2nd', 3: 'iii 3rd', 4: 'iv' }

const meanings = new Map<string, string>([
  ...men.split(' ').map((word) => [word, 'm'] as const),
  ...women.split(' ').map((word) => [word, 'f'] as const),
  ...ignored.split(' ').map((word) => [word, ''] as const),
  ['master', 'boy'],
  ...Object.entries(generations).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
])

/** Alone in the field of the first name, these are initials: J. R. and K. C., not junior and King's Counsel. */
const twoInitials = new Set(['jr', 'sr', 'kc', 'jp', 'mp'])

type Words = readonly string[]

interface NameFields {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** Parses a name from the fields of first name and surname, or from the full name if one of them is missing. */
export function nameParts({ title, firstName, lastName, fullName }: NameFields): NameParts {
  const parts: NameParts = {
    first: '',
    middle: '',
    last: '',
    gender: '',
    generation: '',
    isCouple: false,
    wasSwapped: false,
  }
  const titleWords = wordsOf(title, parts, true)
  const first = twoInitials.has(firstName.trim().toLowerCase())
    ? [firstName.trim().toLowerCase()]
    : wordsOf(firstName, parts, false)
  let last = wordsOf(lastName, parts, false)
  if (titleWords.length > 0 && first.length === 0 && last.length === 0) last = titleWords
  if (first.length === 0 || last.length === 0) {
    const comma = fullName.indexOf(',')
    const inOrder = comma > 0 ? `${fullName.slice(comma + 1)} ${fullName.slice(0, comma)}` : fullName
    const whole = wordsOf(inOrder, parts, false)
    if (whole.length > first.length + last.length) return named(parts, ...splitWhole(whole, first, last))
    // A surname alone may have several words; only separate words may contain a first name.
    if (first.length === 0 && last.length > 1 && lastName.trim().includes(' ') && !particles.has(last[0] as string))
      return named(parts, ...splitWhole(last, none, none))
  }
  parts.wasSwapped = areSwapped(first, last)
  return parts.wasSwapped ? named(parts, last, first) : named(parts, first, last)
}

/** Whether a first name is in the surname's field and none in its own: "Evans | Brian G". */
function areSwapped(firstWords: Words, lastWords: Words): boolean {
  const [first = ''] = firstWords
  const [last = ''] = lastWords
  return (
    first.length > 1 &&
    firstWords.length === 1 &&
    isKnownFirstName(last) &&
    !isKnownFirstName(first) &&
    lastWords.every((word, index) => index === 0 || word.length === 1)
  )
}

function named(parts: NameParts, first: Words, last: Words): NameParts {
  const [firstWord = ''] = first
  // Two consonants, such as "RJ", are two initials.
  const isInitials = firstWord.length === 2 && !/[aeiouy]/.test(firstWord)
  parts.first = isInitials ? (firstWord[0] as string) : firstWord
  parts.middle = isInitials ? firstWord.slice(1) : ''
  for (let index = 1; index < first.length; index++) parts.middle += first[index]
  parts.last = last.length === 1 ? (last[0] as string) : last.join('')
  return parts
}

/** Splits a full name into first names and surname; `first` and `last` are what is already known of them. */
function splitWhole(whole: Words, first: Words, last: Words): [Words, Words] {
  if (last.length > 0) return [whole.filter((word) => !last.includes(word)), last]
  if (first.length > 0) return [first, whole.filter((word) => !first.includes(word))]
  let from = whole.length - 1
  while (from > 1 && particles.has(whole[from - 1] as string)) from--
  return [whole.slice(0, from), whole.slice(from)]
}

const particles = new Set('van von de der den di la le st al el mac mc o bin ter du'.split(' '))

/** The words of a text that are part of the name; the meaning of its other words is stored in `parts`. */
function wordsOf(text: string, parts: NameParts, isTitle: boolean): Words {
  if (text === '') return none
  const { words, otherMeanings, isCouple } = splitName(text)
  if (isCouple) parts.isCouple = true
  for (const meaning of otherMeanings) {
    if (meaning === 'm') parts.gender = parts.gender === 'f' ? '' : 'm'
    else if (meaning === 'f') parts.gender = parts.gender === 'm' ? '' : 'f'
    else parts.generation = meaning
    if (meaning === 'boy') parts.gender = 'm'
  }
  if (parts.isCouple) parts.gender = ''
  return isTitle ? words.filter((word) => word.length > 3) : words
}

const none: Words = []

/** A text split into the words that are part of the name and the meanings of the others, in their order. */
interface NameWords {
  words: Words
  otherMeanings: Words
  isCouple: boolean
}

const cached = new Map<string, NameWords>()

/** Cached, since titles and names repeat. Only short texts are cached: a longer one may be a slice that keeps its whole page in memory. */
function splitName(text: string): NameWords {
  const cachedWords = cached.get(text)
  if (cachedWords) return cachedWords
  const words: string[] = []
  const otherMeanings: string[] = []
  for (const word of textKey(text).split(' ')) {
    if (word === '') continue
    const meaning = meanings.get(word)
    if (meaning === undefined) words.push(word)
    else if (meaning !== '') otherMeanings.push(meaning)
  }
  const isCouple = isSeveral(text) && /[&+]|\band\b/i.test(text) && /\b(mr|mrs|ms|dr)\b/i.test(text)
  const split = { words, otherMeanings, isCouple }
  if (text.length <= maxCachedLength) {
    if (cached.size >= 20_000) cached.clear()
    cached.set(text, split)
  }
  return split
}

const maxCachedLength = 12
const isSeveral = (text: string) => text.includes(' ') || text.includes('&') || text.includes('+')
