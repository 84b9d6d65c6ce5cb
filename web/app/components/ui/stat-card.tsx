import type { ReactNode } from 'react'

interface StatCardProps {
  label: string
  /** One figure, or one line per currency. */
  value: ReactNode
  /** The window or the definition: "last 30 days". */
  note?: ReactNode
  /** Whether it takes a whole row on phones, as for amounts. */
  isWide?: boolean
}

/** One figure with its name and scope. */
export function StatCard({ label, value, note, isWide = false }: StatCardProps) {
  return (
    <div className={`card p-3.5 lg:p-5 ${isWide ? 'max-sm:col-span-2' : ''}`}>
      <dt className="text-table font-medium text-ink-2">{label}</dt>
      <dd className="numeric mt-1 text-h3 font-semibold sm:text-h2">{value}</dd>
      {note && <dd className="mt-1 text-caption text-muted">{note}</dd>}
    </div>
  )
}

/** Cards in a row that wraps; a description list for screen readers. */
export function StatCards({ label, children, columns = 4 }: { label: string; children: ReactNode; columns?: 3 | 4 }) {
  const grid = { 3: 'md:grid-cols-3', 4: 'xl:grid-cols-4' }[columns]
  return (
    <dl aria-label={label} className={`grid grid-cols-2 gap-3 lg:gap-4 ${grid}`}>
      {children}
    </dl>
  )
}
