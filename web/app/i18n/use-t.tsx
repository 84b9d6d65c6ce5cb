import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { DateFormat } from '#core/kernel/date-format.rules.ts'
import type { Language } from '#core/kernel/languages.ts'
import type { Translator } from '#core/kernel/translator.ts'
import { loadMessages } from './messages.ts'
import { translatorOf } from './translator-of.ts'

const Current = createContext<Translator>(translatorOf('en'))

/** `const t = useT(); t('Log in'); t('Pay {amount}', { amount }); t.count(3, '{count} issue', '{count} issues'); t.money(total)`. */
export function useT(): Translator {
  return useContext(Current)
}

/** The translator of `language`. When it changes, the old one is used until the new texts are loaded. */
export function usePageTranslator({
  language,
  dateFormat,
}: {
  language: Language
  dateFormat?: DateFormat
}): Translator {
  const [current, setCurrent] = useState(language)
  useEffect(() => {
    let isWanted = true
    loadMessages(language).then(() => {
      if (isWanted) setCurrent(language)
    })
    return () => {
      isWanted = false
    }
  }, [language])
  return translatorOf(current, current === language ? dateFormat : undefined)
}

/** Provides the translator to its children. */
export function I18nProvider({ translator, children }: { translator: Translator; children: ReactNode }) {
  return <Current.Provider value={translator}>{children}</Current.Provider>
}
