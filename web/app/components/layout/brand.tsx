import { Link } from '@remix-run/react'

/** The product's name with its mark; leads to the home page. */
export function Brand({ isOnDark = false }: { isOnDark?: boolean }) {
  return (
    <Link
      to="/"
      className={`inline-flex items-center gap-2.5 rounded-input font-serif text-h3 font-semibold no-underline ${isOnDark ? 'text-white' : 'text-ink'}`}
    >
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="6" className={isOnDark ? 'fill-nav-current' : 'fill-nav'} />
        <path d="M7 24V9h3.2l5.8 8.2L21.8 9H25v15h-3.4v-9.1L16 22.6l-5.6-7.7V24z" fill="#fff" />
      </svg>
      Masthead
    </Link>
  )
}
