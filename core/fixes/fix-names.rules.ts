import { madeFullName } from '../readers/full-name.rules.ts'

export interface NameFields {
  title: string
  firstName: string
  lastName: string
  fullName: string
}

/** The name with its empty full name made of its parts; null when there is none to make it of. */
export function withFullName(name: NameFields): NameFields | null {
  if (name.fullName !== '' || (name.firstName === '' && name.lastName === '')) return null
  return { ...name, fullName: madeFullName(name) }
}

const honorifics = new Set(
  (
    'mr mrs miss ms mx master dr doctor prof professor sir dame lord lady hon rev revd reverend canon father fr sister brother rabbi imam ' +
    'judge captain capt major maj colonel col lt sgt baron baroness viscount viscountess earl countess rt the'
  ).split(' '),
)
/** What may stand behind a name and is no part of it; the full name keeps it. */
const suffixes = new Set(
  'jr jnr junior sr snr senior ii iii iv obe mbe cbe kbe bem phd esq esquire bsc msc ba ma md qc kc jp mp frcs fca dl'.split(
    ' ',
  ),
)
/** What a surname begins with. */
const particles = new Set(
  'van von vom zu de der den del della di da dal dos das du des la le les ter ten af av bin ibn al el st saint san santa mac mc y e'.split(
    ' ',
  ),
)
/** A name with one of these is an office's, not a person's. */
const offices = new Set(
  (
    'ltd limited plc llp inc gmbh bv company co library school college university hospital society club council church trust nurseries ' +
    'dept department office centre center association group partners services the and accounts subscriptions'
  ).split(' '),
)

/** Longest names that are taken apart without a surname to go by: more are nobody's to guess. */
const maxWords = 4

/**
 * The name with its empty first and last name, and an empty title, taken out of the full name: "Dr. Jan van der Berg", "Smith, John",
 * "Mr J R Tolkien OBE". What is there already is never written over, and must fit. Null when it cannot be told: couples, offices,
 * one word, emails, a surname that the full name does not end with.
 */
export function withNameFields(name: NameFields): NameFields | null {
  if (name.firstName !== '' && name.lastName !== '') return null
  const split = splitFullName(name.fullName, name)
  if (!split) return null
  const after = {
    ...name,
    title: name.title || split.title.slice(0, 30),
    firstName: name.firstName || split.firstName,
    lastName: name.lastName || split.lastName,
  }
  const isLonger = after.firstName.length > 100 || after.lastName.length > 100
  return isLonger || (after.firstName === name.firstName && after.lastName === name.lastName) ? null : after
}

const bare = (word: string) => word.toLowerCase().replaceAll(/[.,]/g, '')

function splitFullName(
  fullName: string,
  known: { firstName: string; lastName: string },
): { title: string; firstName: string; lastName: string } | null {
  if (/[&+@\d/()]/.test(fullName) || /\b(?:and|und|et)\b/i.test(fullName)) return null
  const turned = inOrder(fullName)
  if (turned === null) return null
  const words = turned.split(/\s+/).filter((word) => bare(word) !== '')
  let from = 0
  while (from < words.length && honorifics.has(bare(words[from] as string))) from++
  let to = words.length
  while (to > from && suffixes.has(bare(words[to - 1] as string))) to--
  const title = words.slice(0, from).join(' ')
  const names = words.slice(from, to)
  // "The" alone in front is no title.
  if (
    names.length === 0 ||
    bare(title) === 'the' ||
    names.flatMap((word) => loose(word).split(' ')).some((word) => offices.has(bare(word)))
  )
    return null
  const parts = partsOf(names, known, title !== '')
  return parts && { title, ...parts }
}

/** "Smith, John" turned round; null where more commas say that it is something else. A comma in front of a suffix parts nothing. */
function inOrder(fullName: string): string | null {
  const pieces = fullName.split(',').map((piece) => piece.trim())
  while (pieces.length > 1 && (pieces.at(-1) as string).split(/\s+/).every((word) => suffixes.has(bare(word))))
    pieces.pop()
  if (pieces.length === 1) return pieces[0] as string
  if (pieces.length > 2 || pieces.includes('')) return null
  return turnedRound(pieces[0] as string, pieces[1] as string)
}

/** The surname goes last; an honorific that follows the comma stays in front. */
function turnedRound(surname: string, rest: string): string {
  return `${rest} ${surname.split(/\s+/).join(hard)}`
}

/** Holds the words of a surname together that was written apart from the rest. */
const hard = '\u001f'
const loose = (text: string) => text.replaceAll(hard, ' ')

function partsOf(
  names: string[],
  known: { firstName: string; lastName: string },
  hasTitle: boolean,
): { firstName: string; lastName: string } | null {
  if (known.lastName !== '' || known.firstName !== '') return besideKnown(names.map(loose).join(' '), known)
  if (names.length === 1) {
    // "Mr Smith" says whose name it is, "Madonna" does not.
    return hasTitle ? { firstName: '', lastName: loose(names[0] as string) } : null
  }
  let at = names.length - 1
  for (let index = 1; index < names.length - 1; index++) {
    if (particles.has(bare(names[index] as string))) {
      // "Ortega y Gasset": the word in front of an "y" belongs to the surname.
      at = ['y', 'e'].includes(bare(names[index] as string)) ? Math.max(1, index - 1) : index
      break
    }
  }
  const first = names.slice(0, at)
  const isGuess = first.filter((word) => bare(word).length > 1).length > maxWords - 1
  return isGuess ? null : { firstName: loose(first.join(' ')), lastName: loose(names.slice(at).join(' ')) }
}

/** One of the two is there: the full name has to begin or end with it, and the rest is the other. */
function besideKnown(
  whole: string,
  { firstName, lastName }: { firstName: string; lastName: string },
): { firstName: string; lastName: string } | null {
  const lower = whole.toLowerCase()
  if (lastName !== '') {
    const rest = lower.endsWith(` ${lastName.toLowerCase()}`) ? whole.slice(0, -lastName.length).trim() : ''
    return rest === '' ? null : { firstName: rest, lastName }
  }
  const rest = lower.startsWith(`${firstName.toLowerCase()} `) ? whole.slice(firstName.length).trim() : ''
  return rest === '' ? null : { firstName, lastName: rest }
}
