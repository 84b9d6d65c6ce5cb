import type { Language } from '#core/kernel/languages.ts'
import { messagesOf } from './messages.ts'
import { type Messages, makeTranslator, type Translator } from './translator.ts'

const none: Messages = {}
const made = new Map<Language, { messages: Messages; translator: Translator }>()

/** The translator of a language, with the texts that are there by now. Made once: what it formats with takes a page's time to make. */
export function translatorOf(language: Language): Translator {
  const messages = messagesOf(language) ?? none
  const known = made.get(language)
  if (known?.messages === messages) return known.translator
  const translator = makeTranslator(language, messages)
  made.set(language, { messages, translator })
  return translator
}
