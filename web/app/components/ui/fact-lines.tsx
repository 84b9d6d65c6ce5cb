import type { ReactNode } from 'react'

/** Labels and values as on a receipt: a line each, the value at its end. */
export function FactLines({ className = '', children }: { className?: string; children: ReactNode }) {
  return <dl className={`divide-y divide-line border-y border-line ${className}`}>{children}</dl>
}

export function FactLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-6 py-2.5">
      <dt className="text-body text-muted">{label}</dt>
      <dd className="numeric font-medium">{children}</dd>
    </div>
  )
}
