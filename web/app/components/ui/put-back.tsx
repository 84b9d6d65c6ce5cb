import { useLocation } from '@remix-run/react'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { type FormContents, formDiffers } from './form-contents.ts'

/** An effect of the layout, which a server has none of: React says so of each one it is asked to render. */
const useBeforeRemoval = typeof document === 'undefined' ? useEffect : useLayoutEffect

/**
 * What a form sends is kept in the tab until it was taken, or the page is left for anything but the log-in: who had been logged out
 * meanwhile finds it again, and so does who loads the page again after a refusal. What is typed and not yet sent is kept when a request in
 * the background, a search for look-alikes say, leads to the log-in. Passwords are not kept. `found` is what is offered.
 */
export function useSentBefore(isKept: boolean, form: RefObject<HTMLFormElement>) {
  const { pathname, search } = useLocation()
  const key = `sent ${pathname}${search}`
  const [found, setFound] = useState<FormContents | null>(null)
  useEffect(() => {
    if (!isKept) return
    setFound(keptAt(key))
    return () => {
      if (window.location.pathname !== '/login') sessionStorage.removeItem(key)
    }
  }, [key, isKept])
  // A later effect would find the form gone.
  useBeforeRemoval(() => {
    if (!isKept) return
    return () => {
      if (window.location.pathname === '/login' && form.current && formDiffers(form.current)) keepAt(key, form.current)
    }
  }, [key, isKept, form])
  return {
    found,
    keep(sent: HTMLFormElement) {
      if (isKept) keepAt(key, sent)
    },
    /** It was taken, or is not wanted. */
    drop() {
      setFound(null)
      if (isKept) sessionStorage.removeItem(key)
    },
  }
}

function keepAt(key: string, form: HTMLFormElement): void {
  const typed = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !/password/i.test(name))
  sessionStorage.setItem(key, JSON.stringify(typed))
}

function keptAt(key: string): FormContents | null {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return Array.isArray(kept) ? (kept as FormContents) : null
  } catch {
    return null
  }
}

/** Offers what was typed before the log-in. */
export function PutBackOffer({ onTake, onDrop }: { onTake: () => void; onDrop: () => void }) {
  return (
    <div className="mb-4">
      <Banner tone="warning" title="What you typed before was not saved" isAlert>
        <p>It is still here.</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button onClick={onTake}>Put back what I typed</Button>
          <Button kind="quiet" onClick={onDrop}>
            Discard it
          </Button>
        </div>
      </Banner>
    </div>
  )
}
