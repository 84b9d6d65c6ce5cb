import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { isLanguage } from '#core/kernel/languages.ts'
import { loadMessages } from './i18n/messages.ts'

const [language] = document.documentElement.lang.split('-')
if (isLanguage(language)) await loadMessages(language)

// The router breaks off an answer that nobody waits for any more, and Remix's stream decoder (turbo-stream 2.4) then leaves two
// promises that nobody listens to. Breaking off is no fault; every other lost promise is told as before.
window.addEventListener('unhandledrejection', (event) => {
  if (event.reason instanceof DOMException && event.reason.name === 'AbortError') event.preventDefault()
})

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  )
})
