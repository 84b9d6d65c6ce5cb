import { dateFormatOf } from '../kernel/date-format.rules.ts'
import type { Language } from '../kernel/languages.ts'
import type { SlotsOf } from '../kernel/phrases.ts'
import { makeTranslator, type Translator } from '../kernel/translator.ts'
import de from './messages/de.json' with { type: 'json' }
import es from './messages/es.json' with { type: 'json' }
import fr from './messages/fr.json' with { type: 'json' }
import italian from './messages/it.json' with { type: 'json' }
import nl from './messages/nl.json' with { type: 'json' }
import pt from './messages/pt.json' with { type: 'json' }

/** An English text of an email to a buyer: the key of its translations, as in the storefronts. */
export type MailText = keyof typeof de

/** A text that a language lacks does not compile. */
export const mailMessages: Record<Exclude<Language, 'en'>, Record<MailText, string>> = {
  de,
  es,
  fr,
  it: italian,
  nl,
  pt,
}

/** The recipient of an email: the language they ordered in, and the country, which decides how days are written. Null: not known, so English. */
export interface MailReader {
  language: Language | null
  country: string | null
}

/** Translates the texts of an email. A text that is not in the catalogue, or a slot without its value, does not compile. */
export interface MailTranslator extends Pick<Translator, 'language' | 'money' | 'moneyWithCode' | 'day' | 'phrase'> {
  <Text extends MailText>(
    text: Text,
    ...values: SlotsOf<Text> extends never ? [] : [values: Record<SlotsOf<Text>, string | number>]
  ): string
}

export function mailTranslator({ language, country }: MailReader): MailTranslator {
  const resolvedLanguage = language ?? 'en'
  const messages = resolvedLanguage === 'en' ? {} : mailMessages[resolvedLanguage]
  return makeTranslator(resolvedLanguage, messages, country ? dateFormatOf(resolvedLanguage, country) : undefined)
}

/** The greeting of an email. */
export function greeting(t: MailTranslator, name: string): string {
  return name ? t('Dear {name},', { name }) : t('Hello,')
}
