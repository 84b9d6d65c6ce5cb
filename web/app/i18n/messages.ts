import type { Language } from '#core/kernel/languages.ts'
import type { Messages } from '#core/kernel/translator.ts'

/** One file for each language but English. The server loads all, a browser the one of its page. */
const files = import.meta.glob<Messages>('./messages/*.json', { import: 'default' })

const loaded = new Map<Language, Messages>([['en', {}]])

/** The texts of a language, if loaded. */
export function messagesOf(language: Language): Messages | undefined {
  return loaded.get(language)
}

/** Fetches the texts of a language; a language without a file is English. */
export async function loadMessages(language: Language): Promise<void> {
  if (!loaded.has(language)) loaded.set(language, (await files[`./messages/${language}.json`]?.()) ?? {})
}
