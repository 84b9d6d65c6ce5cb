import X from 'lucide-react/icons/x'
import { AlertDialog, Dialog as RadixDialog } from 'radix-ui'
import { type ReactNode, useRef } from 'react'
import { useT } from '../../i18n/use-t.tsx'
import { Button, IconButton } from './button.tsx'
import { useRestoreFocus } from './focus.ts'

const overlay = 'fixed inset-0 z-40 bg-nav/50 animate-fade'
const panel =
  'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] -translate-1/2 overflow-y-auto rounded-dialog border border-transparent bg-surface p-5 shadow-float animate-fade lg:p-6'

interface DialogProps {
  title: string
  isOpen: boolean
  onClose: () => void
  /** Whether a click outside leaves it open, so that typed text is not lost by accident. Esc and the button still close it. */
  ignoresOutsideClick?: boolean
  description?: string
  children: ReactNode
}

/** A modal dialog that traps the focus and returns it to its opener. */
export function Dialog({ title, isOpen, onClose, ignoresOutsideClick = false, description, children }: DialogProps) {
  const t = useT()
  const content = useRef<HTMLDivElement>(null)
  const { remember, restoreFocus } = useRestoreFocus()
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className={overlay} />
        <RadixDialog.Content
          className={panel}
          onOpenAutoFocus={(event) => {
            remember()
            // A form is opened to be filled in: the focus would otherwise be on the button that closes it.
            const field = content.current?.querySelector<HTMLElement>(
              'form :is(input:not([type=hidden]), select, textarea)',
            )
            if (!field) return
            event.preventDefault()
            field.focus()
          }}
          ref={content}
          onCloseAutoFocus={restoreFocus}
          onInteractOutside={(event) => ignoresOutsideClick && event.preventDefault()}
          {...(description ? {} : { 'aria-describedby': undefined })}
        >
          <div className="mb-4 flex items-start justify-between gap-4">
            <RadixDialog.Title className="text-h3 font-semibold">{title}</RadixDialog.Title>
            <IconButton label={t('Close')} size="small" icon={<X size={18} aria-hidden="true" />} onClick={onClose} />
          </div>
          {description && (
            <RadixDialog.Description className="mb-4 text-body text-ink-2">{description}</RadixDialog.Description>
          )}
          {children}
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  )
}

interface ConfirmDialogProps {
  /** The question, naming the item: "Remove 'The Gardener'?" */
  title: string
  /** The consequences, and whether they can be undone. */
  text: ReactNode
  /** The verb of the question: "Remove publication". */
  confirmLabel: string
  isOpen: boolean
  isPending?: boolean
  isDangerous?: boolean
  onConfirm: () => void
  onCancel: () => void
}

/** A confirmation dialog. The focus starts on Cancel; Esc cancels. */
export function ConfirmDialog({
  title,
  text,
  confirmLabel,
  isOpen,
  isPending = false,
  isDangerous = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const t = useT()
  const cancel = useRef<HTMLDivElement>(null)
  const { remember, restoreFocus } = useRestoreFocus()
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(open) => !open && !isPending && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlay} />
        <AlertDialog.Content
          className={panel}
          onCloseAutoFocus={restoreFocus}
          onOpenAutoFocus={(event) => {
            remember()
            event.preventDefault()
            cancel.current?.querySelector('button')?.focus()
          }}
        >
          <AlertDialog.Title className="text-h3 font-semibold">{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className="mt-2 text-body text-ink-2">{text}</div>
          </AlertDialog.Description>
          <div ref={cancel} className="mt-6 flex flex-wrap justify-end gap-3">
            <Button onClick={onCancel} isDisabled={isPending}>
              {t('Cancel')}
            </Button>
            <Button kind={isDangerous ? 'danger' : 'primary'} isPending={isPending} onClick={onConfirm}>
              {confirmLabel}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
