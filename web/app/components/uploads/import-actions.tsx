import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { type ReactNode, useState } from 'react'
import type { ImportView } from '#core/imports/upload-view.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { DownloadLink } from '../ui/download-dialog.tsx'

/** The downloads of an import: its rejected rows, and the readers it replaced. */
export function ImportDownloads({ upload, children }: { upload: ImportView; children?: ReactNode }) {
  const affected = upload.updated + upload.removed
  return (
    <>
      {upload.hasRejects && (
        <DownloadLink
          href={`/managedata/uploads/${upload.id}/rejected.csv`}
          dialogTitle="Downloading rejected rows"
          about={upload.fileName}
          label={`Download rejected rows of ${upload.fileName}`}
        >
          Download rejected rows
        </DownloadLink>
      )}
      {upload.hasBackup && upload.state !== 'undone' && affected > 0 && (
        <DownloadLink
          href={`/managedata/uploads/${upload.id}/before.csv`}
          dialogTitle="Downloading what was replaced"
          about={countOf(affected, 'reader')}
          label={`Download what ${upload.fileName} replaced`}
        >
          Download what it replaced
        </DownloadLink>
      )}
      {children}
    </>
  )
}

/** Undo, after a confirmation dialog; without JavaScript immediately. Added readers are removed, the others restored. */
export function UndoImport({ upload, size = 'medium' }: { upload: ImportView; size?: 'small' | 'medium' }) {
  const [isConfirming, setConfirming] = useState(false)
  const submit = useSubmit()
  const isPending = useNavigation().formMethod === 'POST'
  if (!upload.canUndo) return null
  return (
    <Form
      method="post"
      action={upload.page}
      onSubmit={(event) => {
        event.preventDefault()
        setConfirming(true)
      }}
    >
      <input type="hidden" name="intent" value="undo" />
      <Button type="submit" size={size}>
        Undo this import
        <span className="sr-only">{` of ${upload.fileName}`}</span>
      </Button>
      <ConfirmDialog
        title="Undo this import?"
        text={
          <p>
            {`The readers that “${upload.fileName}” added are removed, and those it changed or removed are restored. Readers that somebody has changed since are left unchanged.`}
          </p>
        }
        confirmLabel="Undo this import"
        isOpen={isConfirming}
        isPending={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          submit({ intent: 'undo' }, { method: 'post', action: upload.page })
          setConfirming(false)
        }}
      />
    </Form>
  )
}
