import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../ui/dialog.tsx'
import { Section } from '../ui/facts.tsx'

/** A dialog and a confirmation dialog, each opened by a button. */
export function KitDialogs() {
  const [open, setOpen] = useState<'dialog' | 'confirm' | null>(null)
  const [isRemoved, setRemoved] = useState(false)
  const close = () => setOpen(null)
  return (
    <Section title="Dialogs">
      <div className="flex flex-wrap items-center gap-3">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button onClick={() => setOpen('confirm')}>Remove sample</Button>
        <p role="status" className="text-body text-ink-2">
          {isRemoved ? 'The sample is removed.' : 'The sample is here.'}
        </p>
      </div>
      <Dialog
        title="A dialog"
        description="It closes with Esc, a click outside it or its button."
        isOpen={open === 'dialog'}
        onClose={close}
      >
        <Button onClick={close}>Done</Button>
      </Dialog>
      <ConfirmDialog
        title="Remove “Sample”?"
        text="It comes back when the page is loaded again."
        confirmLabel="Remove sample"
        isDangerous
        isOpen={open === 'confirm'}
        onCancel={close}
        onConfirm={() => {
          setRemoved(true)
          close()
        }}
      />
    </Section>
  )
}
