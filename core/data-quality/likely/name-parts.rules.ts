import { textKey } from '../../readers/reader-keys.rules.ts'
import { isKnownFirstName } from './first-names.rules.ts'

/** A person's name in comparable words: lower case, without accents, titles and letters after the name. */
export interface NameParts {
  /** The first of the first names, or an initial; empty when none is known. */
  first: string
  /** Further first names or initials, without spaces. */
  middle: string
  /** The surname without spaces. */
  last: string
  /** m or f where the title says so. */
  gender: '' | 'm' | 'f'
  /** jr, sr, 2, 3 ... */
  generation: string
  /** Mr and Mrs in one record. */
  isCouple: boolean
  /** First name and surname were found in each other's field, and put right here. */
  isTurned: boolean
}

/** What the words of a name say that are not the name; the generations stand for themselves. */
const men = 'mr sir lord master fr father brother baron earl monsieur herr'
const women = 'mrs miss ms dame lady madam sister baroness countess mme frau'
const silent =
  'mx dr doctor prof professor rev revd reverend hon the rt captain capt major maj col colonel lt sgt cmdr admiral general gen canon cllr ' +
  'judge messrs obe mbe cbe kbe phd esq esquire bsc msc qc kc jp mp frcs bem and'
const generations = { jr: 'jr jnr junior', sr: 'sr snr senior', 2: 'ii 2nd', 3: 'iii 3rd', 4: 'iv' }

const sayings = new Map<string, string>([
  ...men.split(' ').map((word) => [word, 'm'] as const),
  ...women.split(' ').map((word) => [word, 'f'] as const),
  ...silent.split(' ').map((word) => [word, ''] as const),
  ...Object.entries(generations).flatMap(([name, words]) => words.split(' ').map((word) => [word, name] as const)),
])

interface NameFields {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** Takes a name apart: from its own fields, or from the full name where one of them is missing. */
export function nameParts({ title, firstName, lastName, fullName }: NameFields): NameParts {
  const parts: NameParts = {
    first: '',
    middle: '',
    last: '',
    gender: '',
    generation: '',
    isCouple: false,
    isTurned: false,
  }
  const given = wordsOf(title, parts, true)
  const first = wordsOf(firstName, parts, false)
  let last = wordsOf(lastName, parts, false)
  if (given.length > 0 && first.length === 0 && last.length === 0) last = given
  if (first.length === 0 || last.length === 0) {
    const comma = fullName.indexOf(',')
    const turned = comma > 0 ? `${fullName.slice(comma + 1)} ${fullName.slice(0, comma)}` : fullName
    const whole = wordsOf(turned, parts, false)
    if (whole.length > first.length + last.length) return named(parts, splitWhole(whole, first, last))
    // A surname alone may have several words; only what is written apart may hold a first name.
    if (first.length === 0 && last.length > 1 && lastName.trim().includes(' ') && !isParticle(last[0] as string))
      return named(parts, splitWhole(last, [], []))
  }
  parts.isTurned = isTurned(first, last)
  return named(parts, parts.isTurned ? { first: last, last: first } : { first, last })
}

/** "Evans | Brian G": a first name in the surname's place, and none in its own. */
function isTurned([first = '', ...moreFirst]: string[], [last = '', ...initials]: string[]): boolean {
  return (
    first.length > 1 &&
    moreFirst.length === 0 &&
    initials.every((word) => word.length === 1) &&
    isKnownFirstName(last) &&
    !isKnownFirstName(first)
  )
}

function named(parts: NameParts, { first, last }: { first: string[]; last: string[] }): NameParts {
  const [one = '', ...more] = first
  // "JR" in one word are two initials.
  const isInitials = one.length === 2 && !/[aeiouy]/.test(one)
  parts.first = isInitials ? (one[0] as string) : one
  parts.middle = (isInitials ? one.slice(1) : '') + more.join('')
  parts.last = last.join('')
  return parts
}

function splitWhole(whole: string[], first: string[], last: string[]): { first: string[]; last: string[] } {
  if (last.length > 0) return { first: whole.filter((word) => !last.includes(word)), last }
  if (first.length > 0) return { first, last: whole.filter((word) => !first.includes(word)) }
  let from = whole.length - 1
  while (from > 1 && isParticle(whole[from - 1] as string)) from--
  return { first: whole.slice(0, from), last: whole.slice(from) }
}

function isParticle(word: string): boolean {
  return [
    'van',
    'von',
    'de',
    'der',
    'den',
    'di',
    'la',
    'le',
    'st',
    'al',
    'el',
    'mac',
    'mc',
    'o',
    'bin',
    'ter',
    'du',
  ].includes(word)
}

/** The words of a name that are the name; what its other words say goes into `parts`. */
function wordsOf(text: string, parts: NameParts, isTitle: boolean): string[] {
  if (text === '') return []
  if (isSeveral(text) && /[&+]|\band\b/i.test(text) && /\b(mr|mrs|ms|dr)\b/i.test(text)) parts.isCouple = true
  const words: string[] = []
  for (const word of textKey(text).split(' ')) {
    if (word === '') continue
    const saying = sayings.get(word)
    if (saying === undefined) {
      if (!isTitle || word.length > 3) words.push(word)
    } else if (saying === 'm') parts.gender = parts.gender === 'f' ? '' : 'm'
    else if (saying === 'f') parts.gender = parts.gender === 'm' ? '' : 'f'
    else if (saying !== '') parts.generation = saying
  }
  if (parts.isCouple) parts.gender = ''
  return words
}

const isSeveral = (text: string) => text.includes(' ') || text.includes('&') || text.includes('+')
