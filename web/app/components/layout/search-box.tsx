import { Form, Link, useLocation, useSearchParams } from '@remix-run/react'
import Search from 'lucide-react/icons/search'
import { useEffect, useRef } from 'react'
import { areKeyboardShortcutsOn } from '../ui/keyboard-shortcuts.tsx'

export const searchPage = '/readers/search'

/** The search of the top bar: a field from tablet width on, a link to the search page on phones. The key `/` focuses the field. */
export function SearchBox() {
  const input = useRef<HTMLInputElement>(null)
  const [params] = useSearchParams()
  const { pathname } = useLocation()
  const q = pathname === searchPage ? (params.get('q') ?? '') : ''
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        !areKeyboardShortcutsOn() ||
        event.key !== '/' ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        isTyping(event.target)
      )
        return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <Form
        role="search"
        aria-label="Search everything"
        action={searchPage}
        className="relative hidden md:block md:w-36 2xl:w-80"
      >
        <Search size={16} aria-hidden="true" className="absolute top-1/2 left-3 -translate-y-1/2 text-muted" />
        <input
          key={q}
          ref={input}
          type="search"
          name="q"
          defaultValue={q}
          aria-label="Search readers, titles and orders"
          aria-keyshortcuts="/"
          placeholder="Search ( / )"
          title="Name, email, postcode, reference or order number. Key: /"
          className="h-10 w-full rounded-input border border-control bg-surface pr-3 pl-9 text-table"
        />
      </Form>
      <Link
        to={searchPage}
        aria-label="Search readers, titles and orders"
        className="flex size-11 shrink-0 items-center justify-center rounded-input hover:bg-subtle md:hidden"
      >
        <Search size={20} aria-hidden="true" />
      </Link>
    </>
  )
}

/** Whether the key was typed into a field. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
}
