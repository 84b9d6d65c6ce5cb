import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'

/** Removes a testimonial after a confirmation: a dialog, or the page itself without JavaScript. */
export function RemoveTestimonial({ id, personName }: { id: number; personName: string }) {
  const [isConfirming, setConfirming] = useState(false)
  const submit = useSubmit()
  const isPending = useNavigation().formData?.get('id') === String(id)
  return (
    <Form method="get">
      <Button
        type="submit"
        name="remove"
        value={String(id)}
        kind="quiet"
        isPending={isPending}
        aria-label={`Remove ${personName}`}
        onClick={(event) => {
          event.preventDefault()
          setConfirming(true)
        }}
      >
        Remove
      </Button>
      <ConfirmDialog
        title={`Remove the testimonial by ${personName}?`}
        text={<p>This cannot be undone.</p>}
        confirmLabel="Remove testimonial"
        isDangerous
        isOpen={isConfirming}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          submit({ intent: 'remove', id }, { method: 'post' })
        }}
      />
    </Form>
  )
}
