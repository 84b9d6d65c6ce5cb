import { useLocation } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'

/**
 * After a navigation inside the browser the keyboard and screen readers would stay where the old page was: moves the
 * focus to the new page's heading and says its title. Filtering and paging keep the path and are left alone.
 */
export function PageAnnouncer() {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  const [title, setTitle] = useState('')

  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    setTitle(document.title)
    const active = document.activeElement
    // A page that already chose its own place (an error summary, an opened dialog) keeps it.
    if (active?.closest('[role="alert"], [role="dialog"], [role="alertdialog"]')) return
    const heading = document.querySelector<HTMLElement>('main h1')
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }, [pathname])

  return (
    <div aria-live="polite" aria-atomic="true" className="sr-only">
      {title}
    </div>
  )
}
