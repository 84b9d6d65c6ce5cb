import { useLocation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { focusHeading, isFocusTaken } from '../ui/focus.ts'

/**
 * After client-side navigation the keyboard and screen readers would stay on the old page: moves the focus to the new page's heading and
 * announces its title. Filtering and paging keep the path and are ignored, unless the focused element was removed.
 */
export function PageAnnouncer() {
  const { pathname, key } = useLocation()
  const previous = useRef({ pathname, key })
  const [title, setTitle] = useState('')

  useEffect(() => {
    const last = previous.current
    if (last.key === key) return
    previous.current = { pathname, key }
    const active = document.activeElement
    if (last.pathname === pathname && active !== document.body) return
    if (last.pathname !== pathname) setTitle(document.title)
    // A page that moved the focus itself (an error summary, an open dialog) keeps it.
    if (!isFocusTaken()) focusHeading('main h1', { preventScroll: true })
  }, [pathname, key])

  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  )
}
