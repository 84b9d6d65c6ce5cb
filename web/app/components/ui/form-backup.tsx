import { useLocation, useMatches } from '@remix-run/react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { type FormContents, formDiffers } from './form-contents.ts'
import { pendingPage } from './lost-connection.ts'
import { isErrorPage } from './preserved-backups.ts'
import { isSecretField } from './secret-fields.ts'
import { useIsomorphicLayoutEffect } from './use-isomorphic-layout-effect.ts'

/** The field values that identify a form on a page with several, such as its intent. */
export type IdentifyingFields = Readonly<Record<string, string | readonly string[]>>

/**
 * Backs up a submitted form in session storage: a user who was logged out, or who reloads after a refusal or a failure, gets the values back. The
 * backup is deleted when the form is accepted, even if the page after it fails at the same address, and when the page is left for anything but the
 * log-in or an error page at its own address. Unsubmitted values are backed up too if another submission, such as the search for similar readers or
 * a toast's Undo, ends at the log-in or in an error page. Each form of an address has its own backup, which is offered to the same person only.
 * Passwords and keys are never stored. `restorable` is the backup to offer.
 */
export function useFormBackup(isEnabled: boolean, identifiedBy: IdentifyingFields, form: RefObject<HTMLFormElement>) {
  const name = Object.values(identifiedBy).flat().join(' ')
  const key = keyOf(useLocation(), name)
  const person = usePerson()
  const [restorable, setRestorable] = useState<FormContents | null>(null)
  const unsaved = useRef<FormContents | null>(null)
  const isRedirected = useRef(false)
  useEffect(() => {
    if (!isEnabled) return
    setRestorable(savedForm(key, person))
    return () => {
      const hasFailedHere = isErrorPage() && !isRedirected.current && key === keyOf(window.location, name)
      if (!isLogIn(window.location) && !hasFailedHere) removeContents(key)
      else if (unsaved.current) saveContents(key, { person, contents: unsaved.current })
    }
  }, [key, name, person, isEnabled])
  // The page that follows an accepted form may be opened as a document: the component is not unmounted then.
  useEffect(() => {
    if (!isEnabled) return
    const dropAccepted = () => {
      const pending = pendingPage()
      if (isRedirected.current && pending && !isLogIn(pending)) removeContents(key)
    }
    window.addEventListener('pagehide', dropAccepted)
    return () => window.removeEventListener('pagehide', dropAccepted)
  }, [key, isEnabled])
  // When the first effect above is cleaned up, the form is already unmounted. When this one is, it is not known yet whether an error page follows.
  useIsomorphicLayoutEffect(() => {
    if (!isEnabled) return
    return () => {
      unsaved.current = form.current && formDiffers(form.current) ? typedIn(form.current) : null
    }
  }, [key, isEnabled, form])
  return {
    restorable,
    save(submittedForm: HTMLFormElement) {
      isRedirected.current = false
      if (isEnabled) saveContents(key, { person, contents: typedIn(submittedForm) })
    },
    /** Call if the response is a redirect: unless it leads to the log-in, the form was accepted. */
    markRedirected() {
      isRedirected.current = true
    },
    /** Call when the form was accepted, or the user discards the backup. */
    drop() {
      isRedirected.current = false
      setRestorable(null)
      if (isEnabled) removeContents(key)
    },
  }
}

/** Superusers have their own log-in, and so have the readers of each publication. */
function isLogIn({ pathname }: { pathname: string }): boolean {
  return /^\/(s?login|[^/]+\/login)$/.test(pathname)
}

/** A page may have several forms: `name` identifies one of them. */
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

/** The person whose page it is, from the data of its routes: staff or a reader with an account. */
function usePerson(): string {
  const persons = useMatches().map(({ data }) => (data as { person?: string } | undefined)?.person)
  return persons.find((person) => person !== undefined) ?? ''
}

/** Stores a backup, if the browser can. */
export function saveContents(key: string, backup: Backup): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(backup))
  } catch {
    // Storage is full or forbidden: the form is submitted without a backup.
  }
}

function removeContents(key: string): void {
  try {
    sessionStorage.removeItem(key)
  } catch {
    // Storage is forbidden: nothing was stored.
  }
}

/** The person's own backup; null if there is none. */
export function savedForm(key: string, person: string): FormContents | null {
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Backup> | null
    if (stored?.person === person && Array.isArray(stored.contents)) return stored.contents
  } catch {
    // Stored by an older version, changed by hand, or storage is forbidden.
  }
  removeContents(key)
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
