import type { ReactNode } from 'react'
import { formatCount } from '#core/kernel/text-format.ts'
import type { CountsSheet } from '#core/mailing/counts-sheet.rules.ts'

/** The readers in a mailing file by zone, each with its download, and the readers left out by reason. */
export function MailingCounts({
  counts: { zones, excluded, included, readers },
  download,
}: {
  counts: Pick<CountsSheet, 'zones' | 'excluded' | 'included' | 'readers'>
  download: (zone: CountsSheet['zones'][number]) => ReactNode
}) {
  return (
    <div className="grid gap-5 lg:grid-cols-2">
      <section className="card p-4 lg:p-5" aria-labelledby="by-zone">
        <h2 id="by-zone" className="text-h3">
          In the file: <span className="numeric">{formatCount(included)}</span>
        </h2>
        <table className="mt-3 w-full text-body">
          <thead>
            <tr className="border-b border-line text-table text-muted">
              <th scope="col" className="py-1.5 text-left font-medium">
                Zone
              </th>
              <th scope="col" className="py-1.5 pl-2 text-right font-medium">
                Print
              </th>
              <th scope="col" className="py-1.5 pl-2 text-right font-medium">
                Bundle
              </th>
              <th scope="col" className="py-1.5 pl-2 text-right font-medium">
                File
              </th>
            </tr>
          </thead>
          <tbody>
            {zones.map((zone) => (
              <tr key={zone.zone} className="border-b border-line last:border-0">
                <th scope="row" className="py-2 pr-2 text-left font-normal">
                  {zone.label}
                </th>
                <td className="numeric py-2 pl-2 text-right">{formatCount(zone.print)}</td>
                <td className="numeric py-2 pl-2 text-right">{formatCount(zone.bundle)}</td>
                <td className="py-2 pl-2 text-right">{zone.readers > 0 ? download(zone) : '-'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section className="card p-4 lg:p-5" aria-labelledby="left-out">
        <h2 id="left-out" className="text-h3">
          Left out: <span className="numeric">{formatCount(readers - included)}</span>
        </h2>
        {excluded.length === 0 ? (
          <p className="mt-3 text-body text-ink-2">Every reader gets a copy.</p>
        ) : (
          <dl className="mt-3 divide-y divide-line text-body">
            {excluded.map(({ reason, label, count }) => (
              <div key={reason} className="flex justify-between gap-4 py-2">
                <dt>{label}</dt>
                <dd className="numeric">{formatCount(count)}</dd>
              </div>
            ))}
          </dl>
        )}
      </section>
    </div>
  )
}
