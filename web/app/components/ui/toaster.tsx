import { useEffect } from 'react'
import { Toaster as Sonner, toast } from 'sonner'
import type { ToastMessage } from '../../http/toast.ts'
import { useT } from '../../i18n/use-t.tsx'
import { ToastButton } from './toast-button.tsx'

/**
 * Dismisses a toast, and moves the focus out of it first. The toast itself is removed later, often after the page has updated, when nothing
 * checks for a lost focus any longer.
 */
function dismiss(id: string): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.closest('[data-sonner-toast]')) activeElement.blur()
  toast.dismiss(id)
}

/** The toasts: 15 seconds each, without duplicates, paused while hovered; F8 focuses them. */
export function Toaster({ message }: { message: ToastMessage | null }) {
  const t = useT()
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
      containerAriaLabel={t('Messages')}
      toastOptions={{
        closeButtonAriaLabel: t('Close'),
        classNames: { toast: 'font-sans!', title: 'text-body!', description: 'text-table! text-ink-2!' },
      }}
    />
  )
}
