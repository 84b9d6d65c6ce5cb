import type { ReactNode } from 'react'
import { ExpandableDetails } from '../ui/expandable-details.tsx'

/** A collapsed form. Opens without JavaScript; a refused form stays open until the user closes it. */
export function Collapsible({
  label,
  about,
  isOpen,
  children,
}: {
  label: string
  /** What the action applies to, for screen readers; null where the label says it. */
  about: string | null
  isOpen: boolean
  children: ReactNode
}) {
  return (
    <ExpandableDetails isOpen={isOpen}>
      <summary className="inline-flex min-h-8 list-none items-center rounded-input text-body font-medium text-primary underline underline-offset-3 hover:decoration-2">
        {label}
        {about !== null && <span className="sr-only">: {about}</span>}
      </summary>
      <div className="mt-3 border-l-3 border-line pl-4">{children}</div>
    </ExpandableDetails>
  )
}
