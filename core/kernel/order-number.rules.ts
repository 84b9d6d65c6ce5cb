/** The letters and digits of order numbers: none that are easily confused over the telephone. */
export const orderNumberLetters = '23456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Characters after `OD-`. */
const length = 7
const part = new RegExp(`^(?:(?:O?D)?-)?[${orderNumberLetters}]*$`, 'i')
const whole = new RegExp(`^OD-[${orderNumberLetters}]{${length}}$`, 'i')

/** Where a search word is looked for in order numbers. */
export interface NumberSearch {
  /** The word is the `whole` number, its `start`, or any `part` of it. */
  as: 'whole' | 'start' | 'part'
  /** In upper case; only a part is without `OD-`. */
  text: string
}

/**
 * How a search word is looked for in order numbers such as OD-7KQ2MXA, or null where none can contain it. Letters alone are looked for at the start
 * only: a search for the name Ann should not find numbers with ANN in them. One or two characters occur in many numbers by chance: they are not looked
 * for.
 */
export function numberSearch(word: string): NumberSearch | null {
  if (word.length < 3 || !part.test(word)) return null
  const text = word.toUpperCase()
  if (whole.test(word)) return { as: 'whole', text }
  const isPart = /\d/.test(word) && !word.includes('-')
  return isPart ? { as: 'part', text } : { as: 'start', text: text.replace(/^(?:O?D)?-|^/, 'OD-') }
}

/** The positions, counted from 1, at which a part of an order number can begin. For each there is an index on the numbers from that position on. */
export function placesOfPart(text: string): number[] {
  return Array.from({ length: Math.max(0, length - text.length + 1) }, (_, index) => 'OD-'.length + 1 + index)
}
