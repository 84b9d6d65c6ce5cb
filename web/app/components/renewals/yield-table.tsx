import { formatCount } from '#core/kernel/text-format.ts'
import type { YieldRow } from '#core/renewals/renewal-yield.query.ts'
import { yieldParts } from '#core/renewals/yield-parts.rules.ts'
import { buttonClass } from '../ui/button.tsx'
import { type Column, DataTable } from '../ui/data-table.tsx'
import { DownloadLink } from '../ui/download-dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Money, monthName } from '../ui/formats.tsx'

const columns: Column<YieldRow>[] = [
  { header: 'Month', onCard: 'title', cell: ({ month }) => monthName(month) },
  { header: 'Currency', cell: ({ currency }) => currency },
  ...yieldParts.map(({ name, title }) => ({
    header: title,
    isNumber: true,
    cell: ({ [name]: { renewals, amount }, currency }: YieldRow) =>
      renewals === 0 ? (
        '-'
      ) : (
        // One element: on phones a cell's parts would be spread over the line.
        <span>
          {formatCount(renewals)}, <Money value={{ amount, currency }} />
        </span>
      ),
  })),
  { header: 'Share paid', isNumber: true, cell: ({ paidShare }) => (paidShare === null ? '-' : `${paidShare}%`) },
]

/** Number and value of renewals, by the month in which the previous term ended. */
export function YieldTable({ months, publicationId }: { months: YieldRow[]; publicationId: number | null }) {
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-table text-ink-2">
          By the month in which the term ended. Open: not charged yet, or declined and not yet paid or lapsed. Share
          paid: paid renewals as a share of those no longer open.
        </p>
        {months.length > 0 && (
          <DownloadLink
            href={`/renewals/yield.csv${publicationId === null ? '' : `?publication=${publicationId}`}`}
            dialogTitle="Downloading renewals"
            about="Results by month"
            className={buttonClass()}
          >
            Download CSV
          </DownloadLink>
        )}
      </div>
      <DataTable
        label="Results by month"
        columns={columns}
        rows={months}
        rowKey={({ month, currency }) => `${month} ${currency}`}
        sort=""
        empty={
          <EmptyState title="No renewals yet">
            Renewals are planned 30 days before the term ends (7 days for short terms), and appear here from then on.
          </EmptyState>
        }
      />
    </div>
  )
}
