import { Link } from '@remix-run/react'
import type { MouseEvent, ReactNode } from 'react'
import { smoothScrollTo } from './smooth-scroll.ts'

interface SectionLinkProps {
  /** The id of a section of the landing page. */
  to: string
  className?: string
  children: ReactNode
}

/** A link to a section of the landing page: on the page itself it scrolls there and moves the focus. */
export function SectionLink({ to, className, children }: SectionLinkProps) {
  const scrollToSection = (event: MouseEvent<HTMLAnchorElement>) => {
    const section = document.getElementById(to)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!section || !isPlain || window.location.pathname !== '/') return
    event.preventDefault()
    if (window.location.hash !== `#${to}`) window.history.pushState(window.history.state, '', `#${to}`)
    smoothScrollTo(section)
    section.focus({ preventScroll: true })
  }
  return (
    <Link to={`/#${to}`} onClick={scrollToSection} className={className}>
      {children}
    </Link>
  )
}
