import { type DateFormat, dateFormats } from '#core/kernel/date-format.rules.ts'
import type { Language } from '#core/kernel/languages.ts'
import { type Messages, makeTranslator, type Translator } from '#core/kernel/translator.ts'
import { messagesOf } from './messages.ts'

const none: Messages = {}
const translators = new Map<string, { messages: Messages; translator: Translator }>()

/** The translator of a language, with the texts loaded so far. Cached: creating its formatters takes as long as a page. */
export function translatorOf(language: Language, dateFormat: DateFormat = dateFormats[language]): Translator {
  const messages = messagesOf(language) ?? none
  const key = `${language} ${dateFormat}`
  const cached = translators.get(key)
  if (cached?.messages === messages) return cached.translator
  const translator = makeTranslator(language, messages, dateFormat)
  translators.set(key, { messages, translator })
  return translator
}
