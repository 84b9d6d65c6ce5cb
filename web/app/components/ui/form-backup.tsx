import { useLocation } from '@remix-run/react'
import { type RefObject, useEffect, useLayoutEffect, useState } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { type FormContents, formDiffers } from './form-contents.ts'
import { isSecretField } from './secret-fields.ts'

/** A layout effect, which React warns about when rendering on a server. */
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** How many error pages replace the page. */
let errorPages = 0

/** In an error page: the forms that it replaces keep their backups, to be offered when the page opens again. */
export function useKeptBackups(): void {
  useIsomorphicLayoutEffect(() => {
    errorPages++
    return () => {
      errorPages--
    }
  }, [])
}

/**
 * Keeps a submitted form in session storage until it is accepted, or the page is left for anything but the log-in or an error page: a user who
 * was logged out, or reloads after a refusal or a failure, gets the values back. Unsubmitted values are kept when a background request, such as the
 * search for similar readers, is redirected to the log-in. Passwords and keys are never stored. `found` is what can be restored.
 */
export function useFormBackup(isEnabled: boolean, form: RefObject<HTMLFormElement>) {
  const { pathname, search } = useLocation()
  const key = `sent ${pathname}${search}`
  const [found, setFound] = useState<FormContents | null>(null)
  useEffect(() => {
    if (!isEnabled) return
    setFound(savedForm(key))
    return () => {
      if (!isAtLogIn() && errorPages === 0) sessionStorage.removeItem(key)
    }
  }, [key, isEnabled])
  // In a later effect the form would be unmounted.
  useIsomorphicLayoutEffect(() => {
    if (!isEnabled) return
    return () => {
      if (isAtLogIn() && form.current && formDiffers(form.current)) saveForm(key, form.current)
    }
  }, [key, isEnabled, form])
  return {
    found,
    keep(sent: HTMLFormElement) {
      if (isEnabled) saveForm(key, sent)
    },
    /** The form was accepted, or the backup discarded. */
    drop() {
      setFound(null)
      if (isEnabled) sessionStorage.removeItem(key)
    },
  }
}

/** Superusers have their own log-in. */
function isAtLogIn(): boolean {
  return ['/login', '/slogin'].includes(window.location.pathname)
}

function saveForm(key: string, form: HTMLFormElement): void {
  const typed = [...new FormData(form)].filter(([name, value]) => typeof value === 'string' && !isSecretField(name))
  sessionStorage.setItem(key, JSON.stringify(typed))
}

function savedForm(key: string): FormContents | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null')
    return Array.isArray(stored) ? (stored as FormContents) : null
  } catch {
    return null
  }
}

/** Offers to restore what was typed before the log-in. */
export function RestoreOffer({ onRestore, onDrop }: { onRestore: () => void; onDrop: () => void }) {
  return (
    <div className="mb-4">
      <Banner tone="warning" title="What you typed before was not saved" isAlert>
        <p>It is still here.</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button onClick={onRestore}>Restore what I typed</Button>
          <Button kind="quiet" onClick={onDrop}>
            Discard it
          </Button>
        </div>
      </Banner>
    </div>
  )
}
