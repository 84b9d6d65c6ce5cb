import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useId, useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { QuestionPanel } from '../ui/question-panel.tsx'

interface ReaderActionsProps {
  reader: { id: number; publicationId: number; name: string; isDeleted: boolean; orders: number }
  /** Something typed is not saved: the page would come anew and lose it. */
  isDirty: boolean
}

/** The question of the specification, with what really happens. */
function Consequences({ orders }: { orders: number }) {
  return (
    <>
      <p>Are you sure you want to remove this Reader from the system?</p>
      <p className="mt-2">
        The record goes out of every list and mailing at once.{' '}
        {orders > 0 && 'Orders and the ledger stay as they are. '}
        It can be undone right afterwards.
      </p>
    </>
  )
}

/** Deactivate or Reactivate, and Remove. */
export function ReaderActions({ reader, isDirty }: ReaderActionsProps) {
  const [isAsking, setAsking] = useState(false)
  const submit = useSubmit()
  const pending = useNavigation().formData?.get('intent')
  const reasonId = useId()
  const action = reader.isDeleted ? 'reactivate' : 'deactivate'
  const why = isDirty ? { isDisabled: true, 'aria-describedby': reasonId } : {}
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        <Form method="post">
          <input type="hidden" name="publicationId" value={reader.publicationId} />
          <Button type="submit" name="intent" value={action} isPending={pending === action} {...why}>
            {reader.isDeleted ? 'Reactivate Reader' : 'Deactivate Reader'}
          </Button>
        </Form>
        <Form method="get">
          <Button
            type="submit"
            name="confirm"
            value="remove"
            isPending={pending === 'remove'}
            {...why}
            onClick={(event) => {
              event.preventDefault()
              setAsking(true)
            }}
          >
            Remove Reader
          </Button>
        </Form>
      </div>
      {isDirty && (
        <p id={reasonId} className="mt-1 text-caption text-muted">
          Save or discard your changes first.
        </p>
      )}
      <ConfirmDialog
        title={`Remove '${reader.name}'?`}
        text={<Consequences orders={reader.orders} />}
        confirmLabel="Remove Reader"
        isDangerous
        isOpen={isAsking}
        onCancel={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false)
          submit({ intent: 'remove', publicationId: reader.publicationId }, { method: 'post' })
        }}
      />
    </div>
  )
}

/** The same question on the page itself, where no script runs. */
export function RemoveReaderQuestion({ reader }: Pick<ReaderActionsProps, 'reader'>) {
  return (
    <QuestionPanel
      title={`Remove '${reader.name}'?`}
      confirmLabel="Remove Reader"
      action={`/editreader/${reader.id}`}
      id={reader.id}
      intent="remove"
      cancelTo={`/editreader/${reader.id}`}
    >
      <Consequences orders={reader.orders} />
    </QuestionPanel>
  )
}
