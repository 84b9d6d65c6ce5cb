import { monthNames } from '#core/analytics/year-chart.rules.ts'
import { formatCount } from '#core/kernel/text-format.ts'
import { chartSeries, type SeriesKey } from './series.ts'

interface YearTableProps {
  title: string
  year: number
  months: Record<SeriesKey, (number | null)[]>
  currentMonth: number
}

/** The chart's data as a table and as a CSV download. */
export function YearTable({ title, year, months, currentMonth }: YearTableProps) {
  const rows = monthNames.flatMap((name, index) => {
    const values = chartSeries.map(({ key }) => months[key][index] ?? null)
    return values.some((value) => value !== null) ? [{ name, index, values: values.map((value) => value ?? 0) }] : []
  })
  const csv = [
    'Month,Print,Digital,Bundle',
    ...rows.map(({ name, values }) => [`${name} ${year}`, ...values].join(',')),
  ].join('\r\n')
  return (
    <details className="mt-3">
      <summary className="link inline-block text-table">Show as table</summary>
      <div className="mt-3 overflow-x-auto">
        <table className="numeric w-full max-w-lg text-table">
          <caption className="sr-only">{title}</caption>
          <thead>
            <tr className="border-b border-line text-left text-ink-2">
              <th scope="col" className="py-1.5 font-semibold">
                Month
              </th>
              {chartSeries.map(({ key, label }) => (
                <th key={key} scope="col" className="py-1.5 text-right font-semibold">
                  {label}
                </th>
              ))}
              <th scope="col" className="py-1.5 text-right font-semibold">
                Total
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, index, values }) => (
              <tr key={name} className="border-b border-line last:border-0">
                <th scope="row" className="py-1.5 text-left font-normal">
                  {name}
                  {index === currentMonth && ' (so far)'}
                </th>
                {chartSeries.map(({ key }, column) => (
                  <td key={key} className="py-1.5 text-right">
                    {formatCount(values[column] ?? 0)}
                  </td>
                ))}
                <td className="py-1.5 text-right font-medium">
                  {formatCount(values.reduce((sum, value) => sum + value, 0))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <a
        href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}
        download={`subscribers-${year}.csv`}
        className="link mt-2 inline-block text-table"
      >
        Download CSV
      </a>
    </details>
  )
}
