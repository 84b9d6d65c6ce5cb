import type { PreviewReject, RejectReason } from '#core/imports/import-report.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import { tableRoles } from '../ui/data-table.tsx'

const headClass = 'border-b border-line px-3 py-2 text-left text-caption font-semibold text-ink-2'
// On phones a row is a card, with the column's name before each cell.
const cellClass =
  'border-b border-line px-3 py-2 align-top group-last:border-b-0 wrap-anywhere max-md:flex max-md:gap-3 max-md:border-0 max-md:p-0 max-md:before:w-16 max-md:before:shrink-0 max-md:before:text-muted max-md:before:content-[attr(data-label)]'
/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

/** The first rejected rows: line and reason, one row per problem. */
export function FirstRejects({ rejects, total }: { rejects: readonly PreviewReject[]; total: number }) {
  if (rejects.length === 0) return null
  const shownRows = new Set(rejects.map(({ line }) => line)).size
  return (
    <section aria-labelledby="first-rejects" className="mt-5">
      <h3 id="first-rejects" className="text-body font-semibold">
        {total > shownRows
          ? `The first ${shownRows} of ${countOf(total, 'rejected row')}`
          : countOf(total, 'rejected row')}
      </h3>
      <section
        aria-label="Rejected rows"
        {...scrollable}
        className="mt-2 overflow-x-auto rounded-card border border-line"
      >
        <table role={tableRoles.table} className="w-full border-separate border-spacing-0 text-table max-md:block">
          <thead role={tableRoles.rowgroup} className="max-md:sr-only">
            <tr role={tableRoles.row} className="bg-subtle">
              <th role={tableRoles.columnheader} scope="col" className={`${headClass} text-right`}>
                Line
              </th>
              <th role={tableRoles.columnheader} scope="col" className={headClass}>
                Column
              </th>
              <th role={tableRoles.columnheader} scope="col" className={headClass}>
                Reason
              </th>
            </tr>
          </thead>
          <tbody role={tableRoles.rowgroup} className="max-md:block">
            {rejects.map(({ line, column, value, reason }) => (
              <tr
                key={`${line} ${column}`}
                role={tableRoles.row}
                className="group max-md:block max-md:border-b max-md:border-line max-md:px-3 max-md:py-2 max-md:last:border-0"
              >
                <td role={tableRoles.cell} data-label="Line" className={`numeric md:text-right ${cellClass}`}>
                  {formatCount(line)}
                </td>
                <td role={tableRoles.cell} data-label="Column" className={`whitespace-nowrap ${cellClass}`}>
                  {column || '-'}
                </td>
                <td role={tableRoles.cell} data-label="Reason" className={`md:min-w-48 ${cellClass}`}>
                  {value === '' ? reason : `“${value}” ${reason}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

/** The number of reasons that are listed, the most frequent first. */
const maxReasons = 20

/** The reasons for rejected rows, with counts. */
export function RejectReasons({ reasons }: { reasons: readonly RejectReason[] }) {
  if (reasons.length === 0) return null
  return (
    <section aria-labelledby="reject-reasons" className="mt-5">
      <h3 id="reject-reasons" className="text-body font-semibold">
        Why rows were rejected
      </h3>
      <ul className="mt-2 divide-y divide-line rounded-card border border-line text-table">
        {reasons.slice(0, maxReasons).map(({ column, reason, count, firstLine }) => (
          <li key={`${column} ${reason}`} className="flex gap-4 px-3 py-2">
            <span className="numeric w-8 shrink-0 text-right sm:w-16 font-semibold">{formatCount(count)}</span>
            <span className="min-w-0 wrap-anywhere">
              {column && <span className="font-medium">{column} </span>}
              {reason}
              <span className="text-muted">
                {count === 1 ? `, on line ${formatCount(firstLine)}` : `, first on line ${formatCount(firstLine)}`}
              </span>
            </span>
          </li>
        ))}
        {reasons.length > maxReasons && (
          <li className="px-3 py-2 text-muted">{`and ${countOf(reasons.length - maxReasons, 'more reason')}`}</li>
        )}
      </ul>
    </section>
  )
}
