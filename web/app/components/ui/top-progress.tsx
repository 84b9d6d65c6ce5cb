import { useNavigation } from '@remix-run/react'
import { useEffect, useState } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { useWaitingForm } from './lost-connection.ts'

const delayMs = 300

/** A thin progress bar at the top while a navigation takes longer than 300 ms. */
export function TopProgress() {
  const t = useT()
  const isFormWaiting = useWaitingForm()
  const isBusy = useNavigation().state !== 'idle' && !isFormWaiting
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    if (!isBusy) return setShown(false)
    const timer = setTimeout(() => setShown(true), delayMs)
    return () => clearTimeout(timer)
  }, [isBusy])
  if (!isShown) return null
  return (
    // A live region: it is outside of the page's landmarks, and screen readers should notice it there.
    <div aria-live="polite">
      <div
        role="progressbar"
        aria-label={t('Loading the page')}
        className="no-print fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden bg-primary-soft"
      >
        <div className="h-full w-2/3 animate-pulse bg-primary" />
      </div>
    </div>
  )
}
