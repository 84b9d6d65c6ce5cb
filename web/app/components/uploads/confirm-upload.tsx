import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useEffect, useState } from 'react'
import type { UploadView } from '#core/imports/upload-view.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/text-format.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { focusField } from '../ui/focus.ts'
import { Input } from '../ui/inputs.tsx'
import { previewText, type questionOf } from './upload-texts.ts'

interface ConfirmUploadProps {
  upload: UploadView
  question: NonNullable<ReturnType<typeof questionOf>>
  problem: { fields?: FieldErrors } | undefined
  isConfirming: boolean
}

/** Confirms that readers are replaced or combined. Replacing all readers requires typing the publication's handle. */
export function ConfirmUpload({ upload, question, problem, isConfirming }: ConfirmUploadProps) {
  const [isOpen, setOpen] = useState(false)
  const [handle, setHandle] = useState('')
  const [hasScript, setScript] = useState(false)
  const submit = useSubmit()
  const isPending = useNavigation().formMethod === 'POST'
  const error = problem?.fields?.handle
  useEffect(() => {
    setScript(true)
    if (isConfirming) setOpen(true)
  }, [isConfirming])
  // If the handle was refused, its field gets the focus; any other refusal is shown on the page, which the dialog would cover.
  useEffect(() => {
    if (problem?.fields?.handle) focusField('handle')
    else if (problem) setOpen(false)
  }, [problem])

  if (isConfirming && !hasScript) return <ConfirmOnPage upload={upload} question={question} error={error} />
  return (
    <>
      <LinkButton
        to={`${upload.page}&confirm=ask`}
        kind="primary"
        onClick={(event) => {
          event.preventDefault()
          setOpen(true)
        }}
      >
        {openerLabel(upload)}
      </LinkButton>
      <ConfirmDialog
        title={question.title}
        text={
          <>
            <Consequences upload={upload} text={question.text} />
            {upload.needsHandle && (
              <div className="mt-4">
                <Handle urlKey={upload.urlKey} error={error} value={handle} onChange={setHandle} />
              </div>
            )}
          </>
        }
        confirmLabel={question.confirm}
        isOpen={isOpen}
        isDangerous={question.isDangerous}
        isPending={isPending}
        onCancel={() => setOpen(false)}
        onConfirm={() => {
          submit({ intent: 'confirm', handle }, { method: 'post' })
          if (!upload.needsHandle) setOpen(false)
        }}
      />
    </>
  )
}

function openerLabel({ mode, target }: UploadView): string {
  if (mode === 'combine') return 'Add and combine…'
  return target === 'imported' ? 'Replace imported readers…' : 'Replace all readers…'
}

function Consequences({ upload, text }: { upload: UploadView; text: string }) {
  const { preview, mode, publicationName } = upload
  const affected = (preview?.updated ?? 0) + (preview?.removed ?? 0)
  return (
    <>
      <p className="font-medium text-ink">{text}</p>
      <p className="numeric mt-2">
        {preview && `${previewText(upload, preview)} at '${publicationName}'.`}
        {mode === 'replace' || affected > 0
          ? ` A backup of the ${countOf(affected, 'reader that is changed or removed', 'readers that are changed or removed')} is kept for 30 days: it can be downloaded, and the import can be undone.`
          : ' It can be undone for 30 days.'}
      </p>
    </>
  )
}

interface HandleProps {
  urlKey: string
  error: string | undefined
  value?: string
  onChange?: (value: string) => void
}

function Handle({ urlKey, error, value, onChange }: HandleProps) {
  return (
    <Field label={`Type ${urlKey} to confirm`} name="handle" isRequired error={error}>
      {(control) => (
        <Input
          {...control}
          name="handle"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          {...(onChange ? { value, onChange: ({ target }) => onChange(target.value) } : {})}
        />
      )}
    </Field>
  )
}

/** The confirmation question on the page itself, for browsers without JavaScript. */
function ConfirmOnPage({
  upload,
  question,
  error,
}: {
  upload: UploadView
  question: ConfirmUploadProps['question']
  error: string | undefined
}) {
  return (
    <Form
      method="post"
      action={`${upload.page}&confirm=ask`}
      aria-label={question.title}
      className="w-full rounded-card border border-danger p-4"
    >
      <h3 className="text-h3">{question.title}</h3>
      <div className="mt-2 text-body text-ink-2">
        <Consequences upload={upload} text={question.text} />
      </div>
      {upload.needsHandle && (
        <div className="mt-4">
          <Handle urlKey={upload.urlKey} error={error} />
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-3">
        <LinkButton to={upload.page}>Cancel</LinkButton>
        <Button type="submit" name="intent" value="confirm" kind={question.isDangerous ? 'danger' : 'primary'}>
          {question.confirm}
        </Button>
      </div>
    </Form>
  )
}
