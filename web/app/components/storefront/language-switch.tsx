import { Link, useLocation } from '@remix-run/react'
import Languages from 'lucide-react/icons/languages'
import { type KeyboardEvent, useRef } from 'react'
import { languageNames, languages } from '#core/kernel/languages.ts'
import { useT } from '../../i18n/use-t.tsx'

/**
 * The languages by their own names. Each is a link that keeps the other parameters; a `<details>` menu, so that it works without
 * JavaScript. Switching in the browser keeps what was typed.
 */
export function LanguageSwitch({ country }: { country: string | null }) {
  const t = useT()
  const { search } = useLocation()
  const menu = useRef<HTMLDetailsElement>(null)
  const close = () => {
    if (menu.current) menu.current.open = false
  }
  const closeByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !menu.current?.open) return
    close()
    menu.current.querySelector('summary')?.focus()
  }
  const closeOnBlur = ({ relatedTarget }: { relatedTarget: EventTarget | null }) => {
    if (relatedTarget && !menu.current?.contains(relatedTarget as Node)) close()
  }
  return (
    <details ref={menu} className="relative" onKeyDown={closeByKey} onBlur={closeOnBlur}>
      <summary className="flex min-h-11 list-none items-center gap-1.5 rounded-input px-2 text-body font-medium hover:bg-subtle [&::-webkit-details-marker]:hidden">
        <Languages size={18} aria-hidden="true" />
        <span className="sr-only">{t('Language')}: </span>
        {languageNames[t.language]}
        <span aria-hidden="true" className="text-caption">
          ▾
        </span>
      </summary>
      <nav aria-label={t('Language')} className="absolute top-full right-0 z-30 mt-1 min-w-44 card shadow-float">
        <ul className="py-1">
          {languages.map((language) => (
            <li key={language}>
              <Link
                to={{ search: searchIn(search, language, country) }}
                replace
                preventScrollReset
                lang={language}
                hrefLang={language}
                aria-current={language === t.language ? 'true' : undefined}
                onClick={close}
                className="flex min-h-11 items-center px-4 text-body text-ink no-underline hover:bg-subtle aria-[current]:font-semibold aria-[current]:underline"
              >
                {languageNames[language]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </details>
  )
}

/** The address's parameters with another language, and with the country of the page, which the address does not name after a posted form. */
function searchIn(search: string, language: string, country: string | null): string {
  const params = new URLSearchParams(search)
  // Remix adds this parameter for a form of the page.
  params.delete('index')
  params.set('lang', language)
  if (country) params.set('country', country)
  return `?${params}`
}
