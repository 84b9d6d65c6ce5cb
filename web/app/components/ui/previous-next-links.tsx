import { Link } from '@remix-run/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'

interface Neighbour {
  id: number
  /** The list's query, including the page number. */
  list: string
}

interface PreviousNextLinksProps {
  noun: 'reader' | 'order'
  /** The address of a record's page without its query. */
  pageOf: (id: number) => string
  position: number
  total: number
  previous: Neighbour | null
  next: Neighbour | null
}

/** Links to the previous and next record of the list it was opened from. */
export function PreviousNextLinks({ noun, pageOf, position, total, previous, next }: PreviousNextLinksProps) {
  const to = (neighbour: Neighbour | null) =>
    neighbour && `${pageOf(neighbour.id)}?list=${encodeURIComponent(neighbour.list)}`
  return (
    <nav
      aria-label={noun === 'reader' ? 'Readers in the list' : 'Orders in the list'}
      className="no-print mb-3 flex items-center gap-1 text-table text-ink-2"
    >
      <Step to={to(previous)} label={`Previous ${noun}`}>
        <ChevronLeft size={16} aria-hidden="true" />
      </Step>
      <span className="numeric">{`${formatCount(position)} of ${countOf(total, noun)}`}</span>
      <Step to={to(next)} label={`Next ${noun}`}>
        <ChevronRight size={16} aria-hidden="true" />
      </Step>
    </nav>
  )
}

function Step({ to, label, children }: { to: string | null; label: string; children: ReactNode }) {
  const classes = 'inline-flex size-8 items-center justify-center rounded-input'
  if (!to) {
    return (
      <span aria-hidden="true" className={`${classes} text-line`}>
        {children}
      </span>
    )
  }
  return (
    <Link to={to} aria-label={label} title={label} className={`${classes} text-primary hover:bg-subtle`}>
      {children}
    </Link>
  )
}
