import { useLocation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import type { FormContents } from './form-contents.ts'

/**
 * What a form sends is kept in the tab until it was taken, or the page is left for anything but the log-in: who had been logged out
 * meanwhile finds it again, and so does who loads the page anew after a refusal. Passwords are not kept. `found` is what is offered.
 */
export function useSentBefore(isKept: boolean) {
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
  return {
    found,
    keep(form: HTMLFormElement) {
      if (!isKept) return
      const typed = [...new FormData(form)].filter(
        ([name, value]) => typeof value === 'string' && !/password/i.test(name),
      )
      sessionStorage.setItem(key, JSON.stringify(typed))
    },
    /** It was taken, or is not wanted. */
    drop() {
      setFound(null)
      if (isKept) sessionStorage.removeItem(key)
    },
  }
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
      <Banner tone="warning" title="What you sent before was not saved" isAlert>
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
