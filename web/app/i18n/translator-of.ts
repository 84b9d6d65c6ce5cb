import { type DayFormat, dayFormats } from '#core/kernel/day-format.rules.ts'
import type { Language } from '#core/kernel/languages.ts'
import { type Messages, makeTranslator, type Translator } from '#core/kernel/translator.ts'
import { messagesOf } from './messages.ts'

const none: Messages = {}
const translators = new Map<string, { messages: Messages; translator: Translator }>()

/** The translator of a language, with the texts loaded so far. Cached: creating its formatters takes as long as a page. */
export function translatorOf(language: Language, dayFormat: DayFormat = dayFormats[language]): Translator {
  const messages = messagesOf(language) ?? none
  const key = `${language} ${dayFormat}`
  const cached = translators.get(key)
  if (cached?.messages === messages) return cached.translator
  const translator = makeTranslator(language, messages, dayFormat)
  translators.set(key, { messages, translator })
  return translator
}
