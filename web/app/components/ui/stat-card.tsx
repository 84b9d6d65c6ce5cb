import type { ReactNode } from 'react'

interface StatCardProps {
  label: string
  /** One figure, or one line per currency. */
  value: ReactNode
  /** The window or the definition: "last 30 days". */
  note?: ReactNode
}

/** One figure with its name and what it covers. */
export function StatCard({ label, value, note }: StatCardProps) {
  return (
    <div className="card flex flex-col p-4 lg:p-5">
      <dt className="text-table font-medium text-ink-2">{label}</dt>
      <dd className="numeric mt-1 text-h2 font-semibold">{value}</dd>
      {note && <dd className="mt-auto pt-1 text-caption text-muted">{note}</dd>}
    </div>
  )
}

/** Cards in a row that wraps; a description list for screen readers. */
export function StatCards({
  label,
  children,
  columns = 4,
}: {
  label: string
  children: ReactNode
  columns?: 2 | 3 | 4
}) {
  const grid = { 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-2 xl:grid-cols-3', 4: 'sm:grid-cols-2 xl:grid-cols-4' }[columns]
  return (
    <dl aria-label={label} className={`grid gap-3 lg:gap-4 ${grid}`}>
      {children}
    </dl>
  )
}
