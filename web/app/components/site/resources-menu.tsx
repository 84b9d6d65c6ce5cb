import ChevronDown from 'lucide-react/icons/chevron-down'
import { useEffect, useRef } from 'react'

/** The empty reader file, and the payment providers' documentation for developers. */
export const resources = [
  { label: 'Reader data template (CSV)', href: '/assets/templates/reader-upload-template.csv', isFile: true },
  { label: 'Stripe for developers', href: 'https://docs.stripe.com/', isFile: false },
  { label: 'PayPal for developers', href: 'https://developer.paypal.com/', isFile: false },
]

/** A disclosure: it opens without JavaScript too. Esc, a click outside and leaving it by Tab close it. */
export function ResourcesMenu() {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (isInside: boolean) => {
      const { current } = menu
      if (!current?.open || isInside) return
      current.open = false
    }
    const onPointerOrFocus = ({ target }: Event) => close(menu.current?.contains(target as Node) ?? false)
    const onKey = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !menu.current?.open) return
      const hadFocus = menu.current.contains(document.activeElement)
      close(false)
      if (hadFocus) menu.current.querySelector('summary')?.focus()
    }
    document.addEventListener('pointerdown', onPointerOrFocus)
    document.addEventListener('focusin', onPointerOrFocus)
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('pointerdown', onPointerOrFocus)
      document.removeEventListener('focusin', onPointerOrFocus)
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  return (
    <details ref={menu} className="group relative">
      <summary className="site-link flex list-none items-center gap-1 [&::-webkit-details-marker]:hidden">
        Resources
        <ChevronDown size={16} aria-hidden="true" className="transition-transform group-open:rotate-180" />
      </summary>
      <ul className="absolute top-full left-0 z-30 mt-2 w-72 rounded-card border border-line bg-surface p-2 shadow-float">
        {resources.map(({ label, href, isFile }) => (
          <li key={href}>
            <a
              href={href}
              {...(isFile ? { download: true } : { rel: 'noreferrer' })}
              className="block rounded-input px-3 py-2.5 text-body text-ink no-underline hover:bg-subtle"
            >
              {label}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}
