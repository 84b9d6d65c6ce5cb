import { editDistance } from './edit-distance.ts'

// Created on first use: both cost milliseconds that `subscriptions --help` would waste.
let rules: Intl.PluralRules | undefined
let numbers: Intl.NumberFormat | undefined

/** A number as displayed: 12,345. */
export function formatCount(count: number): string {
  numbers ??= new Intl.NumberFormat('en-GB')
  return numbers.format(count)
}

/** "1 reader", "2,340 readers": the one function that prints a count with its noun. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  rules ??= new Intl.PluralRules('en-GB')
  return `${formatCount(count)} ${rules.select(count) === 'one' ? one : many}`
}

/** A user's input, quoted: in quotation marks, a long one shortened. */
export function quoted(text: string): string {
  return `"${shortened(text, 60)}"`
}

/** A text cut after `max` UTF-16 units, with an ellipsis; never within a surrogate pair, such as an emoji. */
export function shortened(text: string, max: number): string {
  return text.length > max ? `${cutText(text, max)}…` : text
}

/** The first `max` UTF-16 units of a text, without half of a surrogate pair. */
export function cutText(text: string, max: number): string {
  return text.length > max ? text.slice(0, max).replace(/[\ud800-\udbff]$/, '') : text
}

/** The largest edit distance at which two strings count as near: one typo in short words, two in longer ones. */
function maxTypos(word: string): number {
  return word.length <= 4 ? 1 : 2
}

/** The known word nearest to a mistyped one, or undefined when none is near. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = maxTypos(word) + 1
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance - 1)
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}
