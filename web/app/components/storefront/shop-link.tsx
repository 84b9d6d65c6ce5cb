import type { ReactNode } from 'react'

/** A link that looks like a storefront's main button. */
export function ShopLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a
      href={to}
      className="inline-flex min-h-12 items-center rounded-input border border-(--shop-edge) bg-(--shop) px-5 font-semibold text-(--shop-label) no-underline hover:bg-(--shop-hover)"
    >
      {children}
    </a>
  )
}
