import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import type { ToastMessage } from '../../http/toast.ts'
import { ToastButton } from './toast-button.tsx'

/**
 * Takes a used message away, and the focus out of it first. It goes with the message only later, often after the page has answered: by
 * then nobody looks any more whether the focus was lost.
 */
function dismiss(id: string): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.closest('[data-sonner-toast]')) activeElement.blur()
  toast.dismiss(id)
}

/** The messages at the foot of the page: 15 seconds, one of a kind, held while pointed at; F8 leads to them. */
export function Toaster({ message }: { message: ToastMessage | null }) {
  useEffect(() => {
    if (!message) return
    const { text, detail, action } = message
    toast.success(text, {
      id: text,
      description: detail,
      action: action && <ToastButton action={action} onUsed={() => dismiss(text)} />,
    })
  }, [message])
  return (
    <Sonner
      position="bottom-center"
      duration={15_000}
      hotkey={['F8']}
      closeButton
      containerAriaLabel="Messages"
      toastOptions={{
        classNames: { toast: 'font-sans!', title: 'text-body!', description: 'text-table! text-ink-2!' },
      }}
    />
  )
}
