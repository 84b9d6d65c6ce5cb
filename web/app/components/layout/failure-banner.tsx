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
  const box = useRef<HTMLDivElement>(null)
  const failure = toast?.kind === 'error' && entryOf(toast.id, key) === key ? toast : null
  useFocusOnMessage(box, failure?.id)
  if (!failure) return null
  const { text, detail, action } = failure
  return (
    <div ref={box} role="alert" tabIndex={-1} className="mb-5">
      <Banner tone="danger" title={text} action={action && <ToastButton action={action} />}>
        {detail && <p>{detail}</p>}
      </Banner>
    </div>
  )
}

/** The latest failure and the history entry it was shown at. Not in the component: an error page replaces it, and the page after has a new one. */
let latest: { id: string; key: string } | undefined

/**
 * The history entry that a failure belongs to: the one it was first shown at. The root loader does not run on navigation, so its data still
 * holds the message on the pages after.
 */
function entryOf(id: string, key: string): string {
  // A server renders each page once, and for everybody.
  if (typeof document === 'undefined') return key
  if (latest?.id !== id) latest = { id, key }
  return latest.key
}
