import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { isLanguage } from '#core/kernel/languages.ts'
import { storeTrafficSource } from './components/storefront/stored-source.ts'
import { fetchPageData, fetchRoutes, isPageData } from './components/ui/lost-connection.ts'
import { ensureSessionStorage } from './components/ui/session-storage.ts'
import { loadMessages } from './i18n/messages.ts'

ensureSessionStorage()
storeTrafficSource()

const [language] = document.documentElement.lang.split('-')
if (isLanguage(language)) await loadMessages(language)

const { fetch } = window

// Remix decodes a page's data while it streams, and reports a response that the router aborts as an error on the console and as
// unhandled promise rejections. No page here defers parts of its data, so the data is decoded only once it is complete: an abort or a lost
// connection then fails the fetch itself, which the router expects.
const fetchComplete: typeof fetch = async (input, init) => {
  const response = await fetch(input, init)
  return response.body && isPageData(response) ? new Response(await response.arrayBuffer(), response) : response
}

window.fetch = async (input, init) => {
  if (input instanceof URL && input.pathname.endsWith('/__manifest')) return fetchRoutes(fetch, input, init)
  if (input instanceof URL && input.pathname.endsWith('.data')) return fetchPageData(fetchComplete, input, init)
  return fetch(input, init)
}

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  )
})
