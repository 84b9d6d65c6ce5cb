import { useLocation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { focusHeading, isFocusTaken } from '../ui/focus.ts'

/**
 * After a navigation inside the browser the keyboard and screen readers would stay where the old page was: moves the
 * focus to the new page's heading and says its title. Filtering and paging keep the path and are ignored, unless what
 * had the focus went away with them.
 */
export function PageAnnouncer() {
  const { pathname, key } = useLocation()
  const shown = useRef({ pathname, key })
  const [title, setTitle] = useState('')

  useEffect(() => {
    const last = shown.current
    if (last.key === key) return
    shown.current = { pathname, key }
    const active = document.activeElement
    if (last.pathname === pathname && active !== document.body) return
    if (last.pathname !== pathname) setTitle(document.title)
    // A page that already chose its own place (an error summary, an opened dialog) keeps it.
    if (!isFocusTaken()) focusHeading('main h1', { preventScroll: true })
  }, [pathname, key])

  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  )
}
