import { type Day, formatDay } from './dates.ts'
import { formatMoney, type Money } from './money.ts'

/**
 * A text for buyers, written by the core in English and translated where it is shown: an English template, a template with the values of its slots,
 * or several phrases joined. The template is the key of the translations. A plain string is a template without slots.
 */
export type Phrase = string | FilledPhrase | JoinedPhrases

export interface FilledPhrase {
  readonly template: string
  readonly values: Readonly<Record<string, PhraseValue>>
}

export interface JoinedPhrases {
  readonly phrases: readonly Phrase[]
  readonly by: string
}

/** A string or a number is used as it is; a day and an amount are formatted and a phrase translated for the language. */
export type PhraseValue = string | number | { readonly day: Day } | MoneyValue | FilledPhrase | JoinedPhrases

interface MoneyValue {
  readonly money: Money
  /** As `moneyWithCode` writes it. */
  readonly withCode?: true
}

/** How a language writes days and amounts; each `Translator` does. */
export interface ValueFormats {
  /** In numbers, in the local form. */
  day(day: Day): string
  money(money: Money): string
  /** A total: "£29.99 GBP" in English, with no line break before the code; in other languages the symbol alone, as is usual there: "29,99 £". */
  moneyWithCode(money: Money): string
}

const englishFormats: ValueFormats = {
  day: formatDay,
  money: (money) => formatMoney(money),
  moneyWithCode: (money) => `${formatMoney(money)}\u00A0${money.currency}`,
}

/** Field name to its problem. */
export type FieldPhrases = Record<string, Phrase>

/** Every template with slots that the core shows to buyers. A test requires each in every language. */
export const phraseTemplates = [
  '“{text}” looks like “{meant}” saved in the wrong encoding. Please correct it.',
  'Must be {max} characters or fewer',
  'Must be at least {min} characters',
  'Too many attempts. Please wait {minutes} minutes and try again.',
  'No addresses were found for {postCode}',
  'Choose {max} issues at most',
  'The price of {plan} is now {price}. Please check it and order again.',
  'The total is {total}. Please check it and order again.',
  'These issues are sold in another currency there: the total is {total}. Please check it and order again.',
  'You have {product} until further notice.',
  'You have {product} until {day}. This order is for a second subscription alongside it.',
  'You have {product} until {day}. This order continues it from {start}.',
  'You have {product} until {day}. This order changes it to {bundle} at once and continues it from {start}.',
  '{title} is not sold in this country',
  '{title} is not taking new subscriptions at the moment. If you are already a reader, log in to renew.',
  '“{volume}” is out of stock. Please remove it from your order.',
  '“{volume}” is no longer on sale. Please remove it from your order.',
  '“{volume}” is not sold in this country. Please remove it from your order.',
  'Unfortunately payments cannot currently be taken. Please contact the publisher on {telephone} or by emailing {email} quoting error code: AC74',
  'Unfortunately payments cannot currently be taken. Please contact the publisher by emailing {email} quoting error code: AC74',
] as const

export type PhraseTemplate = (typeof phraseTemplates)[number]

export type SlotsOf<Template extends string> = Template extends `${string}{${infer Slot}}${infer Rest}`
  ? Slot | SlotsOf<Rest>
  : never

/** A template with its values; one that is not in the table, or a slot without its value, does not compile. */
export function phraseOf<Template extends PhraseTemplate>(
  template: Template,
  values: Record<SlotsOf<Template>, PhraseValue>,
): FilledPhrase {
  return { template, values }
}

/** The phrase as one text, its templates translated by `translate` and its days and amounts written in `formats`. */
export function renderPhrase(
  phrase: Phrase,
  translate: (template: string) => string,
  formats: ValueFormats = englishFormats,
): string {
  if (typeof phrase === 'string') return translate(phrase)
  if ('phrases' in phrase) return phrase.phrases.map((part) => renderPhrase(part, translate, formats)).join(phrase.by)
  const text = (value: PhraseValue) => {
    if (typeof value !== 'object') return value
    if ('day' in value) return formats.day(value.day)
    if ('money' in value) return value.withCode ? formats.moneyWithCode(value.money) : formats.money(value.money)
    return renderPhrase(value, translate, formats)
  }
  const values = Object.entries(phrase.values).map(([name, value]) => [name, text(value)])
  return fillSlots(translate(phrase.template), Object.fromEntries(values))
}

/** The English text, for logs, the API and the command line. */
export function english(phrase: Phrase): string {
  return renderPhrase(phrase, (template) => template)
}

/** Fills values into the slots of a template: `{name}`. A slot without a value is left unchanged. */
export function fillSlots(template: string, values: Readonly<Record<string, string | number>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => (name in values ? String(values[name]) : whole))
}

/** The message about a text that is too long, wherever one is typed. */
export function tooLongPhrase(max: number): FilledPhrase {
  return phraseOf('Must be {max} characters or fewer', { max })
}
