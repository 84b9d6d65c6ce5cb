import { Link } from '@remix-run/react'
import Menu from 'lucide-react/icons/menu'
import X from 'lucide-react/icons/x'
import { useEffect, useRef } from 'react'
import { IconButton } from '../ui/button.tsx'

const entry = 'flex min-h-12 items-center rounded-input px-3 text-lead no-underline'

/** The phone menu: log-in and public pages. The native dialog traps the focus and restores it. */
export function SiteDrawer() {
  const drawer = useRef<HTMLDialogElement>(null)
  const close = () => drawer.current?.close()
  useEffect(() => {
    // A rotated phone may be wide enough for the page's own menu. A dialog that is hidden but still open would block the page.
    const wide = window.matchMedia('(min-width: 48rem)')
    const onChange = () => wide.matches && drawer.current?.close()
    wide.addEventListener('change', onChange)
    return () => wide.removeEventListener('change', onChange)
  }, [])
  return (
    <div className="md:hidden">
      <span className="scripted">
        <IconButton
          label="Open the menu"
          size="large"
          aria-haspopup="dialog"
          icon={<Menu size={24} aria-hidden="true" />}
          onClick={() => drawer.current?.showModal()}
        />
      </span>
      <noscript>
        <p className="flex flex-wrap justify-end gap-x-4 text-body whitespace-nowrap">
          <a href="/login" className="link">
            Publisher log in
          </a>
          <a href="/contactme" className="link">
            Contact Us
          </a>
        </p>
      </noscript>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click outside closes it; Esc is handled by the dialog */}
      <dialog
        ref={drawer}
        aria-label="Menu"
        onClick={(event) => event.target === event.currentTarget && close()}
        className="site-drawer"
      >
        <div className="flex h-full flex-col gap-2 p-4">
          <div className="mb-4 flex items-center justify-between">
            <span className="pl-3 font-serif text-h3 font-semibold">Masthead</span>
            <IconButton label="Close the menu" size="large" icon={<X size={24} aria-hidden="true" />} onClick={close} />
          </div>
          <Link to="/login" onClick={close} className={`${entry} bg-primary font-medium text-white`}>
            Publisher log in
          </Link>
          <Link to="/contactme" onClick={close} className={`${entry} text-ink hover:bg-subtle`}>
            Contact Us
          </Link>
        </div>
      </dialog>
    </div>
  )
}
