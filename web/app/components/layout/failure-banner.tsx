import { useLocation, useRouteLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import type { ToastMessage } from '../../http/toast.ts'
import { Banner } from '../ui/banner.tsx'
import { useFocusOnMessage } from '../ui/focus.ts'
import { ToastButton } from '../ui/toast-button.tsx'

/**
 * An error above the page on which an action failed, shown until the user navigates: a toast would cover buttons and disappear. It scrolls
 * into view and takes the focus.
 */
export function FailureBanner() {
  const { toast } = (useRouteLoaderData('root') ?? {}) as { toast?: ToastMessage | null }
  const { key } = useLocation()
  const banner = useRef<HTMLDivElement>(null)
  const failure = toast?.kind === 'error' && historyEntryOf(toast.id, key) === key ? toast : null
  useFocusOnMessage(banner, failure?.id)
  if (!failure) return null
  const { text, detail, action } = failure
  return (
    <div ref={banner} role="alert" tabIndex={-1} className="mb-5">
      <Banner tone="danger" title={text} action={action && <ToastButton action={action} />}>
        {detail && <p>{detail}</p>}
      </Banner>
    </div>
  )
}

/** The latest failure and the history entry it was shown at. Stored outside the component, because an error page unmounts it. */
let latestFailure: { id: string; key: string } | undefined

/**
 * The history entry that a failure belongs to: the one it was first shown at. The root loader does not run on navigation, so its data still
 * holds the message on later pages.
 */
function historyEntryOf(id: string, key: string): string {
  // On the server the variable would be shared by all users.
  if (typeof document === 'undefined') return key
  if (latestFailure?.id !== id) latestFailure = { id, key }
  return latestFailure.key
}
