import { useEffect } from 'react'
import { Toaster, toast } from 'sonner'
import type { ToastMessage } from '../../http/toast.ts'

/** The messages at the foot of the page: 15 seconds, one of a kind, held while pointed at; F8 leads to them. */
export function Toasts({ message }: { message: ToastMessage | null }) {
  useEffect(() => {
    if (!message) return
    const show = message.kind === 'error' ? toast.error : toast.success
    show(message.text, { id: message.text, description: message.detail })
  }, [message])
  return (
    <>
      <Toaster
        position="bottom-center"
        duration={15_000}
        hotkey={['F8']}
        closeButton
        containerAriaLabel="Messages"
        toastOptions={{
          classNames: { toast: 'font-sans!', title: 'text-body!', description: 'text-table! text-ink-2!' },
        }}
      />
      {message && (
        <noscript>
          <p role="status" className="fixed inset-x-4 bottom-4 card px-4 py-3 text-body shadow-float">
            {message.text}
          </p>
        </noscript>
      )}
    </>
  )
}
