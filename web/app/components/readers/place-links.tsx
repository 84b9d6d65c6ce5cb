import { Link } from '@remix-run/react'
import ChevronLeft from 'lucide-react/icons/chevron-left'
import ChevronRight from 'lucide-react/icons/chevron-right'
import type { ReactNode } from 'react'
import { countOf, formatCount } from '#core/kernel/counted.ts'

interface Neighbour {
  id: number
  /** The list's own query, with the page this one is on. */
  list: string
}

interface PlaceLinksProps {
  position: number
  total: number
  previous: Neighbour | null
  next: Neighbour | null
}

/** The readers before and after this one in the list it was opened from. */
export function PlaceLinks({ position, total, previous, next }: PlaceLinksProps) {
  return (
    <nav aria-label="Readers of the list" className="no-print mb-3 flex items-center gap-1 text-table text-ink-2">
      <Step to={previous} label="Previous reader">
        <ChevronLeft size={16} aria-hidden="true" />
      </Step>
      <span className="numeric">{`${formatCount(position)} of ${countOf(total, 'reader')}`}</span>
      <Step to={next} label="Next reader">
        <ChevronRight size={16} aria-hidden="true" />
      </Step>
    </nav>
  )
}

function Step({ to, label, children }: { to: Neighbour | null; label: string; children: ReactNode }) {
  const look = 'inline-flex size-8 items-center justify-center rounded-input'
  if (!to) {
    return (
      <span aria-hidden="true" className={`${look} text-line`}>
        {children}
      </span>
    )
  }
  return (
    <Link
      to={`/editreader/${to.id}?list=${encodeURIComponent(to.list)}`}
      aria-label={label}
      title={label}
      className={`${look} text-primary hover:bg-subtle`}
    >
      {children}
    </Link>
  )
}
