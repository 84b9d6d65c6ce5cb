import { Form, useNavigation, useSearchParams, useSubmit } from '@remix-run/react'
import { useId, useState } from 'react'
import { type Day, formatDay } from '#core/kernel/dates.ts'
import { formatMoney, type Money } from '#core/kernel/money.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { disabledWhile, SaveFirst } from './save-first.tsx'

interface ReaderActionsProps {
  reader: {
    id: number
    publicationId: number
    name: string
    isDeleted: boolean
    orders: number
    renewal: { on: Day; price: Money } | null
  }
  /** Whether there are unsaved changes, which reloading the page would lose. */
  isDirty: boolean
}

/** The question from the specification, and what removing the reader does. */
function Consequences({ reader: { orders, renewal } }: Pick<ReaderActionsProps, 'reader'>) {
  return (
    <>
      <p>Are you sure you want to remove this Reader from the system?</p>
      <p className="mt-2">
        The record is removed from every list and mailing at once.{' '}
        {orders > 0 && 'Orders and the ledger stay as they are. '}
        You can restore the reader straight afterwards.
      </p>
      {renewal && <RenewalEnds renewal={renewal} />}
    </>
  )
}

/** The automatic renewal, which undo does not restore. */
function RenewalEnds({ renewal: { on, price } }: { renewal: NonNullable<ReaderActionsProps['reader']['renewal']> }) {
  return (
    <p className="mt-2">
      {`The automatic renewal of ${formatMoney(price)} on ${formatDay(on)} ends as well, and stays off: only the reader can turn it on again, by placing an order.`}
    </p>
  )
}

/** The effects of deactivating that the button's label does not mention. */
function DeactivationText({ reader: { renewal } }: Pick<ReaderActionsProps, 'reader'>) {
  return (
    <>
      <p>The reader gets no more copies or mailings. The record and its orders stay.</p>
      {renewal && <RenewalEnds renewal={renewal} />}
    </>
  )
}

/** Deactivate or Reactivate, and Remove. */
export function ReaderActions({ reader, isDirty }: ReaderActionsProps) {
  const [question, setQuestion] = useState<'remove' | 'deactivate' | null>(null)
  const submit = useSubmit()
  const pending = useNavigation().formData?.get('intent')
  const reasonId = useId()
  const action = reader.isDeleted ? 'reactivate' : 'deactivate'
  const { list } = useListFilter()
  const disabledProps = disabledWhile(isDirty, reasonId)
  return (
    <div>
      <div className="flex flex-wrap gap-2">
        {!reader.isDeleted && reader.renewal ? (
          <Form method="get">
            {list && <input type="hidden" name="list" value={list} />}
            <Button
              type="submit"
              name="confirm"
              value="deactivate"
              isPending={pending === 'deactivate'}
              {...disabledProps}
              onClick={(event) => {
                event.preventDefault()
                setQuestion('deactivate')
              }}
            >
              Deactivate Reader
            </Button>
          </Form>
        ) : (
          <Form method="post">
            <input type="hidden" name="publicationId" value={reader.publicationId} />
            <Button type="submit" name="intent" value={action} isPending={pending === action} {...disabledProps}>
              {reader.isDeleted ? 'Reactivate Reader' : 'Deactivate Reader'}
            </Button>
          </Form>
        )}
        <Form method="get">
          {list && <input type="hidden" name="list" value={list} />}
          <Button
            type="submit"
            name="confirm"
            value="remove"
            isPending={pending === 'remove'}
            {...disabledProps}
            onClick={(event) => {
              event.preventDefault()
              setQuestion('remove')
            }}
          >
            Remove Reader
          </Button>
        </Form>
      </div>
      {isDirty && <SaveFirst id={reasonId} />}
      <ConfirmDialog
        title={`Remove '${reader.name}'?`}
        text={<Consequences reader={reader} />}
        confirmLabel="Remove Reader"
        isDangerous
        isOpen={question === 'remove'}
        onCancel={() => setQuestion(null)}
        onConfirm={() => {
          setQuestion(null)
          submit({ intent: 'remove', publicationId: reader.publicationId }, { method: 'post' })
        }}
      />
      <ConfirmDialog
        title={`Deactivate '${reader.name}'?`}
        text={<DeactivationText reader={reader} />}
        confirmLabel="Deactivate Reader"
        isDangerous
        isOpen={question === 'deactivate'}
        onCancel={() => setQuestion(null)}
        onConfirm={() => {
          setQuestion(null)
          submit({ intent: 'deactivate', publicationId: reader.publicationId }, { method: 'post' })
        }}
      />
    </div>
  )
}

/** The filter of the list that the page was opened from, and a query string that keeps it. */
function useListFilter(): { list: string | null; query: string } {
  const [params] = useSearchParams()
  const list = params.get('list')
  return { list, query: list ? `?${new URLSearchParams({ list })}` : '' }
}

/** The confirmation question on the page itself, for browsers without JavaScript. */
export function RemoveReaderConfirmation({ reader }: Pick<ReaderActionsProps, 'reader'>) {
  const { query } = useListFilter()
  return (
    <ConfirmPanel
      title={`Remove '${reader.name}'?`}
      confirmLabel="Remove Reader"
      action={`/editreader/${reader.id}${query}`}
      id={reader.id}
      intent="remove"
      cancelTo={`/editreader/${reader.id}${query}`}
    >
      <Consequences reader={reader} />
    </ConfirmPanel>
  )
}

/** The confirmation on the page itself, for a reader whose automatic renewal ends with the deactivation. */
export function DeactivateReaderConfirmation({ reader }: Pick<ReaderActionsProps, 'reader'>) {
  const { query } = useListFilter()
  return (
    <ConfirmPanel
      title={`Deactivate '${reader.name}'?`}
      confirmLabel="Deactivate Reader"
      action={`/editreader/${reader.id}${query}`}
      id={reader.id}
      intent="deactivate"
      cancelTo={`/editreader/${reader.id}${query}`}
    >
      <DeactivationText reader={reader} />
    </ConfirmPanel>
  )
}
