import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { createPortal } from 'react-dom'
import { useT } from '../../../i18n/use-t.tsx'
import { IconButton } from '../../ui/button.tsx'
import { shopColors } from '../shop-colors.ts'
import type { Shop } from '../shop-frame.tsx'

interface PaymentDialogProps {
  /** The shop whose colours to use; by default the product's own. */
  shop?: Pick<Shop, 'theme'>
  title: string
  role?: 'dialog' | 'alertdialog'
  /** Whether a payment is being confirmed: then the dialog cannot be closed. */
  isBusy?: boolean
  onClose: () => void
  children: ReactNode
}

/**
 * A modal payment dialog. Only the page behind it is inert, not the whole document: the provider's script opens the bank's 3-D Secure
 * challenge above this dialog, and it must stay usable. A click outside does not close it.
 */
export function PaymentDialog({ shop, title, role = 'dialog', isBusy = false, onClose, children }: PaymentDialogProps) {
  const t = useT()
  const heading = useId()
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const opener = document.activeElement
    const page = document.querySelector('.shop') ?? document.getElementById('main')?.parentElement
    page?.setAttribute('inert', '')
    document.documentElement.style.overflow = 'hidden'
    panel.current?.focus()
    return () => {
      page?.removeAttribute('inert')
      document.documentElement.style.overflow = ''
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
    }
  }, [])
  useEffect(() => {
    // If a click removes its own button, the focus is lost.
    if (document.activeElement === document.body) panel.current?.focus()
  })
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && !isBusy && onClose()
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isBusy, onClose])
  return createPortal(
    <>
      <div className="fixed inset-0 z-40 animate-fade bg-nav/50" />
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles it can have support it */}
      <div
        ref={panel}
        role={role}
        aria-modal="true"
        aria-labelledby={heading}
        aria-busy={isBusy || undefined}
        tabIndex={-1}
        style={shop && shopColors(shop.theme)}
        className="fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] -translate-1/2 animate-fade overflow-y-auto rounded-dialog bg-surface p-5 text-input text-ink shadow-float outline-none lg:p-6"
      >
        <div className="mb-4 flex items-start justify-between gap-4">
          <h2 id={heading} className="text-h3 font-semibold">
            {title}
          </h2>
          <IconButton
            label={t('Close')}
            size="small"
            icon={<X size={18} aria-hidden="true" />}
            isDisabled={isBusy}
            onClick={onClose}
          />
        </div>
        {children}
      </div>
    </>,
    document.body,
  )
}
