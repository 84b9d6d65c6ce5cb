import { Form, Link, useNavigation } from '@remix-run/react'
import Download from 'lucide-react/icons/download'
import { type FormEvent, useState } from 'react'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { FileSize } from '../ui/formats.tsx'
import { FilePicker } from './file-picker.tsx'
import { type SendProblem, useSendFile } from './use-send-file.ts'

interface ChooseFileProps {
  /** What the file is for. */
  explanation: string
  template?: { href: string; text: string }
  hint: string
  /** The address to which a script uploads the file, with progress; the form itself posts to its own page. */
  sendTo: string
  /** The address to which the form posts without JavaScript, if not to its own page. */
  postTo?: string
  maxBytes: number
  problem: SendProblem | undefined
  /** The upload that blocks this one, with its page. */
  open: { text: string; page: string } | null
  /** Where Cancel leads; none on a page that has other content. */
  backTo?: string
}

/** Step 1: the template, and the file to upload. */
export function ChooseFile({
  explanation,
  template,
  hint,
  sendTo,
  postTo,
  maxBytes,
  problem: refusal,
  open,
  backTo,
}: ChooseFileProps) {
  const { sending, problem: sendProblem, send, stop, setProblem } = useSendFile(sendTo)
  const [chosen, setChosen] = useState<{ file: File | null; fileProblem: string | null }>({
    file: null,
    fileProblem: null,
  })
  const isPosting = useNavigation().formMethod === 'POST'
  const problem = sendProblem ?? refusal
  useErrorTitle(problem !== undefined && problem !== null)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const message = chosen.fileProblem ?? 'Choose a CSV file'
    if (chosen.file) send(chosen.file)
    else setProblem({ message, fields: { file: message } })
  }

  if (open && !problem) {
    return (
      <Banner
        tone="warning"
        title={open.text}
        action={
          <LinkButton to={open.page} size="small">
            Go to the upload
          </LinkButton>
        }
      >
        One file at a time: finish it or cancel it, then upload the next one.
      </Banner>
    )
  }
  return (
    <Form
      method="post"
      {...(postTo ? { action: postTo } : {})}
      encType="multipart/form-data"
      noValidate
      className="card max-w-3xl space-y-5 p-4 lg:p-6"
      onSubmit={submit}
    >
      {problem && <Refusal problem={problem} />}
      <p className="text-body text-ink-2">{explanation}</p>
      {template && (
        <p>
          <a href={template.href} download className="link inline-flex items-center gap-1.5 text-body">
            <Download size={16} aria-hidden="true" />
            {template.text}
          </a>
        </p>
      )}
      <FilePicker
        label="CSV file"
        hint={hint}
        maxBytes={maxBytes}
        error={problem?.fields?.file}
        onChoose={(file, fileProblem) => setChosen({ file, fileProblem })}
      />
      {sending && <Sending sent={sending.sent} total={sending.total} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" kind="primary" isPending={sending !== null || isPosting}>
          Upload
        </Button>
        {sending ? (
          <Button kind="quiet" onClick={stop}>
            Stop
          </Button>
        ) : (
          backTo && (
            <LinkButton to={backTo} kind="quiet">
              Cancel
            </LinkButton>
          )
        )}
      </div>
    </Form>
  )
}

function Refusal({ problem }: { problem: SendProblem }) {
  return (
    <div className="space-y-2">
      <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields ?? {}} />
      {problem.page && (
        <p className="text-body">
          <Link to={problem.page} className="link">
            Go to the other upload
          </Link>
        </p>
      )}
    </div>
  )
}

function Sending({ sent, total }: { sent: number; total: number }) {
  const isSent = total > 0 && sent >= total
  return (
    <div>
      <progress
        aria-label="Uploading the file"
        className="block h-2 w-full accent-primary"
        value={sent}
        max={Math.max(1, total)}
      />
      <p role="status" className="numeric mt-1.5 text-table text-ink-2">
        {isSent ? (
          'Uploaded. Checking the file…'
        ) : (
          <>
            <FileSize bytes={sent} /> of <FileSize bytes={total} />
          </>
        )}
      </p>
    </div>
  )
}
