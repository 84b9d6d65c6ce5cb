import type { ReactNode } from 'react'
import { Fold } from '../ui/fold.tsx'

/** A form that is there for those who want it. Opens without JavaScript, and stands open when it was refused and until it is closed. */
export function Collapsible({
  label,
  about,
  isOpen,
  children,
}: {
  label: string
  /** What it is done to, for those who hear the words alone. */
  about: string
  isOpen: boolean
  children: ReactNode
}) {
  return (
    <Fold isOpen={isOpen}>
      <summary className="inline-flex min-h-8 list-none items-center rounded-input text-body font-medium text-primary underline underline-offset-3 hover:decoration-2">
        {label}
        <span className="sr-only">: {about}</span>
      </summary>
      <div className="mt-3 border-l-3 border-line pl-4">{children}</div>
    </Fold>
  )
}
