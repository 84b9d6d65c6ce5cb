import { useSubmit } from '@remix-run/react'
import type { ListedReader } from '#core/warnings/listed-reader.ts'
import type { AddressChange } from '#web/app/http/manage-data.ts'
import { ConfirmPanel } from '../ui/confirm-panel.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { readerName } from '../ui/reader-cells.tsx'
import { AddressChanges } from './address-changes.tsx'

/** An action on a reader of a list that waits for confirmation. */
export interface ReaderConfirmationProps {
  action: 'remove' | 'fix'
  reader: ListedReader
  /** For a fix: the changes it would make. */
  change: AddressChange | null
}

const texts = {
  remove: { verb: 'Remove', confirm: 'Remove Reader', intent: 'remove' },
  fix: { verb: 'Auto fix the address of', confirm: 'Fix address', intent: 'fix-address' },
} as const

function titleOf({ action, reader }: ReaderConfirmationProps): string {
  return `${texts[action].verb} '${readerName(reader)}'?`
}

function ConfirmationText({ confirmation: { action, reader, change } }: { confirmation: ReaderConfirmationProps }) {
  if (action === 'remove') {
    return (
      <>
        <p>Are you sure you want to remove this Reader from the system?</p>
        <p className="mt-2">
          {`The record ${reader.uniqueReference} is removed from every list and mailing at once, and any automatic renewal ends. Orders and the ledger stay as they are. You can restore the reader straight afterwards, without the renewal.`}
        </p>
      </>
    )
  }
  return (
    <>
      <p>Are you sure you want to attempt to automatically fix this Reader's address?</p>
      {change && <AddressChanges before={reader} change={change} />}
    </>
  )
}

/** The confirmation dialog; submits the action to the page. */
export function ReaderConfirmDialog({
  confirmation,
  onClose,
}: {
  confirmation: ReaderConfirmationProps
  onClose: () => void
}) {
  const submit = useSubmit()
  const { confirm, intent } = texts[confirmation.action]
  return (
    <ConfirmDialog
      title={titleOf(confirmation)}
      text={<ConfirmationText confirmation={confirmation} />}
      confirmLabel={confirm}
      isOpen
      isDangerous={confirmation.action === 'remove'}
      onConfirm={() => {
        submit({ intent, id: confirmation.reader.id }, { method: 'post', preventScrollReset: true, replace: true })
        onClose()
      }}
      onCancel={onClose}
    />
  )
}

/** The confirmation on the page itself, for browsers without JavaScript. */
export function ReaderConfirmation({ confirmation, back }: { confirmation: ReaderConfirmationProps; back: string }) {
  const { confirm, intent } = texts[confirmation.action]
  return (
    <ConfirmPanel
      title={titleOf(confirmation)}
      confirmLabel={confirm}
      action={back}
      id={confirmation.reader.id}
      intent={intent}
      cancelTo={back}
    >
      <ConfirmationText confirmation={confirmation} />
    </ConfirmPanel>
  )
}
