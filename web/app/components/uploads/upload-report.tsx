import { skippedCellsText } from '#core/imports/skipped-cells.rules.ts'
import type { UploadView } from '#core/imports/upload-view.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { StatCard, StatCards } from '../ui/stat-card.tsx'
import { ImportDownloads, UndoImport } from './import-actions.tsx'
import { RejectReasons } from './reject-list.tsx'
import { durationText, failedHint, failedText } from './upload-texts.ts'

/** Step 5: the result, and its actions. */
export function UploadReport({ upload, chooseAgain }: { upload: UploadView; chooseAgain: string }) {
  if (upload.state === 'failed') return <FailedReport upload={upload} chooseAgain={chooseAgain} />
  const { state, mode, failed, publicationId, rows } = upload
  return (
    <section aria-labelledby="report" className="card max-w-4xl p-4 lg:p-6">
      <h2 id="report" className="text-h3">
        {headings[state] ?? 'The import is done'}
      </h2>
      <p className="mt-1 text-body text-ink-2">
        {summaryOf(upload)}
        {upload.unchanged > 0 && ` ${countOf(upload.unchanged, 'reader was', 'readers were')} already up to date.`}
        {upload.repeated > 0 &&
          ` ${countOf(upload.repeated, 'row was', 'rows were')} repeated further down: the last one counted.`}
      </p>
      {state === 'undone' && <UndoneNote upload={upload} />}
      {upload.problem && (
        <div className="mt-3">
          <Banner tone="warning">{upload.problem}</Banner>
        </div>
      )}
      {rows > 0 && (
        <div className="mt-4">
          <StatCards label="Result">
            <StatCard label="Added" value={formatCount(upload.added)} />
            {mode !== 'add' && <StatCard label="Updated" value={formatCount(upload.updated)} />}
            {mode === 'replace' && <StatCard label="Removed" value={formatCount(upload.removed)} />}
            <StatCard label="Rejected" value={formatCount(failed)} />
          </StatCards>
        </div>
      )}
      {upload.skippedCells.map((kind) => (
        <div key={`${kind.column} ${kind.reason}`} className="mt-3">
          <Banner tone="warning">{skippedCellsText(kind)}</Banner>
        </div>
      ))}
      <RejectReasons reasons={upload.reasons} />
      <div className="mt-6 flex flex-wrap items-center gap-3">
        <LinkButton to={`/managedata?publication=${publicationId}`} kind="primary">
          Go to Manage Data
        </LinkButton>
        <ImportDownloads upload={upload} />
        <UndoImport upload={upload} />
        <LinkButton to={chooseAgain} kind="quiet">
          Upload another file
        </LinkButton>
      </div>
    </section>
  )
}

const headings: Partial<Record<UploadView['state'], string>> = {
  done: 'The import is done',
  cancelled: 'The upload was cancelled',
  undone: 'The import was undone',
}

function summaryOf({ state, rows, fileName, seconds, canUndo }: UploadView): string {
  if (state !== 'cancelled') return `${countOf(rows, 'row')} of ${fileName} in ${durationText(seconds)}.`
  if (rows === 0) return `No row of ${fileName} was imported.`
  const undoHint = canUndo ? ' “Undo this import” reverses that.' : ''
  return `${countOf(rows, 'row')} of ${fileName} had been imported before it was cancelled.${undoHint}`
}

function UndoneNote({ upload: { restored, leftAlone } }: { upload: UploadView }) {
  return (
    <div className="mt-3">
      <Banner tone={leftAlone > 0 ? 'warning' : 'success'}>
        {`${countOf(restored, 'reader is', 'readers are')} as before the import.`}
        {leftAlone > 0 && ` ${countOf(leftAlone, 'reader was', 'readers were')} changed since and left unchanged.`}
      </Banner>
    </div>
  )
}

/** The result of a failed upload: the message with its cause. */
function FailedReport({ upload, chooseAgain }: { upload: UploadView; chooseAgain: string }) {
  return (
    <section aria-labelledby="report" className="card max-w-3xl p-4 lg:p-6">
      <h2 id="report" className="text-h3">
        {failedText}
      </h2>
      <p className="mt-1 text-body text-ink-2">{failedHint}</p>
      <div className="mt-4">
        <Banner tone="danger" title={upload.fileName}>
          {upload.problem}
        </Banner>
      </div>
      <div className="mt-6 flex flex-wrap gap-3">
        <LinkButton to={chooseAgain} kind="primary">
          Upload another file
        </LinkButton>
        {upload.columns.length > 0 && <LinkButton to={`${upload.page}&columns=change`}>Change columns</LinkButton>}
      </div>
    </section>
  )
}
