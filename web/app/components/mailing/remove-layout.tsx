import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'

interface RemoveLayoutProps {
  layout: { id: number; name: string; isShared: boolean }
}

const confirmLabel = 'Remove layout'
const titleOf = ({ name }: RemoveLayoutProps['layout']) => `Remove the layout '${name}'?`

function Consequences({ layout: { isShared } }: RemoveLayoutProps) {
  return (
    <p>
      {isShared && 'It is removed for all your publications. '}
      The records of past mailing files keep its name. This cannot be undone.
    </p>
  )
}

/** Removes a layout after a confirmation dialog. */
export function RemoveLayout({ layout }: RemoveLayoutProps) {
  const [isConfirming, setConfirming] = useState(false)
  const submit = useSubmit()
  const isPending = useNavigation().formData?.get('id') === String(layout.id)
  return (
    <Form method="get">
      <Button
        type="submit"
        name="remove"
        value={String(layout.id)}
        kind="quiet"
        isPending={isPending}
        aria-label={`Remove ${layout.name}`}
        onClick={(event) => {
          event.preventDefault()
          setConfirming(true)
        }}
      >
        Remove
      </Button>
      <ConfirmDialog
        title={titleOf(layout)}
        text={<Consequences layout={layout} />}
        confirmLabel={confirmLabel}
        isDangerous
        isOpen={isConfirming}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          setConfirming(false)
          submit({ intent: 'remove', id: layout.id }, { method: 'post' })
        }}
      />
    </Form>
  )
}

/** The confirmation question on the page itself, for browsers without JavaScript. */
export function RemoveLayoutConfirmation({ layout }: RemoveLayoutProps) {
  return (
    <ConfirmPanel
      title={titleOf(layout)}
      confirmLabel={confirmLabel}
      action="?"
      id={layout.id}
      intent="remove"
      cancelTo="?"
    >
      <Consequences layout={layout} />
    </ConfirmPanel>
  )
}
