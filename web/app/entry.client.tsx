import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { isLanguage } from '#core/kernel/languages.ts'
import { loadMessages } from './i18n/messages.ts'

const [language] = document.documentElement.lang.split('-')
if (isLanguage(language)) await loadMessages(language)

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  )
})
