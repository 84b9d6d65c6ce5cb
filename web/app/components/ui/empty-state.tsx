import type { ReactNode } from 'react'

interface EmptyStateProps {
  title: string
  /** The reason why the list is empty, or what to do about it. */
  children?: ReactNode
  /** One next step, for users with permission for it. */
  action?: ReactNode
}

/** Shown instead of an empty list. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="card px-6 py-12 text-center">
      <p className="text-body font-semibold">{title}</p>
      {children && <div className="mx-auto mt-1 max-w-md text-body text-ink-2">{children}</div>}
      {action && <div className="mt-4">{action}</div>}
    </div>
  )
}
