import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { PostcodeFileView } from '#core/postcode-files/postcode-file-row.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { Moment } from '../ui/formats.tsx'
import { usePolling } from '../ui/use-polling.ts'

const pollMs = 1000

/** The postcode file that is being imported, or its result. */
export function PostcodeProgress({ file }: { file: PostcodeFileView }) {
  const isBusy = file.state === 'waiting' || file.state === 'running' || file.state === 'checking'
  usePolling(isBusy, pollMs)
  if (file.state === 'failed') {
    return (
      <Banner tone="danger" title="Reader data failed due to data errors" isAlert>
        {`${file.fileName}: ${file.problem ?? 'it could not be read'}. `}
        Please fix the errors and retry
      </Banner>
    )
  }
  if (!isBusy) return null
  const progressProps =
    file.state === 'running' && file.rows > 0 ? { value: Math.min(file.rows, file.totalRows), max: file.totalRows } : {}
  const title = file.state === 'checking' ? 'Checking the readers against the file…' : `Reading ${file.fileName}…`
  return (
    <section aria-labelledby="postcode-progress" className="card max-w-3xl p-4 lg:p-6">
      {/* Without JavaScript the page refreshes itself. */}
      <noscript>
        <meta httpEquiv="refresh" content="3" />
      </noscript>
      <h2 id="postcode-progress" className="text-h3">
        {title}
      </h2>
      <progress
        aria-labelledby="postcode-progress"
        className="mt-3 block h-2 w-full accent-primary"
        {...progressProps}
      />
      <p role="status" className="numeric mt-2 min-h-5 text-body text-ink-2">
        {file.rows > 0 && `${formatCount(file.rows)} of ${formatCount(file.totalRows)} rows`}
      </p>
      {file.problem && (
        <Banner tone="warning" title="Waiting; it is retried automatically">
          {file.problem}
        </Banner>
      )}
      <p className="text-table text-muted">You may leave this page: the work continues.</p>
    </section>
  )
}

/** The file that a publication's postcodes are checked against, with its invalid rows. */
export function PostcodesInUse({ file, timeZone }: { file: PostcodeFileView; timeZone: string }) {
  const [isConfirming, setConfirming] = useState(false)
  const submit = useSubmit()
  // The current address of the page may lack the publication.
  const pageUrl = `/uploadpostcodes?publication=${file.publicationId}`
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <section aria-labelledby="postcodes-in-use" className="card max-w-3xl p-4 lg:p-6">
      <h2 id="postcodes-in-use" className="text-h3">
        In use now
      </h2>
      <p className="numeric mt-1 text-body wrap-anywhere text-ink-2">
        {`${countOf(file.codes, 'postcode')} from ${file.fileName}, since `}
        <Moment at={file.finishedAt ?? file.startedAt} timeZone={timeZone} />
        {'.'}
        {file.changed !== null && ` It changed the postcode state of ${countOf(file.changed, 'reader')}.`}
      </p>
      {file.failed > 0 && (
        <details className="mt-3 rounded-card border border-line text-table">
          <summary className="min-h-10 cursor-pointer px-3 py-2 font-medium">{`${countOf(file.failed, 'row was', 'rows were')} rejected`}</summary>
          <ul className="divide-y divide-line border-t border-line">
            {file.rejects.map(({ line, value, reason }) => (
              <li key={line} className="px-3 py-1.5 wrap-anywhere">
                <span className="numeric text-muted">{`Line ${formatCount(line)}: `}</span>
                {value === '' ? reason : `“${value}” ${reason}`}
              </li>
            ))}
            {file.failed > file.rejects.length && (
              <li className="px-3 py-1.5 text-muted">{`and ${formatCount(file.failed - file.rejects.length)} more`}</li>
            )}
          </ul>
        </details>
      )}
      <Form
        method="post"
        action={pageUrl}
        className="mt-4"
        onSubmit={(event) => {
          event.preventDefault()
          setConfirming(true)
        }}
      >
        <Button type="submit" name="intent" value="remove" isPending={isPending}>
          Remove the postcodes
        </Button>
      </Form>
      <ConfirmDialog
        title={`Remove ${countOf(file.codes, 'postcode')}?`}
        text="Postcodes are then checked only by the format of British postcodes. You can upload the file again at any time."
        confirmLabel="Remove postcodes"
        isOpen={isConfirming}
        isDangerous
        isPending={isPending}
        onCancel={() => setConfirming(false)}
        onConfirm={() => {
          submit({ intent: 'remove' }, { method: 'post', action: pageUrl })
          setConfirming(false)
        }}
      />
    </section>
  )
}
