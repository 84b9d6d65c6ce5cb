import type { ReactNode } from 'react'
import { Fold } from '../ui/fold.tsx'

interface DisclosureProps {
  label: string
  /** There is something to see: it opens, and stays so until somebody closes it. */
  isOpen?: boolean
  children: ReactNode
}

/** Something that is there for those who want it. Opens without JavaScript, and what is typed in it is sent closed or open. */
export function Disclosure({ label, isOpen = false, children }: DisclosureProps) {
  return (
    <Fold isOpen={isOpen} className="mt-2">
      <summary className="inline-flex min-h-8 items-center rounded-input text-body font-medium text-ink underline underline-offset-3 hover:decoration-2">
        {label}
      </summary>
      {children}
    </Fold>
  )
}
