import { Form, useNavigation } from '@remix-run/react'
import type { UploadView } from '#core/imports/upload-view.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { Moment } from '../ui/formats.tsx'
import { ConfirmUpload } from './confirm-upload.tsx'
import { FirstRejects, RejectReasons } from './reject-list.tsx'
import { previewText, questionOf } from './upload-texts.ts'

interface UploadPreviewProps {
  upload: UploadView
  timeZone: string
  problem: { message: string; hint?: string | undefined; fields?: FieldErrors } | undefined
  /** Whether the address asks for the confirmation, which is a dialog, or a part of the page without JavaScript. */
  isConfirming: boolean
}

/** Step 3: what the import would do, before anything is changed. */
export function UploadPreview({ upload, timeZone, problem, isConfirming }: UploadPreviewProps) {
  const { preview, importedBefore, page } = upload
  const isPending = useNavigation().formMethod === 'POST'
  if (!preview) return null
  const canRun = preview.rows > preview.failed
  const question = questionOf(upload)
  return (
    <section aria-labelledby="preview" className="card max-w-3xl p-4 lg:p-6">
      {problem && (
        <div className="mb-4">
          <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields ?? {}} />
        </div>
      )}
      <h2 id="preview" className="numeric text-h3">
        {previewText(upload, preview)}
      </h2>
      <p className="mt-1 text-body text-ink-2">
        {`${countOf(preview.rows, 'row')} in ${upload.fileName}.`}
        {preview.unchanged > 0 && ` ${countOf(preview.unchanged, 'reader')} unchanged.`}
        {preview.repeated > 0 &&
          ` ${countOf(preview.repeated, 'row is', 'rows are')} repeated further down: the last one counts.`}
        {' Nothing has been changed yet.'}
      </p>
      <div className="mt-4 space-y-3 empty:hidden">
        {importedBefore && (
          <Banner tone="warning" title="This file was imported before">
            <Moment at={importedBefore.at} timeZone={timeZone} />
            {`, with ${countOf(importedBefore.added, 'reader')} added.`}
          </Banner>
        )}
        {upload.mode === 'replace' && preview.removed > preview.added + preview.updated + preview.unchanged && (
          <Banner tone="warning" title="More readers would be removed than kept">
            {`${formatCount(preview.removed)} would be removed. Is this the whole file?`}
          </Banner>
        )}
        {preview.warnings.map((warning) => (
          <Banner key={warning}>{warning}</Banner>
        ))}
        {!canRun && (
          <Banner tone="danger" title="No row of this file can be imported">
            Correct the rows, or choose other columns.
          </Banner>
        )}
      </div>
      <FirstRejects rejects={preview.firstRejects} total={preview.failed} />
      {preview.failed > preview.firstRejects.length && <RejectReasons reasons={preview.reasons} />}
      {preview.failed > 0 && canRun && (
        <p className="mt-3 text-table text-muted">
          The other rows are imported. The rejected ones can be downloaded, corrected and uploaded again.
        </p>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        {canRun &&
          (question ? (
            <ConfirmUpload upload={upload} question={question} problem={problem} isConfirming={isConfirming} />
          ) : (
            <Form method="post">
              <Button type="submit" name="intent" value="confirm" kind="primary" isPending={isPending}>
                {`Add ${countOf(preview.added, 'reader')}`}
              </Button>
            </Form>
          ))}
        <LinkButton to={`${page}&columns=change`}>Change columns</LinkButton>
        <Form method="post">
          <Button type="submit" name="intent" value="cancel" kind="quiet">
            Cancel the upload
          </Button>
        </Form>
      </div>
    </section>
  )
}
