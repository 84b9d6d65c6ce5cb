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

const patterns = new WeakMap<Messages, { pattern: RegExp; names: string[]; text: string }[]>()

/** By the sentence itself, else by the text with slots that it was made from. */
function inLanguage(sentence: string, messages: Messages): string {
  const exact = messages[sentence]
  if (exact) return exact
  let known = patterns.get(messages)
  if (!known) {
    known = Object.entries(messages).flatMap(([english, text]) => {
      const names = [...english.matchAll(slot)].map(([, name = '']) => name)
      if (names.length === 0) return []
      const parts = english.split(slot).filter((_, index) => index % 2 === 0)
      return [{ pattern: new RegExp(`^${parts.map(escaped).join('(.+?)')}$`, 's'), names, text }]
    })
    patterns.set(messages, known)
  }
  for (const { pattern, names, text } of known) {
    const found = pattern.exec(sentence)
    if (found) return fill(text, Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])))
  }
  return sentence
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
