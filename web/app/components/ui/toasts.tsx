import { useState } from 'react'
import type { ToastMessage } from '../../http/toast.ts'
import { ToastButton } from './toast-button.tsx'
import { useLazyImport } from './use-lazy-import.ts'

interface ToastsProps {
  message: ToastMessage | null
  /** A page that says nothing by itself at its foot: the code for it comes only with a message. */
  isQuiet: boolean
}

/** The place for messages; plainly on the page where no script runs, or where the code for more did not come. */
export function Toasts({ message, isQuiet }: ToastsProps) {
  const [isPlain, setPlain] = useState(false)
  const late = useLazyImport(
    !isQuiet || message !== null,
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
      {late && <late.Toaster message={message} />}
      {plain && (isPlain ? plain : <noscript>{plain}</noscript>)}
    </>
  )
}
