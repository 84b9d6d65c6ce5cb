import type { Day } from '#core/kernel/dates.ts'
import { type Language, locales } from '#core/kernel/languages.ts'
import { formatMoney, type Money } from '#core/kernel/money.ts'
import { fillSlots, type Phrase, renderPhrase } from '#core/kernel/phrases.ts'

/** English text -> text of one language. `{name}` stands for a value. */
export type Messages = Readonly<Record<string, string>>

type Values = Readonly<Record<string, string | number>>

/** Says a text in the visitor's language. The English text is the key; what is not translated is said in English. */
export interface Translator {
  (text: string, values?: Values): string
  readonly language: Language
  /** "1 issue", "3 issues": `one` and `many` are two texts with {count} in them. */
  count(count: number, one: string, many: string): string
  /** What the core says, such as an error. */
  phrase(phrase: Phrase): string
  money(money: Money): string
  day(day: Day): string
}

export function makeTranslator(language: Language, messages: Messages): Translator {
  const locale = locales[language]
  const plural = new Intl.PluralRules(locale)
  const numbers = new Intl.NumberFormat(locale)
  const days = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const translate = (text: string, values: Values = {}) => fillSlots(messages[text] ?? text, values)
  return Object.assign(translate, {
    language,
    count: (count: number, one: string, many: string) =>
      translate(plural.select(count) === 'one' ? one : many, { count: numbers.format(count) }),
    phrase: (phrase: Phrase) => renderPhrase(phrase, (template) => messages[template] ?? template),
    money: (money: Money) => plainSpaces(formatMoney(money, locale)),
    day: (day: Day) => plainSpaces(days.format(new Date(`${day}T00:00:00Z`))),
  })
}

/** Servers and browsers differ in which no-break space they write; a page must come out the same from both. */
function plainSpaces(text: string): string {
  return text.replaceAll('\u202F', '\u00A0')
}
