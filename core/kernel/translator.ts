import { type DateFormat, dateFormats, formatDayAs } from './date-format.rules.ts'
import { type Language, locales } from './languages.ts'
import { formatMoney, type Money } from './money.ts'
import { fillSlots, type Phrase, renderPhrase, type ValueFormats } from './phrases.ts'

/** English text -> text of one language. `{name}` is the slot of a value. */
export type Messages = Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>

/**
 * Translates texts into the language of a visitor, or of an email's recipient. The English text is the key; a missing translation falls back to
 * English.
 */
export interface Translator extends ValueFormats {
  (text: string, values?: Values): string
  readonly language: Language
  /** "1 issue", "3 issues": `one` and `many` are two texts with {count} in them. */
  count(count: number, one: string, many: string): string
  /** A message of the core, such as an error. */
  phrase(phrase: Phrase): string
}

export function makeTranslator(
  language: Language,
  messages: Messages,
  dateFormat: DateFormat = dateFormats[language],
): Translator {
  const locale = locales[language]
  const plural = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const translate = (text: string, values: Values = {}) => fillSlots(messages[text] ?? text, values)
  const money = (value: Money) => plainSpaces(formatMoney(value, locale))
  const formats: ValueFormats = {
    day: (on) => formatDayAs(dateFormat, on),
    money,
    moneyWithCode: (value) => (language === 'en' ? `${money(value)}\u00A0${value.currency}` : money(value)),
  }
  return Object.assign(translate, {
    language,
    count: (count: number, one: string, many: string) =>
      translate(plural.select(count) === 'one' ? one : many, { count: numbers.format(count) }),
    phrase: (phrase: Phrase) => renderPhrase(phrase, (template) => messages[template] ?? template, formats),
    ...formats,
  })
}

/** Servers and browsers differ in which no-break space they write; both must render the page alike. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202F', '\u00A0')
}
