import type { PreviewReject, RejectReason } from '#core/imports/import-report.ts'
import { countOf, formatCount } from '#core/kernel/words.ts'

const head = 'border-b border-line px-3 py-2 text-left text-caption font-semibold text-ink-2'
const cell = 'border-b border-line px-3 py-2 align-top group-last:border-b-0 wrap-anywhere'
/** An area that scrolls must be reachable by keyboard. */
const scrollable = { tabIndex: 0 }

/** The first rows that are not taken: where they stand and why. */
export function FirstRejects({ rejects, total }: { rejects: readonly PreviewReject[]; total: number }) {
  if (rejects.length === 0) return null
  return (
    <section aria-labelledby="first-rejects" className="mt-5">
      <h3 id="first-rejects" className="text-body font-semibold">
        {total > rejects.length
          ? `The first ${rejects.length} of ${countOf(total, 'rejected row')}`
          : countOf(total, 'rejected row')}
      </h3>
      <section
        aria-label="Rejected rows"
        {...scrollable}
        className="mt-2 overflow-x-auto rounded-card border border-line"
      >
        <table className="w-full border-separate border-spacing-0 text-table">
          <thead>
            <tr className="bg-subtle">
              <th scope="col" className={`${head} text-right`}>
                Line
              </th>
              <th scope="col" className={head}>
                Column
              </th>
              <th scope="col" className={head}>
                Reason
              </th>
            </tr>
          </thead>
          <tbody>
            {rejects.map(({ line, column, value, reason }) => (
              <tr key={`${line} ${column}`} className="group">
                <td className={`numeric text-right ${cell}`}>{formatCount(line)}</td>
                <td className={`whitespace-nowrap ${cell}`}>{column || '-'}</td>
                <td className={`min-w-48 ${cell}`}>{value === '' ? reason : `“${value}” ${reason}`}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  )
}

/** Why rows were not taken, each reason once with how often. */
export function RejectReasons({ reasons }: { reasons: readonly RejectReason[] }) {
  if (reasons.length === 0) return null
  return (
    <section aria-labelledby="reject-reasons" className="mt-5">
      <h3 id="reject-reasons" className="text-body font-semibold">
        Why rows were rejected
      </h3>
      <ul className="mt-2 divide-y divide-line rounded-card border border-line text-table">
        {reasons.slice(0, 20).map(({ column, reason, count, firstLine }) => (
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
      </ul>
    </section>
  )
}
