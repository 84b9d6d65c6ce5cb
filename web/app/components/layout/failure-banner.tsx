import { useLocation, useRouteLoaderData } from '@remix-run/react'
import { useRef } from 'react'
import type { ToastMessage } from '../../http/toast.ts'
import { Banner } from '../ui/banner.tsx'
import { useFocusOnMessage } from '../ui/focus.ts'
import { ToastButton } from '../ui/toast-button.tsx'

/**
 * What could not be done, above the page it was tried on, until one goes on: a message at the foot would cover buttons, and be gone after
 * a while. It comes into view and takes the focus.
 */
export function FailureBanner() {
  const { toast } = (useRouteLoaderData('root') ?? {}) as { toast?: ToastMessage | null }
  const { key } = useLocation()
  const box = useRef<HTMLDivElement>(null)
  // The root is not asked again on the way to the next page, so the message is still there.
  const shown = useRef<{ id: string; key: string }>()
  if (toast && shown.current?.id !== toast.id) shown.current = { id: toast.id, key }
  const failure = toast?.kind === 'error' && shown.current?.key === key ? toast : null
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
