import { useLocation } from '@remix-run/react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { type FormContents, formDiffers } from './form-contents.ts'
import { isSecretField } from './secret-fields.ts'

/** A layout effect, which React warns about when rendering on a server. */
const useIsomorphicLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect

/** How many error pages replace the page. */
let errorPages = 0

/** In an error page: a form that it replaces at the form's own address keeps its backup, to be offered when the page opens again. */
export function useKeptBackups(): void {
  useIsomorphicLayoutEffect(() => {
    errorPages++
    return () => {
      errorPages--
    }
  }, [])
}

/**
 * Keeps a submitted form in session storage until it is accepted, or the page is left for anything but the log-in or an error page at its own
 * address: a user who was logged out, or reloads after a refusal or a failure, gets the values back. If the page after an accepted form fails, the
 * address is that page's. Unsubmitted values are kept too when something else that was sent, such as the search for similar readers or a message's
 * Undo, ends at the log-in or in an error page. Passwords and keys are never stored. `found` is what can be restored.
 */
export function useFormBackup(isEnabled: boolean, form: RefObject<HTMLFormElement>) {
  const key = keyOf(useLocation())
  const [found, setFound] = useState<FormContents | null>(null)
  const unsaved = useRef<FormContents | null>(null)
  useEffect(() => {
    if (!isEnabled) return
    setFound(savedForm(key))
    return () => {
      const hasFailedHere = errorPages > 0 && key === keyOf(window.location)
      if (!isAtLogIn() && !hasFailedHere) sessionStorage.removeItem(key)
      else if (unsaved.current) saveContents(key, unsaved.current)
    }
  }, [key, isEnabled])
  // In the effect above the form is unmounted already; here, whether an error page replaces it is not known yet.
  useIsomorphicLayoutEffect(() => {
    if (!isEnabled) return
    return () => {
      unsaved.current = form.current && formDiffers(form.current) ? typedIn(form.current) : null
    }
  }, [key, isEnabled, form])
  return {
    found,
    keep(sent: HTMLFormElement) {
      if (isEnabled) saveContents(key, typedIn(sent))
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

const keyOf = ({ pathname, search }: { pathname: string; search: string }) => `sent ${pathname}${search}`

function typedIn(form: HTMLFormElement): FormContents {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && !isSecretField(name) ? [[name, value] as const] : [],
  )
}

function saveContents(key: string, contents: FormContents): void {
  sessionStorage.setItem(key, JSON.stringify(contents))
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
