import type { ReactNode } from 'react'

/** Something that is there for those who want it. Opens without JavaScript, and what is typed in it is sent closed or open. */
export function Disclosure({
  label,
  isOpen = false,
  children,
}: {
  label: string
  isOpen?: boolean
  children: ReactNode
}) {
  return (
    <details open={isOpen || undefined} className="mt-2">
      <summary className="inline-flex min-h-8 items-center rounded-input text-body font-medium text-ink underline underline-offset-3 hover:decoration-2">
        {label}
      </summary>
      {children}
    </details>
  )
}
