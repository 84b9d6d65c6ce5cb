import { Link } from '@remix-run/react'
import type { ImportView } from '#core/imports/upload-view.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { Badge } from '../ui/badge.tsx'
import { Banner } from '../ui/banner.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Moment } from '../ui/formats.tsx'
import { ImportDownloads, UndoImport } from './import-actions.tsx'
import { importKindText, startedBy, stateLabels } from './upload-texts.ts'

interface LastImportCardProps {
  publicationId: number
  last: ImportView | null
  /** The upload that waits for confirmation or is running; null if there is none. */
  open: ImportView | null
  timeZone: string
}

/** The latest import into a publication: its result, who ran it and when, and its actions. */
export function LastImportCard({ publicationId, last, open, timeZone }: LastImportCardProps) {
  if (!last && !open) return null
  return (
    <section aria-labelledby="last-import" className="card p-4 lg:p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-2">
        <h2 id="last-import" className="text-h3">
          Last import
        </h2>
        <Link to={`/managedata/imports/${publicationId}`} className="link text-body">
          All imports
        </Link>
      </div>
      {open && open.id !== last?.id && <OpenNote open={open} />}
      {last && (
        <>
          <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-body text-ink-2">
            <Badge tone={stateLabels[last.state].tone}>{stateLabels[last.state].text}</Badge>
            <span className="min-w-0 wrap-anywhere">
              {`${importKindText(last)}: `}
              <Link to={last.page} className="link">
                {last.fileName}
              </Link>
            </span>
            <span>
              <Moment at={last.finishedAt ?? last.startedAt} timeZone={timeZone} />
              {`, ${startedBy(last)}`}
            </span>
          </div>
          <dl className="mt-3 flex flex-wrap gap-x-8 gap-y-2">
            <Count label="Added" value={last.added} />
            <Count label="Updated" value={last.updated} />
            <Count label="Removed" value={last.removed} />
            <Count label="Rejected" value={last.failed} />
          </dl>
          <div className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-3 text-body empty:hidden">
            <ImportDownloads upload={last} />
            <UndoImport upload={last} size="small" />
          </div>
        </>
      )}
    </section>
  )
}

function OpenNote({ open }: { open: ImportView }) {
  return (
    <div className="mt-3">
      <Banner
        title={`${open.fileName}: ${stateLabels[open.state].text.toLowerCase()}`}
        action={
          <LinkButton to={open.page} size="small">
            Go to the upload
          </LinkButton>
        }
      />
    </div>
  )
}

function Count({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt className="text-table text-muted">{label}</dt>
      <dd className="numeric text-h3 font-semibold">{formatCount(value)}</dd>
    </div>
  )
}
