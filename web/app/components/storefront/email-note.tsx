import { useEffect, useState } from 'react'
import { isEmailAddress } from '#core/kernel/email.rules.ts'
import { useT } from '../../i18n/use-t.tsx'

/** Delay before the check is shown, in milliseconds, so that a fast response does not cause flicker. */
const slowAfterMs = 400

/** Says under the email that it already has an account here, with a link to the log-in. Checked when the field is left. */
export function EmailNote({
  email,
  publicationId,
  onLogIn,
}: {
  /** The value when the field was left; empty before. */
  email: string
  publicationId: number
  onLogIn: () => void
}) {
  const t = useT()
  const [note, setNote] = useState<'checking' | 'taken' | null>(null)
  useEffect(() => {
    setNote(null)
    if (!isEmailAddress(email)) return
    const controller = new AbortController()
    const slow = setTimeout(() => setNote('checking'), slowAfterMs)
    fetch(`/api/order/email/${encodeURIComponent(email)}/${publicationId}`, { signal: controller.signal })
      .then(({ status }) => setNote(status === 409 ? 'taken' : null))
      // No response: the email is checked again with the order.
      .catch(() => setNote((current) => (current === 'checking' ? null : current)))
      .finally(() => clearTimeout(slow))
    return () => {
      clearTimeout(slow)
      controller.abort()
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
            {t('Log in under Returning Customers')}
          </button>
        </>
      )}
    </p>
  )
}
