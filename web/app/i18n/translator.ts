import type { Day } from '#core/kernel/dates.ts'
import { type Language, locales } from '#core/kernel/languages.ts'
import { formatMoney, type Money } from '#core/kernel/money.ts'

/** English text -> text of one language. `{name}` stands for a value. */
export type Messages = Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>

/** Says a text in the visitor's language. The English text is the key; what is not translated is said in English. */
export interface Translator {
  (text: string, values?: Values): string
  readonly language: Language
  /** "1 issue", "3 issues": `one` and `many` are two texts with {count} in them. */
  count(count: number, one: string, many: string): string
  /** A finished English sentence of the core (an error), also one with values in it. */
  sentence(text: string): string
  money(money: Money): string
  day(day: Day): string
}

export function makeTranslator(language: Language, messages: Messages): Translator {
  const locale = locales[language]
  const plural = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const translate = (text: string, values?: Values) => fill(messages[text] ?? text, values)
  return Object.assign(translate, {
    language,
    count: (count: number, one: string, many: string) =>
      translate(plural.select(count) === 'one' ? one : many, { count: numbers.format(count) }),
    sentence: (text: string) => (language === 'en' ? text : inLanguage(text, messages)),
    money: (money: Money) => plainSpaces(formatMoney(money, locale)),
    day: (day: Day) => plainSpaces(days.format(new Date(`${day}T00:00:00Z`))),
  })
}

const slot = /\{(\w+)\}/g

function fill(text: string, values: Values = {}): string {
  return text.replaceAll(slot, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

/** Servers and browsers differ in which no-break space they write; a page must come out the same from both. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202F', '\u00A0')
}

interface Pattern {
  pattern: RegExp
  names: string[]
  text: string
  /** How many letters of it are not slots. */
  weight: number
}

const patterns = new WeakMap<Messages, Pattern[]>()
/** A text that is hardly more than slots ("{count} days") would be found in anything. */
const leastWeight = 10

/** By the sentence itself, else by the text with slots that it was made from, the most telling first; else part by part, as plans are named. */
function inLanguage(sentence: string, messages: Messages): string {
  const exact = messages[sentence]
  if (exact) return exact
  let known = patterns.get(messages)
  if (!known) {
    known = Object.entries(messages)
      .flatMap(([english, text]) => patternOf(english, text))
      .sort((a, b) => b.weight - a.weight)
    patterns.set(messages, known)
  }
  for (const { pattern, names, text } of known) {
    const found = pattern.exec(sentence)
    if (!found) continue
    const values = names.map((name, index) => [name, inParts(found[index + 1] ?? '', messages)])
    return fill(text, Object.fromEntries(values))
  }
  const sentences = sentence.split(sentenceEnd)
  if (sentences.length > 1) return sentences.map((one) => inLanguage(one, messages)).join(' ')
  return inParts(sentence, messages)
}

const sentenceEnd = /(?<=[.?]) (?=[“A-Z])/

function patternOf(english: string, text: string): Pattern[] {
  const names = [...english.matchAll(slot)].map(([, name = '']) => name)
  const parts = english.split(slot).filter((_, index) => index % 2 === 0)
  const weight = parts.join('').length
  if (names.length === 0 || weight < leastWeight) return []
  // What stands in quotation marks ends with them: two such sentences in a row are two.
  const pattern = parts.map(escaped).join('(.+?)').replaceAll('“(.+?)”', '“([^”]+)”')
  return [{ pattern: new RegExp(`^${pattern}$`, 's'), names, text, weight }]
}

/** "Print, one year, renews automatically": only where every part is known, else it is a name and stays as it is. */
function inParts(text: string, messages: Messages): string {
  const parts = text.split(', ').map((part) => messages[part])
  return parts.every((part) => part !== undefined) ? parts.join(', ') : text
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
