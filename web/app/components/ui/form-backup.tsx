import { useLocation, useMatches } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { type FormContents, formDiffers } from './form-contents.ts'
import { pendingPage } from './lost-connection.ts'
import { isErrorPage, useIsomorphicLayoutEffect } from './preserved-backups.ts'
import { isSecretField } from './secret-fields.ts'

/** The field values that identify a form on a page with several, such as its intent. */
export type IdentifyingFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Keeps a submitted form in session storage until it is accepted, or the page is left for anything but the log-in or an error page at its own
 * address: a user who was logged out, or reloads after a refusal or a failure, gets the values back. An accepted form is not kept, even if the page
 * after it fails at the same address, and none is offered to another person at the same browser. Unsubmitted values are kept too when something else
 * that was sent, such as the search for similar readers or a message's Undo, ends at the log-in or in an error page. Each form of an address has a
 * backup of its own. Passwords and keys are never stored. `found` is what can be restored.
 */
export function useFormBackup(isEnabled: boolean, identifiedBy: IdentifyingFields, form: RefObject<HTMLFormElement>) {
  const name = Object.values(identifiedBy).flat().join(' ')
  const key = keyOf(useLocation(), name)
  const person = usePerson()
  const [found, setFound] = useState<FormContents | null>(null)
  const unsaved = useRef<FormContents | null>(null)
  const isRedirected = useRef(false)
  useEffect(() => {
    if (!isEnabled) return
    setFound(savedForm(key, person))
    return () => {
      const hasFailedHere = isErrorPage() && !isRedirected.current && key === keyOf(window.location, name)
      if (!isLogIn(window.location) && !hasFailedHere) sessionStorage.removeItem(key)
      else if (unsaved.current) saveContents(key, { person, contents: unsaved.current })
    }
  }, [key, name, person, isEnabled])
  // The page that follows an accepted form may be opened as a document: the component is not unmounted then.
  useEffect(() => {
    if (!isEnabled) return
    const dropAccepted = () => {
      const next = pendingPage()
      if (isRedirected.current && next && !isLogIn(next)) sessionStorage.removeItem(key)
    }
    window.addEventListener('pagehide', dropAccepted)
    return () => window.removeEventListener('pagehide', dropAccepted)
  }, [key, isEnabled])
  // In the first effect above the form is unmounted already; here, whether an error page replaces it is not known yet.
  useIsomorphicLayoutEffect(() => {
    if (!isEnabled) return
    return () => {
      unsaved.current = form.current && formDiffers(form.current) ? typedIn(form.current) : null
    }
  }, [key, isEnabled, form])
  return {
    found,
    keep(sent: HTMLFormElement) {
      isRedirected.current = false
      if (isEnabled) saveContents(key, { person, contents: typedIn(sent) })
    },
    /** The answer is a redirect: unless it leads to the log-in, the form was accepted. */
    markRedirected() {
      isRedirected.current = true
    },
    /** The form was accepted, or the backup discarded. */
    drop() {
      isRedirected.current = false
      setFound(null)
      if (isEnabled) sessionStorage.removeItem(key)
    },
  }
}

/** Superusers have their own log-in, and so have the readers of each publication. */
function isLogIn({ pathname }: { pathname: string }): boolean {
  return /^\/(s?login|[^/]+\/login)$/.test(pathname)
}

/** A page may have several forms: `name` is what identifies one of them. */
const keyOf = ({ pathname, search }: { pathname: string; search: string }, name: string) =>
  `sent ${pathname}${search} ${name}`

function typedIn(form: HTMLFormElement): FormContents {
  return [...new FormData(form)].flatMap(([name, value]) =>
    typeof value === 'string' && !isSecretField(name) ? [[name, value] as const] : [],
  )
}

interface Backup {
  person: string
  contents: FormContents
}

/** Whose page it is, by the data of its routes: staff or a reader's own account. */
function usePerson(): string {
  const persons = useMatches().map(({ data }) => (data as { person?: string } | undefined)?.person)
  return persons.find((person) => person !== undefined) ?? ''
}

function saveContents(key: string, backup: Backup): void {
  sessionStorage.setItem(key, JSON.stringify(backup))
}

function savedForm(key: string, person: string): FormContents | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Backup> | null
    if (stored?.person === person && Array.isArray(stored.contents)) return stored.contents
  } catch {
    // Of an older version, or changed by hand.
  }
  sessionStorage.removeItem(key)
  return null
}

/** Offers to restore what was typed before the log-in. */
export function RestoreOffer({ onRestore, onDrop }: { onRestore: () => void; onDrop: () => void }) {
  const t = useT()
  return (
    <div className="mb-4">
      <Banner tone="warning" title={t('What you typed before was not saved')} isAlert>
        <p>{t('It is still here.')}</p>
        <div className="mt-3 flex flex-wrap gap-3">
          <Button onClick={onRestore}>{t('Restore what I typed')}</Button>
          <Button kind="quiet" onClick={onDrop}>
            {t('Discard it')}
          </Button>
        </div>
      </Banner>
    </div>
  )
}
