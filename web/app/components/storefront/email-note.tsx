import { useEffect, useState } from 'react'
import { isEmailAddress } from '#core/kernel/email.rules.ts'
import { useT } from '../../i18n/use-t.tsx'

/** Shown when the answer is not there at once, so that nothing flickers. */
const slowAfterMs = 400

/** Says under the email that it has an account here already, and points to the log-in. Asked once the field is left. */
export function EmailNote({
  email,
  publicationId,
  onLogIn,
}: {
  /** What was typed when the field was left; empty while nobody has. */
  email: string
  publicationId: number
  onLogIn: () => void
}) {
  const t = useT()
  const [note, setNote] = useState<'checking' | 'taken' | null>(null)
  useEffect(() => {
    setNote(null)
    if (!isEmailAddress(email)) return
    const asking = new AbortController()
    const slow = setTimeout(() => setNote('checking'), slowAfterMs)
    fetch(`/api/order/email/${encodeURIComponent(email)}/${publicationId}`, { signal: asking.signal })
      .then(({ status }) => setNote(status === 409 ? 'taken' : null))
      // Not asked is not taken: the order itself is checked again.
      .catch(() => setNote((now) => (now === 'checking' ? null : now)))
      .finally(() => clearTimeout(slow))
    return () => {
      clearTimeout(slow)
      asking.abort()
    }
  }, [email, publicationId])
  return (
    <p role="status" className="mt-1.5 text-table text-ink-2 empty:hidden">
      {note === 'checking' && t('Checking this email…')}
      {note === 'taken' && (
        <>
          {t('This email already has an account here.')}{' '}
          <button
            type="button"
            onClick={onLogIn}
            className="min-h-6 font-medium text-ink underline underline-offset-3 hover:decoration-2"
          >
            {t('Log In under Returning Customers')}
          </button>
        </>
      )}
    </p>
  )
}
