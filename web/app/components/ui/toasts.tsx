import { useState } from 'react'
import type { ToastMessage } from '../../http/toast.ts'
import { ToastButton } from './toast-button.tsx'
import { useLazyImport } from './use-lazy-import.ts'

interface ToastsProps {
  message: ToastMessage | null
  /** Whether toasts appear only after a redirect: their code is then loaded only when there is a toast to show. */
  onlyAfterRedirect: boolean
}

/** The container of toasts; without JavaScript, or if their code failed to load, they are plain text on the page. */
export function Toasts({ message, onlyAfterRedirect }: ToastsProps) {
  const [isPlain, setPlain] = useState(false)
  const toaster = useLazyImport(
    !onlyAfterRedirect || message !== null,
    () => import('./toaster.tsx'),
    () => setPlain(true),
  )
  const plain = message && (
    <div
      role="status"
      className="fixed inset-x-4 bottom-4 flex items-center gap-4 card px-4 py-3 text-body shadow-float"
    >
      <p>
        {message.text}
        {message.detail && <span className="block text-table text-ink-2">{message.detail}</span>}
      </p>
      {message.action && <ToastButton action={message.action} />}
    </div>
  )
  return (
    <>
      {toaster && <toaster.Toaster message={message} />}
      {plain && (isPlain ? plain : <noscript>{plain}</noscript>)}
    </>
  )
}
