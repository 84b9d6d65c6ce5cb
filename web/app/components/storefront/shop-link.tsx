import { Link, type LinkProps } from '@remix-run/react'

type ShopLinkProps = Omit<LinkProps, 'className'> & {
  /** Whether it is filled with the publication's colour; otherwise outlined. */
  isMain?: boolean
}

const shape =
  'inline-flex min-h-12 items-center justify-center rounded-input border px-5 py-2 text-center text-input font-semibold no-underline'

/** A storefront link that looks like a button. */
export function ShopLink({ isMain = false, children, ...linkProps }: ShopLinkProps) {
  const colors = isMain
    ? 'border-(--shop-edge) bg-(--shop) text-(--shop-label) hover:bg-(--shop-hover)'
    : 'border-control bg-surface text-ink hover:bg-subtle'
  return (
    <Link {...linkProps} className={`${shape} ${colors}`}>
      {children}
    </Link>
  )
}
