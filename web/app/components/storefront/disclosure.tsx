import type { ReactNode } from 'react'
import { ExpandableDetails } from '../ui/expandable-details.tsx'

interface DisclosureProps {
  label: string
  /** Whether it contains a value or an error: then it opens, and stays open until the user closes it. */
  isOpen?: boolean
  children: ReactNode
}

/** A disclosure (`<details>`). Opens without JavaScript, and its fields are submitted closed or open. */
export function Disclosure({ label, isOpen = false, children }: DisclosureProps) {
  return (
    <ExpandableDetails isOpen={isOpen} className="mt-2">
      <summary className="inline-flex min-h-8 items-center rounded-input text-body font-medium text-ink underline underline-offset-3 hover:decoration-2">
        {label}
      </summary>
      {children}
    </ExpandableDetails>
  )
}
