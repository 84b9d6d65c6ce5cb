import { Link } from '@remix-run/react'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { ShownRun } from '#core/transfers/list-transfers.query.ts'
import { transferFileLabels } from '#core/transfers/transfer-file-labels.rules.ts'
import { Badge } from '../ui/badge.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Moment } from '../ui/formats.tsx'

const startedLabels = { schedule: 'by schedule', staff: 'by staff', operator: 'from the command line' }

/** The state of a run as a badge. */
export function RunState({ run }: { run: Pick<ShownRun, 'state' | 'files' | 'problem'> | null }) {
  if (run === null) return <Badge>no runs yet</Badge>
  if (run.state === 'waiting' && run.problem !== null) return <Badge tone="warning">to be retried</Badge>
  if (run.state === 'waiting' || run.state === 'running') return <Badge tone="info">running</Badge>
  if (run.state === 'done' && !run.files.some(({ state }) => state === 'failed'))
    return <Badge tone="success">{run.files.length === 0 ? 'nothing new' : 'done'}</Badge>
  return <Badge tone="danger">{run.state === 'done' ? 'partly failed' : run.state}</Badge>
}

/** The log of runs, the newest first: each file with its size, hash and number of readers. */
export function RunLog({
  runs,
  publicationId,
  timeZone,
}: {
  runs: ShownRun[]
  publicationId: number
  timeZone: string
}) {
  if (runs.length === 0)
    return (
      <EmptyState title="This transfer has not run yet">
        Check the connection first, then run it with “Run now”.
      </EmptyState>
    )
  return (
    <ul className="divide-y divide-line">
      {runs.map((run) => (
        <li key={run.id} className="py-3">
          <p className="flex flex-wrap items-center gap-2 text-body">
            <RunState run={run} />
            <Moment at={run.startedAt} timeZone={timeZone} /> {startedLabels[run.startedBy]}
          </p>
          {run.problem && <p className="mt-1 text-table wrap-anywhere text-danger">{run.problem}</p>}
          <ul className="mt-1 space-y-1">
            {run.files.map((file) => (
              <li key={`${file.name} ${file.state}`} className="text-table wrap-anywhere">
                <span className="font-medium">{file.name}</span>: {transferFileLabels[file.state]},{' '}
                {formatCount(file.bytes)} bytes
                {file.readers > 0 && `, ${countOf(file.readers, 'reader')}`}
                {file.uploadId !== null && (
                  <>
                    {' '}
                    <Link to={`/managedata/imports/${publicationId}`} className="link">
                      Import {file.uploadId}
                    </Link>
                  </>
                )}
                {file.problem && <span className="block text-danger">{file.problem}</span>}
                {file.sha256 !== '' && <span className="block text-muted">SHA-256 {file.sha256}</span>}
              </li>
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}
