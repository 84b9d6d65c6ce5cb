import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react'
import type { Language } from '#core/kernel/languages.ts'
import { loadMessages, messagesOf } from './messages.ts'
import { makeTranslator, type Translator } from './translator.ts'

const english = makeTranslator('en', {})
const Current = createContext<Translator>(english)

/** `const t = useT(); t('Log in'); t('Pay {amount}', { amount }); t.count(3, '{count} issue', '{count} issues'); t.money(total)`. */
export function useT(): Translator {
  return useContext(Current)
}

/** Everything inside speaks `language`. When it changes, the old one stays until the new one's texts are there. */
export function Speaks({ language, children }: { language: Language; children: ReactNode }) {
  const [spoken, setSpoken] = useState(language)
  useEffect(() => {
    let isWanted = true
    loadMessages(language).then(() => {
      if (isWanted) setSpoken(language)
    })
    return () => {
      isWanted = false
    }
  }, [language])
  const t = useMemo(() => makeTranslator(spoken, messagesOf(spoken) ?? {}), [spoken])
  return <Current.Provider value={t}>{children}</Current.Provider>
}
