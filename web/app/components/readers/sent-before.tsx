import { useLocation } from '@remix-run/react'
import { useCallback, useEffect, useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'

type Values = Readonly<Record<string, string>>

const keyOf = (pathname: string) => `sent ${pathname}`

/**
 * What a form sends is kept in the tab until the page is left for anything but the login: who had been logged out meanwhile finds it again,
 * and so does who loads the page anew after a refusal.
 * `before` is what was found; it is offered until it is taken or dropped.
 */
export function useSentBefore() {
  const { pathname } = useLocation()
  const [before, setBefore] = useState<Values | null>(null)
  const [taken, setTaken] = useState<Values | null>(null)
  useEffect(() => {
    setBefore(found(keyOf(pathname)))
    return () => {
      if (window.location.pathname !== '/login') sessionStorage.removeItem(keyOf(pathname))
    }
  }, [pathname])
  const keep = useCallback(
    (form: HTMLFormElement) => {
      const values = [...new FormData(form)].filter(([, value]) => typeof value === 'string')
      sessionStorage.setItem(keyOf(pathname), JSON.stringify(Object.fromEntries(values)))
    },
    [pathname],
  )
  const settle = (values: Values | null) => {
    setTaken(values)
    setBefore(null)
    sessionStorage.removeItem(keyOf(pathname))
  }
  return { before, taken, keep, take: () => settle(before), drop: () => settle(null) }
}

function found(key: string): Values | null {
  try {
    const values: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return typeof values === 'object' ? (values as Values | null) : null
  } catch {
    return null
  }
}

/** Offers what was typed before the login. */
export function SentBefore({ onTake, onDrop }: { onTake: () => void; onDrop: () => void }) {
  return (
    <div className="mb-4">
      <Banner tone="warning" title="What you sent before was not saved" isAlert>
        <p>It is still here.</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button onClick={onTake}>Put back what I typed</Button>
          <Button kind="quiet" onClick={onDrop}>
            Let it go
          </Button>
        </div>
      </Banner>
    </div>
  )
}
