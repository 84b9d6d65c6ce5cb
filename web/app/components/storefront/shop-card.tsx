import type { ReactNode } from 'react'

/** A white card of a storefront page. */
export function ShopCard({ heading, children }: { heading?: ReactNode; children: ReactNode }) {
  return (
    <section className="card p-4 sm:p-6">
      {heading && <h2 className="mb-4 text-h2 wrap-anywhere hyphens-auto">{heading}</h2>}
      {children}
    </section>
  )
}
