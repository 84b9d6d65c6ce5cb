import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import type { Language } from '#core/kernel/languages.ts'
import { loadMessages } from './messages.ts'
import type { Translator } from './translator.ts'
import { translatorOf } from './translator-of.ts'

const Current = createContext<Translator>(translatorOf('en'))

/** `const t = useT(); t('Log in'); t('Pay {amount}', { amount }); t.count(3, '{count} issue', '{count} issues'); t.money(total)`. */
export function useT(): Translator {
  return useContext(Current)
}

/** Who speaks `language`. When it changes, the old one goes on until the new one's texts are there. */
export function useSpeaker(language: Language): Translator {
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
  return translatorOf(spoken)
}

/** Everything inside is said by `speaker`. */
export function Voice({ speaker, children }: { speaker: Translator; children: ReactNode }) {
  return <Current.Provider value={speaker}>{children}</Current.Provider>
}
