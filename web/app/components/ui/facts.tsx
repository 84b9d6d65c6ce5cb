import type { ReactNode } from 'react'

/** Labels and values of a record, in two columns. Empty values show as a dash. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-x-6 gap-y-3">{children}</dl>
}

export function Fact({ label, isWide = false, children }: { label: string; isWide?: boolean; children: ReactNode }) {
  return (
    <div className={`min-w-0 ${isWide ? 'col-span-2' : ''}`}>
      <dt className="text-table text-muted">{label}</dt>
      <dd className="text-body wrap-anywhere whitespace-pre-line">{children || '-'}</dd>
    </div>
  )
}

/** A section of a record's page with its own heading. */
export function Section({
  title,
  id,
  action,
  children,
}: {
  title: string
  /** The id that links point to. */
  id?: string
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <section id={id} className="card scroll-mt-20 p-4 lg:p-5">
      <div className="mb-3 flex flex-wrap items-baseline justify-between gap-2">
        <h2 className="text-h3">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  )
}
