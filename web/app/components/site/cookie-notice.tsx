import { Link } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../ui/button.tsx'

/** The key in the browser's storage; the notice itself sets no cookie. */
const storageKey = 'masthead-cookie-notice'

/** Lists the site's cookies. Closed permanently by its button or by scrolling half of the page. */
export function CookieNotice() {
  const [isShown, setShown] = useState(false)
  const notice = useRef<HTMLElement>(null)
  useEffect(() => setShown(!wasSeen()), [])
  useEffect(() => {
    if (!isShown) return
    const onScroll = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      if (scrollHeight > clientHeight && window.scrollY >= (scrollHeight - clientHeight) / 2) close()
    }
    const close = () => {
      remember()
      setShown(false)
    }
    window.addEventListener('scroll', onScroll, { passive: true })
    // Keeps a focused element from being scrolled behind the notice.
    const { style } = document.documentElement
    style.scrollPaddingBottom = `${(notice.current?.offsetHeight ?? 0) + 24}px`
    return () => {
      window.removeEventListener('scroll', onScroll)
      style.scrollPaddingBottom = ''
    }
  }, [isShown])
  if (!isShown) return null
  return (
    <section
      ref={notice}
      aria-label="Cookie notice"
      className="no-print fixed inset-x-0 bottom-0 z-20 animate-rise border-t border-line bg-surface shadow-float md:inset-x-auto md:bottom-5 md:left-5 md:max-w-md md:rounded-card md:border"
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3 px-4 py-3 md:p-5">
        <p className="min-w-0 grow basis-60 text-body text-ink-2">
          Only cookies that the site needs: one keeps you logged in, one remembers your language, one carries a message
          to the next page, one leads back to an unfinished sign-up. None of them tracks you.{' '}
          <Link to="/privacy#cookies" className="link">
            Privacy policy
          </Link>
        </p>
        <Button
          size="medium"
          onClick={() => {
            remember()
            setShown(false)
          }}
        >
          OK
        </Button>
      </div>
    </section>
  )
}

function wasSeen(): boolean {
  try {
    return window.localStorage.getItem(storageKey) !== null
  } catch {
    // Without storage the notice is shown once per page.
    return false
  }
}

function remember(): void {
  try {
    window.localStorage.setItem(storageKey, 'seen')
  } catch {}
}
