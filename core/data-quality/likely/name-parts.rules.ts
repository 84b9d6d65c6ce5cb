import { textKey } from '../../readers/reader-keys.rules.ts'

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
}

const men = new Set(['mr', 'sir', 'lord', 'master', 'fr', 'father', 'brother', 'baron', 'earl', 'monsieur', 'herr'])
const women = new Set(['mrs', 'miss', 'ms', 'dame', 'lady', 'madam', 'sister', 'baroness', 'countess', 'mme', 'frau'])
const otherTitles = new Set([
  'mx', 'dr', 'doctor', 'prof', 'professor', 'rev', 'revd', 'reverend', 'hon', 'the', 'rt', 'captain', 'capt', 'major', 'maj', 'col',
  'colonel', 'lt', 'sgt', 'cmdr', 'admiral', 'general', 'gen', 'canon', 'cllr', 'judge', 'messrs',
]) // biome-ignore format: a word list
const letters = new Set([
  'obe',
  'mbe',
  'cbe',
  'kbe',
  'phd',
  'esq',
  'esquire',
  'bsc',
  'msc',
  'qc',
  'kc',
  'jp',
  'mp',
  'frcs',
  'bem',
])
const generations: Record<string, string> = {
  jr: 'jr', jnr: 'jr', junior: 'jr', sr: 'sr', snr: 'sr', senior: 'sr', ii: '2', iii: '3', iv: '4', '2nd': '2', '3rd': '3',
} // biome-ignore format: a table

interface NameFields {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** Takes a name apart: from its own fields, or from the full name where one of them is missing. */
export function nameParts({ title, firstName, lastName, fullName }: NameFields): NameParts {
  const parts: NameParts = { first: '', middle: '', last: '', gender: '', generation: '', isCouple: false }
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
  return named(parts, { first, last })
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
  if (/[&+]|\band\b/i.test(text) && /\b(mr|mrs|ms|dr)\b/i.test(text)) parts.isCouple = true
  const words: string[] = []
  for (const word of textKey(text).split(' ')) {
    if (word === '' || word === 'and') continue
    if (men.has(word)) parts.gender = parts.gender === 'f' ? '' : 'm'
    else if (women.has(word)) parts.gender = parts.gender === 'm' ? '' : 'f'
    else if (otherTitles.has(word) || letters.has(word)) continue
    else if (word in generations) parts.generation = generations[word] as string
    else if (!isTitle || word.length > 3) words.push(word)
  }
  if (parts.isCouple) parts.gender = ''
  return words
}
