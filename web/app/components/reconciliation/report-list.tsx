import { formatDay } from '#core/kernel/dates.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { reportProviders } from '#core/reconciliation/line-kinds.rules.ts'
import type { ReportView } from '#core/reconciliation/reports.query.ts'
import { Banner } from '../ui/banner.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { Moment } from '../ui/formats.tsx'
import { usePolling } from '../ui/use-polling.ts'

const pollMs = 1000

/** The progress of the newest report, or its result. */
export function ReportProgress({ report }: { report: ReportView }) {
  const isBusy = report.state === 'waiting' || report.state === 'running'
  usePolling(isBusy, pollMs)
  if (report.state === 'done' && report.failed === 0) return null
  if (report.state === 'done')
    return (
      <Banner
        tone="warning"
        title={`${countOf(report.failed, 'row')} of ${report.fileName} could not be read; the rest were read`}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <ul className="mt-1 max-h-60 overflow-auto" tabIndex={0} aria-label="Rows that could not be read">
          {report.rejects.map(({ line, reason }) => (
            <li key={line} className="wrap-anywhere">{`Line ${formatCount(line)}: ${reason}`}</li>
          ))}
        </ul>
        {report.failed > report.rejects.length && (
          <p>{`and ${formatCount(report.failed - report.rejects.length)} more`}</p>
        )}
      </Banner>
    )
  if (!isBusy)
    return (
      <Banner tone="danger" title={`${report.fileName} was not read completely`} isAlert>
        {`${report.problem ?? 'It was stopped.'} Upload it again: rows that were read are kept and count only once.`}
      </Banner>
    )
  return (
    <section aria-labelledby="report-progress" className="card max-w-3xl p-4 lg:p-6">
      {/* Without JavaScript the page refreshes itself. */}
      <noscript>
        <meta httpEquiv="refresh" content="3" />
      </noscript>
      <h2 id="report-progress" className="text-h3 wrap-anywhere">
        {`Reading ${report.fileName}…`}
      </h2>
      <progress
        aria-labelledby="report-progress"
        className="mt-3 block h-2 w-full accent-primary"
        {...(report.done > 0 ? { value: Math.min(report.done, report.total), max: report.total } : {})}
      />
      <p role="status" className="numeric mt-2 min-h-5 text-body text-ink-2">
        {report.done > 0 && `${formatCount(report.done)} of ${formatCount(report.total)} rows`}
      </p>
      <p className="text-table text-muted">You may leave this page: the work continues.</p>
    </section>
  )
}

const states: Record<ReportView['state'], string> = {
  waiting: 'Waiting',
  running: 'Being read',
  interrupted: 'Stopped',
  done: 'Read',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

interface ReportListProps {
  reports: readonly ReportView[]
  hasMore: boolean
  timeZone: string
}

/** The uploaded reports, newest first. */
export function ReportList({ reports, hasMore, timeZone }: ReportListProps) {
  const columns: Column<ReportView>[] = [
    {
      header: 'File',
      onCard: 'title',
      isSticky: true,
      cell: ({ fileName }) => <span className="wrap-anywhere">{fileName}</span>,
    },
    { header: 'Provider', cell: ({ provider }) => reportProviders[provider] },
    { header: 'Uploaded', cell: ({ storedAt }) => <Moment at={new Date(storedAt)} timeZone={timeZone} /> },
    {
      header: 'Days',
      cell: ({ firstOn, lastOn }) => (firstOn && lastOn ? `${formatDay(firstOn)} to ${formatDay(lastOn)}` : '-'),
    },
    { header: 'Status', cell: ({ state }) => states[state] },
    { header: 'New lines', isNumber: true, cell: ({ added }) => formatCount(added) },
    { header: 'Already read', isNumber: true, cell: ({ alreadyRead }) => formatCount(alreadyRead) },
    { header: 'Ignored', isNumber: true, cell: ({ ignored }) => formatCount(ignored) },
    { header: 'Rejected', isNumber: true, cell: ({ failed }) => formatCount(failed) },
  ]
  return (
    <section>
      <h2 className="mb-2 text-h3 font-semibold">Reports</h2>
      <DataTable
        label="Reports"
        columns={columns}
        rows={reports}
        rowKey={({ id }) => id}
        sort="-storedAt"
        empty={null}
      />
      {hasMore && (
        <p className="mt-2 text-table text-muted">
          {`The latest ${formatCount(reports.length)} reports are shown. The CSV contains the lines of all reports.`}
        </p>
      )}
    </section>
  )
}
